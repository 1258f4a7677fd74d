"""Evenings as pages show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from coalition_site.lib.texts import sort_key

from ...models import GameSet, Player, Round
from ...rules.formats import RULESETS
from ...rules.words import count
from ..evenings.queries import BYE, EveningRows
from ..evenings.standings import seat_scores


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody at a table; ``points`` are the VP, or the games won where there are none."""

    player: Player
    points: int | None = None


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of a round, ``name`` as in "Table 3"; without a set before the round begins.

    ``address`` is that of its QR code: the scorekeeper's link if it ``is_secret``.
    """

    number: int
    people: Sequence[Seated]
    game_set: GameSet | None
    address: str = ""
    qr: str = ""
    is_secret: bool = False

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
    """A round, byes last; ``quality`` tells how good its tables are, ``until`` when time is up."""

    number: int
    draws: int
    begun_at: datetime | None
    until: datetime | None
    tables: Sequence[TableShown]
    quality: str

    @property
    def is_finished(self) -> bool:
        return bool(self.begun_at) and not self.playing

    @property
    def playing(self) -> list[TableShown]:
        """The tables that go on."""
        return [table for table in self.tables if table.game_set and not table.is_finished]


def shown_rounds(rows: EveningRows) -> list[RoundShown]:
    """Return the rounds of an evening, the latest first."""
    points = _points(rows)
    return [_shown_round(rows, each, points) for each in reversed(rows.rounds)]


def _points(rows: EveningRows) -> dict[tuple[int, int], int]:
    """Return what each person has, by set and person: VP, or games won where there are none."""
    scores = RULESETS[rows.evening.ruleset].cap is not None
    return {
        (sitter.game_set, rows.person(sitter.player).pk): score.points if scores else score.won
        for sitter, score in zip(rows.sitters, seat_scores(rows), strict=True)
    }


def _shown_round(
    rows: EveningRows, round: Round, points: Mapping[tuple[int, int], int]
) -> RoundShown:
    sets = {number: table.game_set for number, table in rows.tables_of(round).items()}
    seated: dict[int, list[Seated]] = {}
    for place in rows.places_of(round):
        person, game_set = rows.person(place.player_id), sets.get(place.table)
        stands = points.get((game_set.pk, person.pk)) if game_set else None
        seated.setdefault(place.table, []).append(Seated(person, stands))
    numbers = sorted(seated, key=lambda number: (number == BYE, number))
    begun, minutes = round.begun_at, rows.evening.minutes
    return RoundShown(
        number=round.number,
        draws=round.draws,
        begun_at=begun,
        until=begun + timedelta(minutes=minutes) if begun and minutes else None,
        tables=[TableShown(number, seated[number], sets.get(number)) for number in numbers],
        quality=quality(round),
    )


def quality(round: Round) -> str:
    """Return how good the drawn tables of a round are."""
    if round.repeats is None or round.fewest is None:
        return "Changed since it was drawn."
    if not round.repeats:
        return "Nobody meets an earlier opponent."
    again = f"{count(round.repeats, 'pair')} {'meets' if round.repeats == 1 else 'meet'} again"
    if round.repeats == round.fewest:
        return f"{again}: with these people it can’t be fewer."
    return f"{again}; fewer than {round.fewest} is impossible."


def chips(rows: EveningRows, *, everybody: bool) -> list[tuple[Player, bool]]:
    """Return who came, by name, and whether they are here; ``everybody`` adds all who could be."""
    chips = [
        (player, rows.here.get(key, False))
        for key, player in rows.players.items()
        if player.merged_into_id is None
        and (rows.here.get(key) or (everybody and (key in rows.here or not player.is_guest)))
    ]
    return sorted(chips, key=lambda chip: sort_key(chip[0].name))
