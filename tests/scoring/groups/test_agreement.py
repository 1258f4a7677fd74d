"""Whatever is played, left early, called, corrected and merged: what a playgroup's pages say is
what its sets say, each by its own standings, worked out here from the logs and nothing else."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from random import Random
from typing import Any

import pytest

from scoring.groups import audit, leaderboard, merging, set_membership, winners
from scoring.groups.leaderboard import LISTED, Wanted
from scoring.models import Game, GameSet, Playgroup
from scoring.play import commands, queries
from scoring.play.errors import GroupRefused
from scoring.play.simulation import Play, play_game
from scoring.results.counting import root
from scoring.rules import recap, sets
from scoring.rules.corrections import Amend, Entry, Strike, Undo
from scoring.rules.errors import RuleError
from scoring.rules.formats import (
    COALITION_906,
    COALITION_2026,
    COALITION_README,
    FORMATS,
    LEVELER,
    REALM_WARS,
    scores,
)
from scoring.rules.move import Move
from scoring.rules.moves import Concede, Draw, Win
from scoring.rules.ruleset import Ruleset
from scoring.rules.sets import SetState
from tests.lengths import long

from ..grouped import group
from ..rules.play import hit

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil")
RULESETS = (COALITION_906, COALITION_906, COALITION_README, COALITION_2026, LEVELER, REALM_WARS)
BEGAN = datetime(2026, 1, 30, 18, tzinfo=UTC)
DAYS = 90
ALIAS = 0.06  # how likely somebody plays by another name, as another player
SEEDS = [0, *long(1, 2, 3, 4, 5)]
STEPS = 20
SOME = Wanted(first=BEGAN.date() + timedelta(days=20), last=BEGAN.date() + timedelta(days=69))


@dataclass
class RandomSeason:
    """What happens in a playgroup, one thing after another."""

    group: Playgroup
    dice: Random
    tables: list[GameSet] = field(default_factory=list)

    def go_on(self, steps: int) -> None:
        """Let so many things happen; what is refused is nothing."""
        for _ in range(steps):
            often = {self.play: 8, self.correct: 8, self.merge: 3, self.take_out: 1, self.end: 2}
            often |= {self.make_guest: 1}
            (step,) = self.dice.choices(list(often), list(often.values()))
            with suppress(RuleError, GroupRefused):
                step() if self.tables else self.play()

    def play(self) -> None:
        """Play a set, which somebody may leave, and which may be called early; one of long ago may
        be recorded only now."""
        ruleset = self.dice.choice(RULESETS)
        sizes = [size for size in range(2, 7) if ruleset.allows(size)]
        people = self.dice.sample(NAMES, self.dice.choice(sizes))
        names = [f"Old {name}" if self.dice.random() < ALIAS else name for name in people]
        at = BEGAN + timedelta(days=self.dice.randrange(DAYS))
        table = commands.create_set(ruleset, names, at=at, playgroup=self.group)
        self.tables.append(table)
        play = Play(self.dice, at, mistakes=0.1)
        while not queries.set_state(table, queries.games(table)).is_finished:
            self._start(play, table)
            self._finish(
                play, table, play_game(play, table, queries.games(table)[-1].number, until=5)
            )
            if self.dice.random() < 0.2:
                with suppress(RuleError):
                    commands.call_set(table)

    def _start(self, play: Play, table: GameSet) -> None:
        state = queries.set_state(table, queries.games(table))
        leaves = bool(state.games) and len(state.able) > 2 and self.dice.random() < 0.4
        dropped = [self.dice.choice(state.able)] if leaves else []
        staying = [seat for seat in state.able if seat not in dropped]
        chooses = bool(state.games) and not table.rules.orders_by_standing
        first = self.dice.choice(staying) if chooses else None
        number = len(state.games) + 1
        commands.start_game(table, number, first=first, dropped=dropped, at=play.tick(60))

    def _finish(self, play: Play, table: GameSet, game: Game) -> None:
        seats = game.turn_order
        ends: Sequence[Move] = (Win(self.dice.choice(seats)), Concede(self.dice.choice(seats)))
        for move in (*self.dice.sample(ends, self.dice.randint(0, 2)), Draw()):
            with suppress(RuleError):
                commands.record(table, game.number, move, at=play.tick(60))

    def correct(self) -> None:
        """Correct any event of any set, whatever that does to it."""
        table = self.dice.choice(self._now())
        game = self.dice.choice(queries.games(table))
        number = self.dice.randint(1, game.length)
        corrections: Sequence[Entry] = (
            Undo(),
            Strike(number),
            Amend(number, self._other_move(table.rules, len(table.names))),
        )
        commands.record(table, game.number, self.dice.choice(corrections))

    def _other_move(self, ruleset: Ruleset, players: int) -> Move:
        seat, other = self.dice.sample(range(1, players + 1), 2)
        moves: Sequence[Move] = (Win(seat), Concede(seat), Draw())
        hits = [hit(seat, other, self.dice.randint(1, 21))] * 3 if ruleset.cap else []
        return self.dice.choice([*moves, *hits])

    def end(self) -> None:
        unfinished = [table for table in self._now() if table.finished_at is None]
        table = self.dice.choice(unfinished or self._now())
        self._finish(Play(self.dice, BEGAN + timedelta(days=DAYS)), table, queries.games(table)[-1])

    def merge(self) -> None:
        """Merge somebody who played by two names, or undo that."""
        players = {player.name: player for player in self.group.players.order_by("pk")}
        both = [name for name in NAMES if {name, f"Old {name}"} <= players.keys()]
        for name in self.dice.sample(both, min(1, len(both))):
            old = players[f"Old {name}"]
            merging.separate(old) if old.merged_into_id else merging.merge(old, players[name])

    def take_out(self) -> None:
        """Take a set out of the playgroup, or back into it."""
        table = self.dice.choice(self._now())
        if table.playgroup:
            set_membership.take_out(table)
        else:
            set_membership.take(table, self.group)

    def make_guest(self) -> None:
        player = self.dice.choice(list(self.group.players.order_by("pk")))
        player.is_guest = not player.is_guest and self.dice.random() < 0.5
        player.save()

    def _now(self) -> list[GameSet]:
        """Return all sets as they are now."""
        return list(GameSet.objects.filter(pk__in=[one.pk for one in self.tables]).order_by("pk"))


# A set by its log: its ruleset, its day, who sat where, its state, and what each did in each game.
Played = tuple[str, date, Mapping[int, int], SetState, Sequence[Mapping[int, recap.Stats]]]


def played(of: Playgroup) -> Iterator[Played]:
    """Yield the sets with results."""
    merged = dict(of.players.values_list("pk", "merged_into"))
    for table in of.sets.all():
        games = queries.games(table)
        logs = queries.replayed_logs(games)
        dropped = frozenset(seat for game in games for seat in game.dropped)
        states = tuple(log.state for log in logs)
        state = SetState(table.rules, tuple(table.names), states, dropped, table.called)
        if state.has_results:
            seats = {seat.number: root(seat.player_id, merged) for seat in table.seats.all()}
            day, stats = games[0].started_at.date(), recap.stats_of_set(state, logs)
            yield table.ruleset, day, seats, state, stats


def expected_board(of: Playgroup, some: Sequence[Played], wanted: Wanted) -> list[tuple[Any, ...]]:
    """Return name, rank, sets, sets won, games, VP, games won and opponents outlasted of each."""
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for _, _, seats, state, stats in some:
        for standing in sets.standings(state):
            seat, has = standing.player, standing.victory_points + standing.games_won
            sums[seats[seat]] += Counter(
                sets=1,
                sets_won=standing.rank == 1 and has > 0,  # not if all share it with nothing
                games=len(state.games),
                points=standing.victory_points,
                won=standing.games_won,
                outlasted=sum(of_game[seat].outlasted for of_game in stats),
            )
    names = dict(of.players.filter(is_guest=False).values_list("pk", "name"))
    listed = {player: of_player for player, of_player in sums.items() if player in names}

    def mark(of_player: Counter[str]) -> tuple[float, ...]:
        if scores(wanted.format):
            return (of_player["points"] / of_player["games"],)
        return of_player["won"] / of_player["games"], of_player["outlasted"] / of_player["games"]

    ranked = [one for one in listed.values() if one["sets"] >= LISTED]
    fields = ("sets", "sets_won", "games", "points", "won", "outlasted")
    return sorted(
        (
            names[player],
            1 + sum(mark(other) > mark(one) for other in ranked) if one in ranked else None,
            *(one[name] for name in fields),
        )
        for player, one in listed.items()
    )


def check_boards(of: Playgroup) -> None:
    fields = ("name", "rank", "sets", "sets_won", "games", "victory_points", "games_won")
    some = list(played(of))
    for wanted in (*(Wanted(format=format) for format in FORMATS), SOME):
        first, last = wanted.first or date.min, wanted.last or date.max
        own = [one for one in some if one[0] in wanted.rulesets and first <= one[1] <= last]
        board = leaderboard.board(of, wanted)
        lines = sorted(map(attrgetter(*fields, "outlasted"), board.rows))
        assert (lines, board.sets) == (expected_board(of, own, wanted), len(own))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_playgroup_shows_is_what_its_sets_say(db, seed):
    of = group()
    season = of.seasons.create(name="Some", starts_on=SOME.first, ends_on=SOME.last)
    random_season = RandomSeason(of, Random(seed))
    for _ in range(3):
        random_season.go_on(STEPS)

        check_boards(of)
        [finish] = winners.finishes(of, [season])
        rows = leaderboard.board(of, SOME).rows
        assert {row.name for row in finish["first"]} == {row.name for row in rows if row.rank == 1}
        assert list(audit.faults(of)) == []
