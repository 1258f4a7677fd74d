"""A season of a playgroup as dice would have it: sets, evenings, corrections, merges."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from scoring.groups import merging, set_membership
from scoring.groups.evenings import commands as evenings
from scoring.models import Evening, Game, GameSet, Playgroup
from scoring.play import commands, queries
from scoring.play.errors import GroupRefused
from scoring.play.simulation import Play, play_game
from scoring.rules.corrections import Amend, Entry, Strike, Undo
from scoring.rules.errors import RuleError
from scoring.rules.formats import (
    COALITION_906,
    COALITION_2026,
    COALITION_README,
    LEVELER,
    REALM_WARS,
)
from scoring.rules.move import Move
from scoring.rules.moves import Concede, Draw, Win
from scoring.rules.ruleset import Ruleset

from ..rules.play import hit

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil")
RULESETS = (COALITION_906, COALITION_906, COALITION_README, COALITION_2026, LEVELER, REALM_WARS)
BEGAN = datetime(2026, 1, 30, 18, tzinfo=UTC)
DAYS = 90
ALIAS = 0.06  # how likely somebody plays by another name, as another player


@dataclass
class RandomSeason:
    """What happens in a playgroup, one thing after another."""

    group: Playgroup
    dice: Random
    tables: list[GameSet] = field(default_factory=list)
    evenings: list[Evening] = field(default_factory=list)

    def go_on(self, steps: int) -> None:
        """Let so many things happen; what is refused is nothing."""
        for _ in range(steps):
            step = self._step() if self.tables else self.play
            with suppress(RuleError, GroupRefused):
                step()

    def _step(self) -> Callable[[], None]:
        often = {self.play: 8, self.correct: 8, self.merge: 3, self.take_out: 1, self.end: 2}
        often |= {self.open_evening: 1, self.begin_round: 2, self.make_guest: 1}
        return self.dice.choices(list(often), list(often.values()))[0]

    def play(self) -> None:
        """Play a set; one of long ago may be recorded only now."""
        ruleset = self.dice.choice(RULESETS)
        sizes = [size for size in range(2, 7) if ruleset.allows(size)]
        people = self.dice.sample(NAMES, self.dice.choice(sizes))
        names = [f"Old {name}" if self.dice.random() < ALIAS else name for name in people]
        at = BEGAN + timedelta(days=self.dice.randrange(DAYS))
        table = commands.create_set(ruleset, names, at=at, playgroup=self.group)
        self.tables.append(table)
        self._play_on(table, at)

    def _play_on(self, table: GameSet, at: datetime) -> None:
        """Play the games of a set, which somebody may leave, and which may be called early."""
        play = Play(self.dice, at, mistakes=0.1)
        while not queries.set_state(table, queries.games(table)).is_finished:
            self._start(play, table)
            self._finish(play, table, play_game(play, table, self._last(table).number, until=5))
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

    def _last(self, table: GameSet) -> Game:
        return queries.games(table)[-1]

    def correct(self) -> None:
        """Correct any event of any set, whatever that does to it."""
        table = self._table()
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
        self._finish(Play(self.dice, BEGAN + timedelta(days=DAYS)), table, self._last(table))

    def merge(self) -> None:
        """Merge somebody who played by two names, or undo that."""
        players = {player.name: player for player in self.group.players.order_by("pk")}
        both = [name for name in NAMES if {name, f"Old {name}"} <= players.keys()]
        for name in self.dice.sample(both, min(1, len(both))):
            old = players[f"Old {name}"]
            merging.separate(old) if old.merged_into_id else merging.merge(old, players[name])

    def take_out(self) -> None:
        """Take a set out of the playgroup, or back into it."""
        table = self._table()
        if table.playgroup:
            set_membership.take_out(table)
        else:
            set_membership.take(table, self.group)

    def make_guest(self) -> None:
        player = self.dice.choice(list(self.group.players.order_by("pk")))
        player.is_guest = not player.is_guest and self.dice.random() < 0.5
        player.save()

    def open_evening(self) -> None:
        evening = evenings.create_evening(
            self.group, "Evening", COALITION_906, rounds=2, usual_size=3, seed=len(self.evenings)
        )
        self.evenings.append(evening)
        evenings.arrive(evening, NAMES[: self.dice.randint(5, len(NAMES))])

    def begin_round(self) -> None:
        """Play a round; of its last table the set is not ended."""
        if not self.evenings:
            return
        at = BEGAN + timedelta(days=self.dice.randrange(DAYS))
        drawn = evenings.draw_round(self.dice.choice(self.evenings))
        *tables, last = [
            table.game_set for table in evenings.begin_round(drawn, at=at, dice=self.dice)
        ]
        self.tables += [*tables, last]
        for table in tables:
            self._play_on(table, at)
        self._start(Play(self.dice, at), last)
        commands.record(last, 1, hit(1, 2, self.dice.randint(1, 20)))

    def _table(self) -> GameSet:
        return self.dice.choice(self._now())

    def _now(self) -> list[GameSet]:
        """Return all sets as they are now."""
        return list(GameSet.objects.filter(pk__in=[one.pk for one in self.tables]).order_by("pk"))
