"""Whatever is played, corrected, merged and taken out: a playgroup's books agree with its logs, and
its boards with the results, added up here by themselves."""

from collections import Counter, defaultdict
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from random import Random
from typing import Any

import pytest

from scoring.groups.board.leaderboard import LISTED, Filters, leaderboard
from scoring.groups.data import audit
from scoring.groups.people import merging
from scoring.groups.sets.membership import take_out
from scoring.models import GameSet, Playgroup, SetResult
from scoring.record import audit as audit_of_sets
from scoring.record import commands, queries
from scoring.record.errors import GroupRefused
from scoring.record.simulation import Play, play_set
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.errors import RuleError
from scoring.rules.formats import COALITION_906, COALITION_README, FORMATS, LEVELER, REALM_WARS
from scoring.rules.moves import Concede, Draw, Win
from tests.lengths import long

from ..grouped import group
from ..rules.play import hit

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
OLD = "Old Ann"  # another player, who turns out to be Ann, and not to be
RULESETS = (COALITION_906, COALITION_906, COALITION_README, LEVELER, LEVELER, REALM_WARS)
BEGAN = datetime(2026, 1, 30, 18, tzinfo=UTC)
SOME = Filters(first=BEGAN.date() + timedelta(days=20), last=BEGAN.date() + timedelta(days=69))
FIELDS = ("sets", "sets_won", "games", "victory_points", "games_won", "outlasted")


def play(of: Playgroup, dice: Random) -> None:
    ruleset = dice.choice(RULESETS)
    size = dice.choice([size for size in range(2, 7) if ruleset.allows(size)])
    names = [OLD if name == "Ann" and dice.random() < 0.2 else name for name in NAMES]
    at = BEGAN + timedelta(days=dice.randrange(90))
    play_set(Play(dice, at, group=of), ruleset, dice.sample(names, size))


def correct(of: Playgroup, dice: Random) -> None:
    table = dice.choice(of.sets.order_by("pk"))
    game = dice.choice(queries.games(table))
    number = dice.randint(1, game.length)
    seat, other = dice.sample(list(table.names), 2)
    moves = [Win(seat), Concede(seat), Draw(), *[hit(seat, other, dice.randint(1, 21))] * 3]
    entries = (Undo(), Strike(number), Amend(number, dice.choice(moves)))
    commands.record(table, game.number, dice.choice(entries))


def merge(of: Playgroup, dice: Random) -> None:
    old, ann = (of.players.filter(name=name).first() for name in (OLD, "Ann"))
    if old and ann:
        merging.separate(old) if old.merged_into_id else merging.merge(old, ann)


def happen(of: Playgroup, dice: Random) -> None:
    """Let something happen; what is refused is nothing."""
    (step,) = dice.choices((play, correct, merge), (8, 8, 3))
    with suppress(RuleError, GroupRefused):
        step(of, dice)


def expected_board(of: Playgroup, filters: Filters) -> list[tuple[Any, ...]]:
    days = (filters.first or date.min, filters.last or date.max)
    results = SetResult.objects.filter(player__playgroup=of, played_on__range=days)
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in results.filter(game_set__ruleset__in=filters.rulesets):
        games, won, outlasted = row.games_played, row.games_won, row.outlasted or 0
        values = (1, row.is_won, games, row.victory_points, won, outlasted)
        sums[row.player.name].update(dict(zip(FIELDS, values, strict=True)))

    def mark(one: Counter[str]) -> tuple[float, ...]:
        if filters.scores:
            return (one["victory_points"] / one["games"],)
        return one["games_won"] / one["games"], one["outlasted"] / one["games"]

    ranked = [mark(one) for one in sums.values() if one["sets"] >= LISTED]
    ranks = {
        name: 1 + sum(other > mark(one) for other in ranked) if one["sets"] >= LISTED else None
        for name, one in sums.items()
    }
    return sorted(
        (name, ranks[name], *(one[field] for field in FIELDS)) for name, one in sums.items()
    )


@pytest.mark.parametrize("seed", [0, *long(1, 2, 3, 4, 5)])
def test_what_a_playgroup_shows_is_what_its_sets_say(db, seed):
    of, dice = group(), Random(seed)
    for _ in range(6):
        play(of, dice)
    for _ in range(3):
        for _ in range(10):
            happen(of, dice)
        take_out(dice.choice(of.sets.exclude(finished_at=None).order_by("pk")))

        for filters in (*(Filters(format=format) for format in FORMATS), SOME):
            board = leaderboard(of, filters).rows
            line = attrgetter("name", "rank", *FIELDS)
            assert sorted(map(line, board)) == expected_board(of, filters)
        faults = [
            *audit.faults(of),
            *(fault for one in GameSet.objects.all() for fault in audit_of_sets.faults(one)),
        ]
        assert faults == []
