"""Corrections: entries of a game's log that take back or replace an earlier move."""

from typing import ClassVar

from .move import Move
from .values import Value
from .words import Sentence


class Undo(Value):
    """Take back the latest event in force; refused if that is not ``number``, where given."""

    type: ClassVar[str] = "undo"

    number: int | None = None

    def sentence(self) -> Sentence:
        return [f"Undo of {self.number}"]


class Strike(Value):
    type: ClassVar[str] = "strike"

    number: int

    def sentence(self) -> Sentence:
        return [f"Strike of {self.number}"]


class Amend(Value):
    type: ClassVar[str] = "amend"

    number: int
    replacement: Move

    def sentence(self) -> Sentence:
        return [f"Amends {self.number}: ", *self.replacement.sentence()]


Correction = Undo | Strike | Amend
Entry = Move | Correction
