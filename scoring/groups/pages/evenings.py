"""Evenings as pages show them."""

from __future__ import annotations

from typing import NamedTuple

from coalition_site.lib.texts import sort_key

from ...models import GameSet, Player, Round
from ...rules.formats import RULESETS
from ...rules.words import count
from ..evenings.queries import BYE, EveningRows
from ..evenings.standings import seat_scores


class Table(NamedTuple):
    """A table of a round, or its byes; without a set before the round begins.

    Each of its people comes with VP, or games won where there are none.
    """

    number: int
    people: list[tuple[Player, int | None]]
    game_set: GameSet | None

    @property
    def name(self) -> str:
        return f"Table {self.number}" if self.number else "Bye"

    @property
    def is_playing(self) -> bool:
        return self.game_set is not None and self.game_set.finished_at is None

    @property
    def is_finished(self) -> bool:
        return self.game_set is not None and self.game_set.finished_at is not None


def tables_by_round(rows: EveningRows) -> dict[int, list[Table]]:
    """Return the tables of all rounds, by the rounds' keys, byes last."""
    scores = RULESETS[rows.evening.ruleset].cap is not None
    points = {
        (sitter.game_set, rows.person(sitter.player).pk): score.points if scores else score.won
        for sitter, score in zip(rows.sitters, seat_scores(rows), strict=True)
    }
    tables: dict[int, list[Table]] = {}
    for round in rows.rounds:
        sets = {number: table.game_set for number, table in rows.tables_of(round).items()}
        seated: dict[int, list[tuple[Player, int | None]]] = {}
        for place in rows.places_of(round):
            person, game_set = rows.person(place.player_id), sets.get(place.table)
            stands = points.get((game_set.pk, person.pk)) if game_set else None
            seated.setdefault(place.table, []).append((person, stands))
        numbers = sorted(seated, key=lambda number: (number == BYE, number))
        tables[round.pk] = [Table(number, seated[number], sets.get(number)) for number in numbers]
    return tables


def quality(round: Round) -> str:
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
