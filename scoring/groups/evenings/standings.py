"""The standings of an evening, over all of its tables, finished and in progress."""

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from coalition_site.lib.texts import sort_key

from ...models import Player
from ...record.queries import set_state
from ...rules import sets
from ...rules.pods import Person
from ...rules.ranks import ranked
from ..board.leaderboard import share
from .queries import EveningRows


class Score(NamedTuple):
    """What somebody did in some sets; ``points`` are VP."""

    games: int = 0
    points: int = 0
    won: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's place in an evening; equal ones share it (1, 2, 2, 4).

    ``rank`` is None before the first game, and for who sat at a table in less than half of the
    rounds. ``total`` is what is ranked: VP, or games won where there are none, with what the
    ``byes`` count as. ``mean`` is what was had in a game. ``is_playing`` while one of the sets goes
    on, whose games count as they stand.
    """

    rank: int | None
    player: Player
    score: Score
    total: float
    mean: float
    byes: int
    here: bool
    is_playing: bool


def standings(rows: EveningRows) -> list[Standing]:
    # They are ranked by the sum over the rounds, from the first game of each on. A bye is no fault
    # of one's own, and counts as one's other rounds do on average, but no less than the median of
    # what everybody had in a round.
    of_seats = list(zip(rows.seated_players, seat_scores(rows), strict=True))
    round_of = {table.game_set_id: table.round_id for table in rows.tables}
    rounds = {round_of[one.game_set] for one, score in of_seats if score.games}
    scores, sat = dict.fromkeys(rows.here, Score()), Counter[int]()
    for one, score in of_seats:
        person = rows.person(one.player).pk
        scores[person] = Score(*map(sum, zip(scores.get(person, Score()), score, strict=True)))
        sat[person] += round_of[one.game_set] in rounds
    byes = rows.byes(rounds)
    done = [_points(rows, score) for one, score in of_seats if one.done]
    usual = median(done) if done else 0
    totals = {
        key: _total(_points(rows, score), sat[key], byes[key], usual)
        for key, score in scores.items()
    }
    ranks = ranked(
        {
            key: totals[key]
            for key, score in scores.items()
            if score.games and 2 * sat[key] >= len(rounds)
        }
    )
    playing = {
        rows.person(one.player).pk for one in rows.seated_players if rows.games.get(one.game_set)
    }
    return sorted(
        (
            Standing(
                rank=ranks.get(key),
                player=rows.players[key],
                score=score,
                total=totals[key],
                mean=share(_points(rows, score), score.games),
                byes=byes[key],
                here=rows.here.get(key, False),
                is_playing=key in playing,
            )
            for key, score in scores.items()
            if score.games or rows.here.get(key)
        ),
        key=lambda one: (one.rank is None, -one.total, sort_key(one.player.name)),
    )


def _total(points: int, sat: int, byes: int, usual: float) -> float:
    """Return the sum of some rounds and byes, to a tenth.

    >>> _total(55, sat=3, byes=1, usual=12), _total(5, sat=1, byes=1, usual=12), _total(0, 0, 1, 12)
    (73.3, 17, 0)
    """
    return round(points + byes * max(points / sat, usual), 1) if sat else 0


def seat_scores(rows: EveningRows) -> list[Score]:
    going = {table.game_set_id: table.game_set for table in rows.tables}
    states = {
        key: set_state(going[key], list(played)) for key, played in rows.games.items() if played
    }
    scores = []
    for one in rows.seated_players:
        state, seat = states.get(one.game_set), one.seat
        if one.done:
            scores.append(Score(*one.done))
        elif state is None:
            scores.append(Score())
        else:
            points, won = sets.victory_points(state, seat), sets.games_won(state, seat)
            scores.append(Score(len(state.games), points, won))
    return scores


def _points(rows: EveningRows, score: Score) -> int:
    return score.points if rows.evening.rules.cap is not None else score.won


def to_be_seated(rows: EveningRows, number: int) -> list[Person]:
    """Return who is here for a round, with standing and the byes of the rounds before it; whoever
    played nothing yet stands last."""
    byes = rows.byes({each.pk for each in rows.begun if each.number < number})
    here = [one for one in standings(rows) if one.here]
    ranks = ranked({one.player.pk: one.total for one in here})
    return [Person(key, rank, byes[key]) for key, rank in ranks.items()]
