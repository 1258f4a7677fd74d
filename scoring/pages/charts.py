"""The race: each player's standing over the events of a set, as the geometry of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from coalition_site.lib.bidi import isolated

from ..models import GameSet
from ..rules import sets
from ..rules.log import GameLog
from .board import who
from .scale import Run, race_scale, runs

GAME_ROOM = 56  # units that "game 2" takes


@dataclass(frozen=True, slots=True)
class Race:
    """The chart of a set, in units of its picture; ``cuts`` are where a game ends.

    ``grid`` are numbers of points with their heights, ``games`` titles with their places.
    """

    grid: Sequence[tuple[int, float]]
    cuts: Sequence[float]
    games: Sequence[tuple[str, float]]
    runs: Sequence[Run]
    summary: str


def race(game_set: GameSet, state: sets.SetState, logs: Sequence[GameLog]) -> Race:
    """Return the chart of a set with points."""
    totals, cuts = _totals(state, logs)
    cap = state.ruleset.cap
    assert cap, "only sets with points have a chart"
    steps = max(1, -(-max(map(max, totals.values())) // cap))
    scale = race_scale(max(cuts[-1], 1), steps * cap)
    edges = [0, *cuts]
    return Race(
        grid=[(step * cap, scale.y(step * cap)) for step in range(steps + 1)],
        cuts=[scale.x(cut) for cut in cuts[:-1]],
        games=[
            (_title(number, scale.x(end) - scale.x(start)), scale.x((start + end) / 2))
            for number, (start, end) in enumerate(zip(edges, cuts, strict=False), 1)
        ],
        runs=runs(
            scale, ((who(game_set, seat), list(enumerate(run))) for seat, run in totals.items())
        ),
        summary=", ".join(
            f"{isolated(game_set.names[standing.player])} ends at {standing.victory_points}"
            for standing in sets.standings(state)
        ),
    )


def _title(game: int, room: float) -> str:
    """Return what stands under a game's part of the chart, which may be narrow.

    >>> _title(2, 100), _title(2, 20)
    ('game 2', '2')
    """
    return f"game {game}" if room >= GAME_ROOM else str(game)


def _totals(
    state: sets.SetState, logs: Sequence[GameLog]
) -> tuple[dict[int, list[int]], list[int]]:
    """Return each seat's standing after each event in force, from 0, and where games end."""
    totals: dict[int, list[int]] = {seat: [0] for seat in state.seats}
    cuts: list[int] = []
    for at, log in enumerate(logs):
        before = tuple(game.state for game in logs[:at])
        for line in log.lines:
            now = replace(state, games=(*before, line.after))
            for seat, run in totals.items():
                run.append(sets.victory_points(now, seat))
        cuts.append(len(next(iter(totals.values()))) - 1)
    return totals, cuts
