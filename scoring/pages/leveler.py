"""What Leveler adds to a board: each player's level, and the damage that leads to the next."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.formats.leveler import LevelerPlayer
from .additions import Additions
from .board import CurrentGame


@dataclass(frozen=True, slots=True)
class LevelerRow:
    """``taken`` is all damage taken in the game, ``marks`` what each mark of it does, in a word;
    ``is_empty`` means the last library is, too."""

    level: int
    taken: int
    marks: tuple[tuple[int, str], ...]
    is_empty: bool


class LevelerAdditions(Additions):
    """Leveler on pages."""

    def rows(self, current: CurrentGame) -> dict[int, LevelerRow]:
        return {
            seat: LevelerRow(player.level, player.taken, player.marks, player.is_empty)
            for seat, player in current.state.players.items()
            if isinstance(player, LevelerPlayer)
        }
