"""The standings of an evening, over all of its tables, finished and in progress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...models import Evening, Game, GameSet, Player, Seat, SetResult
from ...play.queries import set_state
from ...play.seating import merged_into
from ...results.counting import root
from ...rules import sets
from ...rules.formats import RULESETS
from ...rules.pods import Person
from ..leaderboard import share
from . import queries


@dataclass(frozen=True, slots=True)
class Score:
    """What somebody did in some sets; ``points`` are VP."""

    sets: int = 0
    games: int = 0
    points: int = 0
    won: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.sets + other.sets,
            self.games + other.games,
            self.points + other.points,
            self.won + other.won,
        )


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


def standings(evening: Evening) -> list[Standing]:
    """Return how everybody stands who came to an evening. Six queries, whatever was played.

    They are ranked by VP per game, or by the share of games won where there are no VP, from the
    first game on: all had the same chance to be there.
    """
    merged = merged_into(evening.playgroup_id)
    finished, running = _finished(evening), _running(evening, merged)
    attendees = evening.attendees.select_related("player")
    people = {
        root(one.player_id, merged): one for one in attendees if not one.player.merged_into_id
    }
    scores = {key: finished.get(key, Score()) + running.get(key, Score()) for key in people}
    values = {key: _value(evening, score) for key, score in scores.items()}
    return sorted(
        (
            Standing(
                rank=_rank(key, scores, values),
                player=attendee.player,
                score=scores[key],
                value=values[key],
                here=attendee.here,
                is_playing=key in running,
            )
            for key, attendee in people.items()
        ),
        key=lambda one: (one.rank is None, -one.value, one.player.name),
    )


def _value(evening: Evening, score: Score) -> float:
    scores = RULESETS[evening.ruleset].cap is not None
    return share(score.points if scores else score.won, score.games)


def _rank(key: int, scores: Mapping[int, Score], values: Mapping[int, float]) -> int | None:
    if not scores[key].games:
        return None
    return 1 + sum(values[other] > values[key] for other in values if scores[other].games)


def _finished(evening: Evening) -> dict[int, Score]:
    """Return by player what was done in the finished sets. One query."""
    results = SetResult.objects.filter(game_set__round_table__round__evening=evening)
    fields = ("games_played", "victory_points", "games_won")
    return _added(
        (player, Score(1, *done)) for player, *done in results.values_list("player", *fields)
    )


def _running(evening: Evening, merged: Mapping[int, int | None]) -> dict[int, Score]:
    """Return by player what was done so far in the sets that go on. Two queries."""
    running = GameSet.objects.filter(round_table__round__evening=evening, finished_at=None)
    by_set: dict[int, list[Game]] = {}
    games = Game.objects.filter(game_set__in=running, taken_back=False).select_related("game_set")
    for game in games.order_by("number"):
        by_set.setdefault(game.game_set_id, []).append(game)
    seats = Seat.objects.filter(game_set__in=running)
    players = {(seat.game_set_id, seat.number): seat.player_id for seat in seats}
    return _added(
        (root(player, dict(merged)), _so_far(set_state(played[0].game_set, played), seat))
        for (game_set, seat), player in players.items()
        if player and (played := by_set.get(game_set))
    )


def _so_far(state: sets.SetState, seat: int) -> Score:
    return Score(
        games=len(state.games),
        points=sets.victory_points(state, seat),
        won=sets.games_won(state, seat),
    )


def _added(scores: Iterable[tuple[int | None, Score]]) -> dict[int, Score]:
    total: dict[int, Score] = {}
    for player, score in scores:
        if player:
            total[player] = total.get(player, Score()) + score
    return total


def to_be_seated(evening: Evening) -> list[Person]:
    """Return who is here, with standing and byes; whoever played nothing yet stands last."""
    byes = queries.byes(evening)
    here = [one for one in standings(evening) if one.here]
    return [
        Person(
            one.player.pk,
            1 + sum(other.value > one.value for other in here),
            byes[one.player.pk],
        )
        for one in here
    ]
