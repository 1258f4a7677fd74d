"""The decks at a table, each as it was judged on the day that its player brought it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from coalition_site.lib.pages import Page
from decks.models import BanList, Deck, Playing

from ..models import GameSet, Seat
from .board import Who, who


@dataclass(frozen=True, slots=True)
class BroughtDeck:
    """A revision of a deck, with its verdict of the day it was judged on."""

    name: str
    code: str
    revision: int
    hero: str | None
    type: str | None
    legal: bool
    is_allowed: bool
    problems: Sequence[str]
    judged_on: date


@dataclass(frozen=True, slots=True)
class SeatedDeck:
    """A seat, and the deck that its player brought, if any."""

    who: Who
    deck: BroughtDeck | None


@dataclass(kw_only=True)
class SeatsPage(Page):
    """The seats with their decks, and the ban lists that may judge them.

    ``mine`` are the visitor's decks, ``house`` is the key of the table's own list. A problem is
    shown at its seat, if any, with what was typed there.
    """

    template: ClassVar[str] = "scoring/seats.html"
    code: str
    seats: Sequence[SeatedDeck]
    mine: Sequence[Deck]
    houses: Sequence[BanList]
    house: int | None
    problem: str = ""
    problem_seat: int | None = None
    typed: str = ""


def seats(game_set: GameSet, rows: list[Seat]) -> list[SeatedDeck]:
    """Return the seats with their decks."""
    return [SeatedDeck(who(game_set, seat.number), _deck(seat)) for seat in rows]


def _deck(seat: Seat) -> BroughtDeck | None:
    report = seat.deck_report
    if seat.deck is None or report is None:
        return None
    return BroughtDeck(
        name=seat.deck.deck.name,
        code=seat.deck.deck.code,
        revision=seat.deck.number,
        hero=report["hero"],
        type=report["coalition_type"],
        legal=report["legal"],
        is_allowed=report["playing"] == Playing.ALLOW,
        problems=[problem["message"] for problem in report["problems"]],
        judged_on=date.fromisoformat(report["judged_on"]),
    )


def decks(game_set: GameSet, rows: list[Seat]) -> list[SeatedDeck]:
    """Return the seats that have a deck."""
    return [seat for seat in seats(game_set, rows) if seat.deck]
