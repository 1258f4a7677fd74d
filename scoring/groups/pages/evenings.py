"""Evenings as pages show them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from ...models import Evening, GameSet, Player, Round
from ...rules.formats import RULESETS
from ...rules.ruleset import Ruleset
from ...rules.words import count
from ..evenings.queries import BYE
from ..evenings.standings import Standing
from ..forms.evenings import EveningForm
from .bases import GroupPage


@dataclass(kw_only=True)
class EveningsPage(GroupPage):
    """A playgroup's evenings, and the form of a new evening for those who may score for it."""

    template: ClassVar[str] = "groups/evenings.html"
    evenings: Sequence[Evening]
    form: EveningForm
    may_score_for: bool


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of a round, ``name`` as in "Table 3"; without a set before the round begins.

    ``links`` are the scorekeeper's link and its QR code, for those who run the evening.
    """

    number: int
    players: Sequence[Player]
    game_set: GameSet | None
    watch: str = ""
    watch_qr: str = ""
    secret: str = ""
    secret_qr: str = ""

    @property
    def name(self) -> str:
        return f"Table {self.number}" if self.number else "Bye"

    @property
    def is_bye(self) -> bool:
        return self.number == BYE

    @property
    def is_finished(self) -> bool:
        return bool(self.game_set and self.game_set.finished_at)


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round; ``quality`` tells how good its tables are, ``until`` when its time is up."""

    number: int
    begun_at: datetime | None
    until: datetime | None
    tables: Sequence[TableShown]
    quality: str

    @property
    def is_finished(self) -> bool:
        return all(table.is_finished or table.is_bye for table in self.tables)


def shown_round(evening: Evening, round: Round) -> RoundShown:
    """Return a round with its tables, byes last."""
    sets = {table.number: table.game_set for table in round.tables.all()}
    seated: dict[int, list[Player]] = {}
    for place in round.places.all():
        seated.setdefault(place.table, []).append(place.player)
    numbers = sorted(seated, key=lambda number: (number == BYE, number))
    begun = round.begun_at
    return RoundShown(
        number=round.number,
        begun_at=begun,
        until=begun + timedelta(minutes=evening.minutes) if begun and evening.minutes else None,
        tables=[TableShown(number, seated[number], sets.get(number)) for number in numbers],
        quality=quality(round),
    )


def quality(round: Round) -> str:
    """Return how good the drawn tables of a round are."""
    if round.repeats is None or round.fewest is None:
        return "Somebody was moved by hand."
    if not round.repeats:
        return "Nobody meets an earlier opponent."
    again = f"{count(round.repeats, 'pair')} {'meets' if round.repeats == 1 else 'meet'} again"
    if round.repeats == round.fewest:
        return f"{again}: with these people it can’t be fewer."
    return f"{again}; fewer than {round.fewest} is impossible."


@dataclass(kw_only=True)
class EveningPage(GroupPage):
    """An evening: its rounds, the latest first, who is here, and the standings.

    ``absent`` are the playgroup's people who are not here. ``can_draw`` is whether a next round
    can be drawn now.
    """

    template: ClassVar[str] = "groups/evening.html"
    evening: Evening
    ruleset: Ruleset
    rounds: Sequence[RoundShown]
    standings: Sequence[Standing]
    absent: Collection[str]
    may_score_for: bool
    typed: str = ""

    @property
    def here(self) -> list[Standing]:
        return [one for one in self.standings if one.here]

    @property
    def drawn(self) -> RoundShown | None:
        """The round that has not begun."""
        return next((each for each in self.rounds if each.begun_at is None), None)

    def context(self) -> dict[str, object]:
        return super().context() | {
            "here": self.here,
            "drawn": self.drawn,
            "can_draw": self.may_score_for and not self.evening.ended_at and len(self.here) > 2,
            "next_number": len(self.rounds) + (0 if self.drawn else 1),
        }


def ruleset_of(evening: Evening) -> Ruleset:
    return RULESETS[evening.ruleset]


@dataclass(kw_only=True)
class EveningPart(EveningPage):
    """What changes on the page of an evening, for the pages that follow it."""

    template: ClassVar[str] = "groups/_evening.html"


@dataclass(kw_only=True)
class RoundPage(GroupPage):
    """The tables of a round for a screen or on paper, with links as QR codes."""

    template: ClassVar[str] = "groups/round.html"
    evening: Evening
    round: RoundShown
    may_score_for: bool
    shows_keys: bool
