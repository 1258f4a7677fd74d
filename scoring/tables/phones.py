"""Players' phones that act: what the table lets them do, what they report, how it is answered."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from coalition_site.lib.forms import DAMAGED, Tap, any_error
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.requests import Request

from .. import access
from ..models.record import Phones
from ..record import proposals, queries
from ..rules.damage import AMOUNT_MAX, DealDamage, Hit, Kind
from ..rules.own import LIFE_AND_HITS
from ..setlog.codec import MOVES
from .additions import additions_of
from .common import get_table, require_game, require_scorer, takes_posts
from .move_forms import MoveForm
from .score import record_tap, show_refusal, show_tap
from .seat import record_of_seat, require_seat, seat_page
from .taps import KINDS, KeyedChange, one_of, whole_number


class ProposedForm(Tap):
    proposed = forms.UUIDField(error_messages=any_error(DAMAGED))


class OwnForm(KeyedChange):
    """What a player reports: a change of life by a key, or as typed with a ``way``; a change of
    poison; or a ``hit`` as "3.1", from seat 3 to seat 1."""

    way = one_of("gain", "lose")
    hit = forms.RegexField(r"^[1-8]\.[1-8]\Z", required=False, error_messages={"invalid": DAMAGED})
    kind = one_of(*KINDS)
    amount = forms.CharField(required=False)
    typed = forms.CharField(required=False)

    def __init__(self, data: Any, *, seat: int, seats: int) -> None:
        super().__init__(data)
        self.seat, self.seats = seat, seats

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        if change := self.change(cleaned, cleaned["way"]):
            return cleaned | {"move": change.change({self.seat: change.by})}
        if cleaned["by"]:
            raise ValidationError("Do you gain or lose so much life? Tap which.")
        if not cleaned["hit"]:
            raise ValidationError("Who hit whom? Choose that first, then the number.")
        source, target = map(int, cleaned["hit"].split("."))
        amount = whole_number(cleaned["amount"] or cleaned["typed"], AMOUNT_MAX)
        if max(source, target) > self.seats:
            raise ValidationError("That player does not sit at this table.")
        if amount is None:
            raise ValidationError(f"The damage must be a whole number from 1 to {AMOUNT_MAX}.")
        kind = KINDS[cleaned["kind"] or Kind.COMBAT]
        hit = Hit(source=source, target=target, amount=amount, kind=kind)
        return cleaned | {"move": DealDamage((hit,))}


# --- the scorekeeper ---
@takes_posts(show_refusal)
def set_phones(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    phones = request.POST.get("phones", "")
    if phones in Phones and not game_set.is_trial:
        proposals.set_phones(game_set, Phones(phones))
    return redirect("links", game_set.code)


@takes_posts(show_refusal)
def take(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    data = cleaned_data(ProposedForm(request.POST))
    tap_id = data["tap_id"]
    with proposals.taking(game_set, number, data["proposed"], tap_id) as move:
        return record_tap(request, game_set, number, move, tap_id)


@takes_posts(show_refusal)
def leave(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    proposals.leave(game_set, number, cleaned_data(ProposedForm(request.POST))["proposed"])
    if not request.htmx:
        return redirect("score", game_set.code)
    return show_tap(request, game_set, queries.games(game_set))


# --- the player ---
@takes_posts(seat_page)
def report(request: Request, code: str, number: int, what: str) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat = require_seat(request, game_set)
    move_type, rules = MOVES.get(what), game_set.rules
    if move_type not in rules.own_moves:
        raise Http404("Players report nothing of that kind in this format.")
    game = require_game(game_set)
    if move_type in LIFE_AND_HITS:
        form: Tap = OwnForm(request.POST, seat=seat.number, seats=len(game_set.names))
    else:
        posted = request.POST.copy()
        posted["player"] = str(seat.number)
        form = MoveForm(move_type, posted, names=game_set.names)
    data = cleaned_data(form)
    move, tap_id = data["move"], data["tap_id"]
    additions_of(game_set).check(move, request.POST, game)
    if access.may_propose(seat, game, move):
        proposals.propose(seat, number, move, tap_id)
    elif move_type in rules.always_own or not proposals.was_proposed(game_set, tap_id):
        record_of_seat(seat, number, move, tap_id, request.POST.get("seen", ""))
    return redirect("seat", game_set.code)


@takes_posts(seat_page)
def drop_own(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat = require_seat(request, game_set)
    proposals.drop(seat, number, cleaned_data(ProposedForm(request.POST))["proposed"])
    return redirect("seat", game_set.code)
