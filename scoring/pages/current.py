"""A game as it stands, decoded once for everything that a page shows of it."""

from __future__ import annotations

from dataclasses import dataclass

from ..models import Game
from ..play.queries import Table
from ..rules.recent import Recent, RecentLine
from ..rules.state import GameState
from ..setlog import codec


@dataclass(frozen=True, slots=True)
class CurrentGame:
    """A game of a table with its state and its latest events."""

    table: Table
    game: Game
    state: GameState
    recent: Recent

    @property
    def last_line(self) -> RecentLine | None:
        """The latest event in force."""
        return self.recent.lines[0] if self.recent.lines else None

    @property
    def newest(self) -> RecentLine | None:
        """The event recorded last; None after a correction, which shows no change."""
        line = self.last_line
        return line if line and line.number == self.game.length else None


def read(table: Table, game: Game) -> CurrentGame:
    """Return a game as it stands. No query."""
    return CurrentGame(table, game, codec.read_state(game.state), codec.read_recent(game.recent))
