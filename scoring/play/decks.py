"""The decks at the seats, each with the report of the day it was brought."""

from __future__ import annotations

from typing import Any

from decks import legality
from decks.models import BanList, DeckRevision, Playing

from ..models import GameSet, Seat
from ..rules import errors
from . import queries


def assign(
    game_set: GameSet, seat: int, revision: DeckRevision | None, house: BanList | None
) -> None:
    """Give a seat a deck, checked today by a playgroup's list or the format's.

    :raises WrongFormat: if the deck is for another format.
    :raises IllegalDeck: if it is not legal, and the list refuses illegal decks.
    """
    report = _report_on(game_set, seat, revision, house) if revision else None
    seats = Seat.objects.filter(game_set=game_set, number=seat)
    seats.update(deck=revision, deck_report=report)


def check_again(game_set: GameSet, house: BanList | None) -> None:
    """Check all decks at a table by another list.

    :raises IllegalDeck: if the list refuses one of them.
    """
    for seat in queries.seats_with_decks(game_set):
        assign(game_set, seat.number, seat.deck, house)


def _report_on(
    game_set: GameSet, seat: int, revision: DeckRevision, house: BanList | None
) -> dict[str, Any]:
    """Return the report on a deck that may be brought to a seat."""
    try:
        report = legality.report_to_store(revision, game_set.rules.key, house)
    except legality.OtherFormat as error:
        raise errors.WrongFormat() from error
    if not report["legal"] and report["playing"] == Playing.REFUSE:
        messages = [problem["message"] for problem in report["problems"]]
        raise errors.IllegalDeck(player=seat, problems=" ".join(messages[:3]))
    return report
