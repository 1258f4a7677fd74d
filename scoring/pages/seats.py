"""The decks at a table, each as it was judged on the day that its player brought it."""

from __future__ import annotations

from datetime import date
from typing import Any

from decks.models import Playing

from ..models import Seat
from ..play.queries import Table
from .board import who


def seats(table: Table, rows: list[Seat]) -> list[dict[str, Any]]:
    """Return the seats with their decks; ``name`` is empty where there is none."""
    return [{"who": who(table, seat.number), **_deck(seat)} for seat in rows]


def _deck(seat: Seat) -> dict[str, Any]:
    report = seat.deck_report
    if seat.deck is None or report is None:
        return {"name": ""}
    return {
        "name": seat.deck.deck.name,
        "code": seat.deck.deck.code,
        "revision": seat.deck.number,
        "hero": report["hero"],
        "type": report["coalition_type"],
        "legal": report["legal"],
        "is_allowed": report["playing"] == Playing.ALLOW,
        "problems": [problem["message"] for problem in report["problems"]],
        "judged_on": date.fromisoformat(report["judged_on"]),
    }


def decks(table: Table, rows: list[Seat]) -> list[dict[str, Any]]:
    """Return the seats that have a deck."""
    return [seat for seat in seats(table, rows) if seat["name"]]
