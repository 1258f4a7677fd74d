"""The base of every move."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .words import Sentence

if TYPE_CHECKING:
    from .engine import Story


class Move:
    """What a scorekeeper enters. Its fields are made by ``fields.py``.

    ``type`` is its name in a set log, which no other entry of any format has. ``title`` stands over
    the page that asks for the move; without it only the keys of the board do. ``confirms``: that
    page first shows what the move will do. ``after_end``: the move is possible when the game is
    over, too. ``is_step``: it continues from where the format's game is, so that two phones that
    tap it at the same time mean one step.
    """

    __slots__ = ()

    type: ClassVar[str]
    title: ClassVar[str] = ""
    confirms: ClassVar[bool] = False
    after_end: ClassVar[bool] = False
    is_step: ClassVar[bool] = False

    def hinges(self, active: str) -> tuple[str, ...]:
        """Return the facts of ``GameState.seen`` without which the move would mean something else.

        ``active`` is the seat whose turn it was on the page where the move was tapped.
        """
        if self.is_step:
            return "turn", "marks"
        return ("turn", "in") if self.confirms else ()

    def decide(self, story: Story) -> None:
        """Add what follows from the move to the story.

        :raises RuleError: if it can't happen.
        """
        raise NotImplementedError

    def sentence(self) -> Sentence:
        """Return the move as a sentence of the log."""
        raise NotImplementedError

    def brief(self) -> Sentence:
        """Return the move in the few words that fit on a button."""
        return self.sentence()
