"""The heroes and decks at a table, each deck as it was judged on the day it was brought."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils import timezone

from decks.catalogue import heroes, memory
from decks.models import Playing

from ..models import GameSet, Seat, Sideboarding
from ..models.record import NOBODY, SeatHero
from ..record import queries, sideboards
from .board import who

DIGITS = 8


def seats_page_label(game_set: GameSet) -> str:
    """Return what links to the page of the seats are called; "" where there is no such page."""
    if not queries.deck_format(game_set):
        return ""
    return "Heroes" if game_set.rules.has_heroes else "Decks"


def seats(game_set: GameSet, rows: list[Seat]) -> list[dict[str, Any]]:
    """Return the seats with what is played there, and the types of each hero. One query."""
    led_by = [seat.led_by.name for seat in rows if seat.led_by.name]
    known = heroes.heroes(led_by, memory.CATALOGUE.now())
    types = {hero.name: hero.types for hero in known}
    found = _seats(game_set, rows)
    return [seat | {"types": types.get(seat["hero"].name, ())} for seat in found]


def played(
    game_set: GameSet, rows: list[Seat], changes: Sequence[Sideboarding] = ()
) -> list[dict[str, Any]]:
    """Return the seats of which anything is known, with their ``changes``. No query without any."""
    found = _seats(game_set, rows)
    hidden = queries.hidden_decks(game_set) if any(seat["deck"] for seat in found) else ()
    for row, seat in zip(rows, found, strict=True):
        if row.deck and row.deck.deck_id in hidden and seat["deck"]:
            seat["deck"]["code"] = ""  # nobody else is to see it yet
        seat["changes"] = [change(game_set, each) for each in changes if each.seat_id == row.pk]
    return [seat for seat in found if seat["deck"] or seat["hero"].name or seat["changes"]]


def _seats(game_set: GameSet, rows: list[Seat]) -> list[dict[str, Any]]:
    art = heroes.art({row.led_by.name for row in rows})
    return [
        {
            "who": who(game_set, row.number),
            "hero": row.led_by,
            "deck": brought(row),
            "art": art.get(row.led_by.name),
        }
        for row in rows
    ]


def change(game_set: GameSet, row: Sideboarding) -> dict[str, Any]:
    """Return what was changed before a game: the cards of a swap, or the deck that was hidden,
    judged by the bans of its day."""
    # ``digest`` has the first digits of the hash that proves it. A deck that does not fit its hash
    # has no ``text``.
    if row.swap is not None:
        sides = {
            side: ", ".join(f"{count} {name}" for count, name in cards)
            for side, cards in row.swap.items()
        }
        return {"game": row.game, **sides}
    found = {"game": row.game, "digest": (row.digest or "")[:DIGITS], "hero": NOBODY, "text": ""}
    deck = sideboards.unseal(row)
    if deck is None:
        return found
    report = sideboards.report(game_set, deck, timezone.localdate(row.at))
    return found | {
        "hero": SeatHero(report.hero or deck.hero.name, report.coalition_type or deck.hero.type),
        "text": deck.text,
        "legal": report.legal,
        "problems": [problem.message for problem in report.problems],
    }


def brought(seat: Seat) -> dict[str, Any] | None:
    report = seat.deck_report
    if seat.deck is None or report is None:
        return None
    return {
        "name": seat.deck.deck.name,
        "code": seat.deck.deck.code,
        "revision": seat.deck.number,
        "legal": report["legal"],
        "is_allowed": report["playing"] == Playing.ALLOW,
        "problems": [problem["message"] for problem in report["problems"]],
        "judged_on": date.fromisoformat(report["judged_on"]),
    }
