"""Bringing a deck to a table, from the page of the deck."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from coalition_site.lib.limits import limited
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from decks import access as deck_access
from decks.checking.legality import format_of
from decks.models import Deck
from decks.views.decks import locked

from .. import access
from ..models import GameSet, Seat
from ..play import commands, queries


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited("edit")
def bring_deck(request: Request, code: str) -> HttpResponse:
    deck = get_object_or_404(Deck, code=code)
    if not deck_access.may_change(request, deck):
        return locked(request, deck)
    seats = _open_seats(request, deck)
    if request.method != "POST":
        return _page(request, deck, seats)
    seat = next((seat for seat in seats if str(seat.pk) == request.POST.get("seat")), None)
    try:
        if seat is None:
            raise Refused("That seat is not open to this deck. Choose another.")
        revision = deck.revisions.latest("number")
        commands.bring_deck(seat.game_set, seat.number, revision)
    except Refused as refused:
        names = seat.game_set.names if seat else {}
        return _page(request, deck, seats, refused.message(names))
    return redirect("watch", seat.game_set.code)


def _page(request: Request, deck: Deck, seats: list[Seat], problem: str = "") -> HttpResponse:
    tables: dict[GameSet, list[Seat]] = {}  # the newest first, as the seats are
    for seat in seats:
        tables.setdefault(seat.game_set, []).append(seat)
    shown = {"deck": deck, "seats": seats, "tables": tables, "problem": problem}
    return render(request, "scoring/bring.html", shown, status=422 if problem else 200)


def _open_seats(request: Request, deck: Deck) -> list[Seat]:
    format = format_of(deck.revisions.latest("number").ruleset)
    seats = queries.open_seats(request.user.pk, access.tables_in_browser(request), format)
    return [seat for seat in seats if access.may_bring(request, seat)]
