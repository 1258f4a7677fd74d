"""The decks that seats carry, each with what a ban list said of it when it was judged."""

from __future__ import annotations

from typing import Any

from decks import legality
from decks.models import BanList, DeckRevision, Playing

from ..models import Seat
from ..rules import errors
from . import queries
from .queries import Table


def carry(table: Table, seat: int, revision: DeckRevision | None, house: BanList | None) -> None:
    """Let a seat carry a deck, judged today by a playgroup's list or the format's.

    :raises WrongFormat: if the deck is one of another format.
    :raises IllegalDeck: if it is not legal, and the list refuses such decks.
    """
    report = _judged(table, seat, revision, house) if revision else None
    seats = Seat.objects.filter(game_set=table.game_set, number=seat)
    seats.update(deck=revision, deck_report=report)


def judge_anew(table: Table, house: BanList | None) -> None:
    """Judge all decks at a table by another list.

    :raises IllegalDeck: if there is one that the list refuses.
    """
    for seat in queries.seats_with_decks(table):
        carry(table, seat.number, seat.deck, house)


def _judged(
    table: Table, seat: int, revision: DeckRevision, house: BanList | None
) -> dict[str, Any]:
    """Return the report on a deck that a seat may carry."""
    try:
        report = legality.on_record(revision, table.ruleset.key, house)
    except legality.OtherFormat as error:
        raise errors.WrongFormat() from error
    if not report["legal"] and report["playing"] == Playing.REFUSE:
        told = [problem["message"] for problem in report["problems"]]
        raise errors.IllegalDeck(player=seat, problems=" ".join(told[:3]))
    return report
