"""What Leveler adds to a board: each player's level, and the damage that leads to the next."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.formats.leveler import LevelerPlayer
from .additions import Additions
from .current import CurrentGame


@dataclass(frozen=True, slots=True)
class LevelerRow:
    """``taken`` is all damage taken in the game; ``is_empty`` means the last library is, too."""

    level: int
    taken: int
    is_empty: bool


class LevelerAdditions(Additions):
    """Leveler on pages."""

    def row(self, current: CurrentGame, seat: int) -> LevelerRow:
        player = current.state.players[seat]
        assert isinstance(player, LevelerPlayer)
        return LevelerRow(player.level, player.taken, player.is_empty)
