"""The base of what only one format knows: its moves, and what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .words import Sentence

if TYPE_CHECKING:
    from .engine import Story
    from .state import GameState


class OwnMove:
    """A move of one format. Its fields are made by ``fields.py``.

    ``type`` is what a set log calls it, and belongs to no other move of any format; ``title``
    stands over the page that asks for it. ``after_end`` says that it is possible when the game is
    over, too; ``is_step`` that it leads on from where the game is: two phones that tap it at once
    mean one step.
    """

    __slots__ = ()

    type: ClassVar[str]
    title: ClassVar[str]
    after_end: ClassVar[bool] = False
    is_step: ClassVar[bool] = False

    def decide(self, story: Story) -> None:
        """Tell what follows from the move.

        :raises RuleError: if it can't happen.
        """
        raise NotImplementedError

    def told(self) -> Sentence:
        """Return what the move says, as a sentence of the log."""
        raise NotImplementedError


class OwnEvent:
    """What follows from moves in one format."""

    __slots__ = ()

    def applied(self, state: GameState) -> GameState:
        """Return the state after it."""
        raise NotImplementedError

    def told(self) -> Sentence:
        """Return the fact as a sentence; nothing where the log need not tell it."""
        return []
