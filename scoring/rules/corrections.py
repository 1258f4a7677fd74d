"""Corrections: entries of a game's log that take back or replace an earlier move."""

from dataclasses import dataclass
from typing import ClassVar

from .move import Move
from .words import Sentence


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the latest event in force; refused if that is not ``number``, where given."""

    type: ClassVar[str] = "undo"

    number: int | None = None

    def sentence(self) -> Sentence:
        return [f"Undo of {self.number}"]


@dataclass(frozen=True, slots=True)
class Strike:
    type: ClassVar[str] = "strike"

    number: int

    def sentence(self) -> Sentence:
        return [f"Strike of {self.number}"]


@dataclass(frozen=True, slots=True)
class Amend:
    type: ClassVar[str] = "amend"

    number: int
    replacement: Move

    def sentence(self) -> Sentence:
        return [f"Amends {self.number}: ", *self.replacement.sentence()]


Correction = Undo | Strike | Amend
Entry = Move | Correction
