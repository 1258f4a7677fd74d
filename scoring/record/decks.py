"""The heroes and decks at the seats, each deck with the report of the day it was brought."""

from typing import Any

from django.db.models import QuerySet

from decks.decks import legality
from decks.decks.commands import locked
from decks.models import BanList, DeckRevision, Playing

from ..models import GameSet, Seat
from ..models.record import SeatHero
from ..rules import errors
from . import queries


def assign(
    game_set: GameSet, seat: int, revision: DeckRevision | None, house: BanList | None
) -> None:
    """The deck says who leads it, whatever was named before; without a deck that stays.

    :raises WrongFormat: if the deck is for another format.
    :raises IllegalDeck: if it is not legal, and the list refuses illegal decks.
    """
    report = _report_on(game_set, seat, locked(revision), house) if revision else None
    named = {"hero": None, "coalition_type": None} if revision else {}
    _seat(game_set, seat).update(deck=revision, deck_report=report, **named)
    copy_heroes(game_set)


def name_hero(game_set: GameSet, seat: int, hero: SeatHero) -> None:
    """Set what a seat plays; without a hero, its deck says that."""
    _seat(game_set, seat).update(hero=hero.name or None, coalition_type=hero.type or None)
    copy_heroes(game_set)


def copy_heroes(game_set: GameSet) -> None:
    """Copy what the seats play to their set, where taps read it."""
    seats = Seat.objects.filter(game_set=game_set).order_by("number")
    heroes = {str(seat.number): [*seat.led_by] for seat in seats if seat.led_by.name}
    game_set.heroes = heroes or None
    game_set.save(update_fields=["heroes"])


def _seat(game_set: GameSet, number: int) -> QuerySet[Seat]:
    return Seat.objects.filter(game_set=game_set, number=number)


def check_again(game_set: GameSet, house: BanList | None) -> None:
    """:raises IllegalDeck: if the list refuses one of them."""
    for seat in queries.seats_with_decks(game_set):
        if seat.deck:
            report = _report_on(game_set, seat.number, seat.deck, house)
            _seat(game_set, seat.number).update(deck_report=report)
    copy_heroes(game_set)


def _report_on(
    game_set: GameSet, seat: int, revision: DeckRevision, house: BanList | None
) -> dict[str, Any]:
    try:
        report = legality.report_to_store(revision, game_set.rules.key, house)
    except legality.OtherFormat as error:
        raise errors.WrongFormat() from error
    if report["legal"] is False and report["playing"] == Playing.REFUSE:
        messages = [problem["message"] for problem in report["problems"]]
        raise errors.IllegalDeck(player=seat, problems=" ".join(messages[:3]))
    return report
