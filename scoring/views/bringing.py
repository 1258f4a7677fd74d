"""Bringing a deck to a table, from the page of the deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from coalition_site.lib.limits import limited
from coalition_site.lib.pages import Page
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from decks import access as deck_access
from decks.checking.legality import format_of
from decks.models import Deck
from decks.views.decks import locked

from .. import access
from ..models import GameSet, Seat
from ..play import commands, queries


@dataclass(kw_only=True)
class BringPage(Page):
    """The seats to which the visitor may bring a deck; a problem is shown on top."""

    template: ClassVar[str] = "scoring/bring.html"
    deck: Deck
    seats: Sequence[Seat]
    problem: str = ""
    tables: dict[GameSet, list[Seat]] = field(init=False)  # the newest first, as the seats are

    def __post_init__(self) -> None:
        self.tables = {}
        for seat in self.seats:
            self.tables.setdefault(seat.game_set, []).append(seat)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited("edit")
def bring_deck(request: Request, code: str) -> HttpResponse:
    """Give the deck to a seat at a table that is not finished, judged by that table's list."""
    deck = get_object_or_404(Deck, code=code)
    if not deck_access.may_change(request, deck):
        return locked(request, deck)
    seats = _open_seats(request, deck)
    if request.method != "POST":
        return BringPage(deck=deck, seats=seats).respond(request)
    seat = next((seat for seat in seats if str(seat.pk) == request.POST.get("seat")), None)
    try:
        if seat is None:
            raise Refused("That seat is not open to this deck. Choose another.")
        revision = deck.revisions.latest("number")
        commands.bring_deck(seat.game_set, seat.number, revision)
    except Refused as refused:
        names = seat.game_set.names if seat else {}
        page = BringPage(deck=deck, seats=seats, problem=refused.message(names))
        return page.respond(request, status=422)
    return redirect("watch", seat.game_set.code)


def _open_seats(request: Request, deck: Deck) -> list[Seat]:
    """Return the seats that may get the deck, the newest table first. Three queries."""
    format = format_of(deck.revisions.latest("number").ruleset)
    seats = queries.open_seats(request.user.pk, access.tables_in_browser(request), format)
    return [seat for seat in seats if access.may_bring(request, seat)]
