"""Votes of the scorekeeper's: called from a card, and taken back as a whole."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.requests import Request

from ...models import GameSet
from ...play import queries, scorekeepers
from ...rules.formats.conspiracy import CallVote
from ...rules.formats.conspiracy.counting import DILEMMA
from ...views.score import answer, record_tap, show_refusal
from .. import naming, sealing, votes
from ..cards import VOTES
from ..forms import VoteCardForm
from .agendas import conspiracy_view


@require_POST
@conspiracy_view
@shows_refusals(show_refusal)
def call(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    """Call the vote of a card for the active player."""
    assert game_set.named_game is not None
    data = cleaned_data(VoteCardForm(request.POST))
    active = sealing.state_of(game_set.named_game).active
    card, kind, options = _vote(data["vote_card"], data["name"])
    vote = CallVote(active, kind, options, card)
    return record_tap(request, game_set, number, vote, data["tap_id"])


def _vote(listed: str, typed: str) -> tuple[str, str, tuple[str, ...]]:
    return (listed, DILEMMA, VOTES[listed]) if listed else naming.called(typed)


@require_POST
@conspiracy_view
@shows_refusals(show_refusal)
def take_back(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    """Take back a mistaken vote as a whole."""
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    by = scorekeepers.get_or_give_number(request, game_set)
    votes.take_back(game_set, number, tap_id, timezone.now(), by)
    if not request.htmx:
        return redirect("score", game_set.code)
    return answer(request, game_set, queries.games(game_set))
