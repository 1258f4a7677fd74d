"""What Leveler adds to a board: each player's level, and the damage that leads to the next."""

from __future__ import annotations

from ..rules.state import PlayerState
from .additions import Additions
from .board import CurrentGame


class LevelerAdditions(Additions):
    def rows(self, current: CurrentGame) -> dict[int, PlayerState]:
        return dict(current.state.players)
