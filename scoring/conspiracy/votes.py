"""Votes: called by a card, by the scorekeeper or on a player's phone, and taken back as a whole."""

from itertools import takewhile
from typing import Any
from uuid import uuid5

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from coalition_site.lib.forms import Tap
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..record import commands, queries, scorekeepers
from ..record.recording import locked
from ..rules.corrections import Undo
from ..rules.formats.conspiracy.council import CallVote, CastVote
from ..rules.formats.conspiracy.state import DILEMMA, WILL, game_of
from ..rules.taps import require_seen
from ..tables.board import about, who
from ..tables.common import get_table, require_scorer, shows_form, takes_posts
from ..tables.score import record_tap, show_refusal, show_tap
from ..tables.seat import record_of_seat, require_seat, seat_page
from . import naming
from .agendas import NAMED_MAX, get_game
from .boards import no_call, others_turn
from .cards import VOTES


class VoteCardForm(Tap):
    """The card whose vote is called: a listed one, or else the one whose ``name`` was typed."""

    vote_card = forms.ChoiceField(
        required=False,
        choices=[(card, card) for card in VOTES],
        error_messages={"invalid_choice": "Which card?"},
    )
    name = forms.CharField(
        required=False, max_length=NAMED_MAX, error_messages={"max_length": "That is not a card."}
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not (cleaned.get("vote_card") or cleaned.get("name") or self.errors):
            raise ValidationError("Which card?")
        return cleaned

    def called_by(self, seat: int) -> CallVote:
        """:raises Refused: if what was typed is no card, or calls no vote."""
        if listed := self.cleaned_data["vote_card"]:
            return CallVote(seat, DILEMMA, VOTES[listed], listed)
        card, kind, options = naming.find_vote(self.cleaned_data["name"])
        return CallVote(seat, kind, options, card, named=not options)


@never_cache
@shows_form(show_refusal)
def call(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    game = get_game(game_set)
    if request.method != "POST":
        return render(request, "conspiracy/votes.html", about(game_set, game, cards=VOTES))
    form = VoteCardForm(request.POST)
    tap_id = cleaned_data(form)["tap_id"]
    vote = form.called_by(game.current_state.active)
    return record_tap(request, game_set, game.number, vote, tap_id)


def _own_page(
    request: Request, code: str, number: int, refused: Refused | None = None
) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat, game = require_seat(request, game_set), get_game(game_set)
    closed = no_call(game_of(game.current_state), seat.number)
    shown = {
        "code": game_set.code,
        "number": game.number,
        "who": who(game_set, seat.number),
        "problem": refused.message(game_set.names) if refused else "",
        "closed": closed.message(game_set.names) if closed else "",
        "cards": VOTES,
        "kinds": (WILL, DILEMMA),
    }
    return render(request, "conspiracy/seat_votes.html", shown, status=422 if refused else 200)


@never_cache
@shows_form(seat_page)
@shows_refusals(_own_page)
def call_own(request: Request, code: str, number: int) -> HttpResponse:
    if request.method != "POST":
        return _own_page(request, code, number)
    game_set = get_table(request, code, number)
    seat, game = require_seat(request, game_set), get_game(game_set)
    form = VoteCardForm(request.POST)
    tap_id = cleaned_data(form)["tap_id"]
    vote = form.called_by(seat.number)
    if refused := others_turn(game_of(game.current_state), seat.number):
        raise refused
    record_of_seat(seat, game.number, vote, tap_id)
    return redirect("seat", game_set.code)


@takes_posts(show_refusal)
def take_back(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    get_game(game_set)
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    by, at = scorekeepers.get_or_assign_number(request, game_set), timezone.now()
    with locked(game_set):
        now = queries.find_game(game_set, number)
        if now and not queries.event_of(game_set, number, tap_id):  # else it is a repeated tap
            if seen := request.POST.get("seen"):
                require_seen(now.current_state, seen, ("vote",))
            lines = queries.replayed_log(now, queries.rows(now)).lines[::-1]
            cast = list(takewhile(lambda line: isinstance(line.move, CastVote), lines))
            call = lines[len(cast) : len(cast) + 1]
            if not call or not isinstance(call[0].move, CallVote):
                raise Refused(
                    "There is no vote to take back, or something else has happened since: strike "
                    "its lines in the log."
                )
            for place, line in enumerate(cast + call):
                id = uuid5(tap_id, str(place)) if place else tap_id
                commands.record(game_set, number, Undo(line.number), tap_id=id, at=at, by=by)
    if not request.htmx:
        return redirect("score", game_set.code)
    return show_tap(request, game_set, queries.games(game_set))
