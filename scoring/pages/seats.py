"""The decks that seats carry, as they were judged when they were brought."""

from __future__ import annotations

from datetime import date
from typing import Any

from decks.models import Playing

from ..models import Seat
from ..play.queries import Table
from .board import who


def seats(table: Table, found: list[Seat]) -> list[dict[str, Any]]:
    """Return seats with the decks they carry, as they were judged when they were brought."""
    return [{"who": who(table, seat.number), **_brought(seat)} for seat in found]


def _brought(seat: Seat) -> dict[str, Any]:
    if seat.deck is None:
        return {"name": ""}
    report = seat.deck_report
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


def decks(table: Table, found: list[Seat]) -> list[dict[str, Any]]:
    """Return the decks that were brought."""
    return [one for one in seats(table, found) if one["name"]]
