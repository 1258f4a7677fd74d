"""The heroes and decks at a table, each deck as it was judged on the day it was brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone

from decks.catalogue import memory
from decks.finder import names
from decks.models import Playing
from decks.pictures import heroes
from decks.pictures.addresses import Picture

from ..models import GameSet, Seat, Sideboarding
from ..models.record import NOBODY, SeatHero
from ..play import queries, sideboards
from .board import Who, who

DIGITS = 8


@dataclass(frozen=True, slots=True)
class BroughtDeck:
    """A revision of a deck, with its verdict of the day it was judged on.

    Without ``code`` it is hidden.
    """

    name: str
    code: str
    revision: int
    legal: bool
    is_allowed: bool
    problems: Sequence[str]
    judged_on: date


@dataclass(frozen=True, slots=True)
class Change:
    """What a player changed before a game: the cards of a swap, or the deck that was hidden.

    ``digest`` has the first digits of the hash that proves it. A deck that does not fit its hash
    has no ``text``.
    """

    game: int
    out: str = ""
    into: str = ""
    hero: SeatHero = NOBODY
    text: str = ""
    digest: str = ""
    legal: bool = False
    problems: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SeatedDeck:
    """What a player plays: the hero, and the deck if there is any.

    ``types`` are those that the hero offers, ``changes`` what was changed between games. ``art``
    is the hero's picture, where the site shows pictures.
    """

    who: Who
    hero: SeatHero
    deck: BroughtDeck | None
    types: Sequence[str] = ()
    changes: Sequence[Change] = ()
    art: Picture | None = None


def things(game_set: GameSet) -> str:
    """Return what links to the page of the seats are called; "" where there is no such page."""
    if not queries.deck_format(game_set):
        return ""
    return "Heroes" if game_set.rules.has_heroes else "Decks"


def seats(game_set: GameSet, rows: list[Seat]) -> list[SeatedDeck]:
    """Return the seats with what is played there, and the types of each hero. One query."""
    all_types = memory.CATALOGUE.now().types
    known = names.heroes([seat.led_by.name for seat in rows if seat.led_by.name], all_types)
    types = {hero.name: hero.types for hero in known}
    return _with_art(
        replace(_seat(game_set, seat), types=types.get(seat.led_by.name, ())) for seat in rows
    )


def played(
    game_set: GameSet, rows: list[Seat], changes: Sequence[Sideboarding] = ()
) -> list[SeatedDeck]:
    seats = [
        replace(
            _hidden(game_set, _seat(game_set, seat)),
            changes=[change(game_set, row) for row in changes if row.seat_id == seat.pk],
        )
        for seat in rows
    ]
    return _with_art(seat for seat in seats if seat.deck or seat.hero.name or seat.changes)


def _hidden(game_set: GameSet, seat: SeatedDeck) -> SeatedDeck:
    """Return a seat without the address of its deck, where nobody else is to see it yet."""
    if not (seat.deck and game_set.rules.hides_decks) or game_set.finished_at:
        return seat
    return replace(seat, deck=replace(seat.deck, code="", problems=()))


def _with_art(seats: Iterable[SeatedDeck]) -> list[SeatedDeck]:
    seats = list(seats)
    art = heroes.art({seat.hero.name for seat in seats})
    return [replace(seat, art=art.get(seat.hero.name)) for seat in seats]


def change(game_set: GameSet, row: Sideboarding) -> Change:
    """Return what was changed before a game, judged by the bans of its day."""
    if row.swap is not None:
        out, into = (_cards(row.swap[side]) for side in ("out", "into"))
        return Change(row.game, out, into)
    deck = sideboards.opened(row)
    digits = (row.digest or "")[:DIGITS]
    if deck is None:
        return Change(row.game, digest=digits)
    report = sideboards.report(game_set, deck, timezone.localdate(row.at))
    return Change(
        row.game,
        hero=SeatHero(report.hero or deck.hero.name, report.coalition_type or deck.hero.type),
        text=deck.text,
        digest=digits,
        legal=report.legal,
        problems=[problem.message for problem in report.problems],
    )


def _cards(counted: Sequence[tuple[int, str]]) -> str:
    return ", ".join(f"{count} {name}" for count, name in counted)


def _seat(game_set: GameSet, seat: Seat) -> SeatedDeck:
    return SeatedDeck(who(game_set, seat.number), seat.led_by, brought(seat))


def brought(seat: Seat) -> BroughtDeck | None:
    report = seat.deck_report
    if seat.deck is None or report is None:
        return None
    return BroughtDeck(
        name=seat.deck.deck.name,
        code=seat.deck.deck.code,
        revision=seat.deck.number,
        legal=report["legal"],
        is_allowed=report["playing"] == Playing.ALLOW,
        problems=[problem["message"] for problem in report["problems"]],
        judged_on=date.fromisoformat(report["judged_on"]),
    )
