"""The standings of an evening, over all of its tables, finished and in progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from coalition_site.lib.texts import sort_key

from ...models import Player
from ...play.queries import set_state
from ...rules import sets
from ...rules.formats import RULESETS
from ...rules.pods import Person
from ..leaderboard import share
from .queries import EveningRows, Sitter


@dataclass(frozen=True, slots=True)
class Score:
    """What somebody did in some sets; ``points`` are VP."""

    games: int = 0
    points: int = 0
    won: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.games + other.games, self.points + other.points, self.won + other.won)


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's place in an evening; equal ones share it (1, 2, 2, 4).

    ``rank`` is None before the first game. ``is_playing`` while one of the sets goes on, whose
    games count as they stand.
    """

    rank: int | None
    player: Player
    score: Score
    value: float
    here: bool
    is_playing: bool


def standings(rows: EveningRows) -> list[Standing]:
    """Return how everybody stands who is here or played, guests too.

    They are ranked by VP per game, or by the share of games won where there are no VP, from the
    first game on: all had the same chance to be there.
    """
    scores = _by_person(rows)
    values = {key: _value(rows, score) for key, score in scores.items()}
    playing = {rows.person(one.player).pk for one in rows.sitters if rows.games.get(one.game_set)}
    return sorted(
        (
            Standing(
                rank=_rank(key, scores, values),
                player=rows.players[key],
                score=score,
                value=values[key],
                here=rows.here.get(key, False),
                is_playing=key in playing,
            )
            for key, score in scores.items()
            if score.games or rows.here.get(key)
        ),
        key=lambda one: (one.rank is None, -one.value, sort_key(one.player.name)),
    )


def _by_person(rows: EveningRows) -> dict[int, Score]:
    """Return what was done by each person who came, or sat at a table."""
    scores = dict.fromkeys(rows.here, Score())
    for sitter, score in zip(rows.sitters, seat_scores(rows), strict=True):
        person = rows.person(sitter.player).pk
        scores[person] = scores.get(person, Score()) + score
    return scores


def seat_scores(rows: EveningRows) -> list[Score]:
    """Return what each of an evening's sitters did, as their sets stand now."""
    going = {table.game_set_id: table.game_set for table in rows.tables}
    states = {
        key: set_state(going[key], list(played)) for key, played in rows.games.items() if played
    }
    return [_score(sitter, states.get(sitter.game_set)) for sitter in rows.sitters]


def _score(sitter: Sitter, state: sets.SetState | None) -> Score:
    if sitter.done:
        return Score(*sitter.done)
    if state is None:
        return Score()
    points = sets.victory_points(state, sitter.seat)
    return Score(len(state.games), points, sets.games_won(state, sitter.seat))


def _value(rows: EveningRows, score: Score) -> float:
    scores = RULESETS[rows.evening.ruleset].cap is not None
    return share(score.points if scores else score.won, score.games)


def _rank(key: int, scores: Mapping[int, Score], values: Mapping[int, float]) -> int | None:
    if not scores[key].games:
        return None
    return 1 + sum(values[other] > values[key] for other in values if scores[other].games)


def to_be_seated(rows: EveningRows) -> list[Person]:
    """Return who is here, with standing and byes; whoever played nothing yet stands last."""
    byes = rows.byes()
    here = [one for one in standings(rows) if one.here]
    return [
        Person(
            one.player.pk,
            1 + sum(other.value > one.value for other in here),
            byes[one.player.pk],
        )
        for one in here
    ]
