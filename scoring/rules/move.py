"""The base of every move."""

from typing import TYPE_CHECKING, ClassVar

from .values import Value
from .words import Sentence

if TYPE_CHECKING:
    from .engine import Story


class Move(Value):
    """What a scorekeeper enters. Its fields are made by ``fields.py``.

    ``type`` is its name in a set log, unique among all formats. ``title`` stands over the page that
    asks for the move; without it only the keys of the board do. ``confirms``: that page first shows
    what the move will do. ``is_step``: it continues from where the game is, so that two phones that
    tap it at the same time mean one step.
    """

    type: ClassVar[str]
    title: ClassVar[str] = ""
    confirms: ClassVar[bool] = False
    after_end: ClassVar[bool] = False
    is_step: ClassVar[bool] = False

    def hinges(self, active: str) -> tuple[str, ...]:
        """Return the facts of ``GameState.seen`` without which the move would mean something else.
        ``active`` is whose turn it was on the page where it was tapped."""
        if self.is_step:
            return "turn", "marks"
        return ("turn", "in") if self.confirms else ()

    def decide(self, story: "Story") -> None:
        """:raises RuleError: if it can't happen."""
        raise NotImplementedError

    def sentence(self) -> Sentence:
        raise NotImplementedError

    def brief(self) -> Sentence:
        return self.sentence()
