"""A game's log: moves in order, and the corrections that take some of them back.

Nothing is deleted: a correction has a number of its own, and what it corrects stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from . import engine, errors
from . import events as ev
from .moves import Amend, Correction, Entry, Move, Undo
from .state import GameState


@dataclass(frozen=True, slots=True)
class Line:
    """One event in force: its number from 1, what it says as amended, what followed, and after."""

    number: int
    move: Move
    events: tuple[ev.Event, ...]
    after: GameState

    @property
    def postings(self) -> tuple[ev.PointsScored, ...]:
        """The entries of the ledger that this event makes."""
        return tuple(event for event in self.events if isinstance(event, ev.PointsScored))


class GameLog:
    """A game played from its log, one entry after the other.

    ``lines`` holds the events in force, ``ever`` the kinds of all that there were; ``taken_back``
    and ``amended`` map an event's number to the number of its (last) correction. ``first_end`` is
    the number of the entry with which the game was over for the first time.
    """

    def __init__(self, start: GameState, entries: Iterable[Entry] = ()) -> None:
        self.start = start
        self.count = 0
        self.ever: set[type[Move]] = set()
        self.lines: list[Line] = []
        self.taken_back: dict[int, int] = {}
        self.amended: dict[int, int] = {}
        self.first_end: int | None = None
        for entry in entries:
            self.append(entry)

    @property
    def state(self) -> GameState:
        return self.lines[-1].after if self.lines else self.start

    def append(self, entry: Entry) -> None:
        """Add the next entry; a correction plays again what came after the corrected event.

        :raises RuleError: if it can't happen, or what came later no longer could. The log is then
            as it was.
        """
        number = self.count + 1
        if isinstance(entry, Correction):
            self._correct(number, entry)
        else:
            self.lines.append(_line(self.state, number, entry))
            self.ever.add(type(entry))
        self.count = number
        if self.first_end is None and self.state.is_over:
            self.first_end = number

    def skip(self) -> None:
        """Count an entry that does nothing: a repeated one keeps its number."""
        self.count += 1

    def means(self, correction: Correction) -> int:
        """Return the number of the event that a correction would take back or replace.

        :raises RuleError: if there is none.
        """
        return self.lines[self._find(correction)].number

    def _correct(self, number: int, correction: Correction) -> None:
        at = self._find(correction)
        corrected = self.lines[at]
        self.state.ruleset.require_correctable(corrected.move, self.ever)
        later = [(line.number, line.move) for line in self.lines[at + 1 :]]
        if isinstance(correction, Amend):
            if type(correction.replacement) is not type(corrected.move):
                raise errors.OtherType(number=corrected.number)
            later.insert(0, (corrected.number, correction.replacement))
        before = self.lines[at - 1].after if at else self.start
        self.lines[at:] = _play_again(before, later, corrected.number)
        corrections = self.amended if isinstance(correction, Amend) else self.taken_back
        corrections[corrected.number] = number

    def _find(self, correction: Correction) -> int:
        """Return the place in ``lines`` of the event that a correction means."""
        if isinstance(correction, Undo):
            if not self.lines:
                raise errors.NothingToUndo()
            if correction.number not in (None, self.lines[-1].number):
                raise errors.NotTheLatest(number=correction.number)
            return len(self.lines) - 1
        for at, line in enumerate(self.lines):
            if line.number == correction.number:
                return at
        raise errors.NoSuchEvent(number=correction.number)


def _line(before: GameState, number: int, move: Move) -> Line:
    events = engine.decide(before, move)
    return Line(number, move, events, engine.play(before, events))


def _play_again(before: GameState, later: list[tuple[int, Move]], corrected: int) -> list[Line]:
    lines: list[Line] = []
    for number, move in later:
        try:
            lines.append(_line(before, number, move))
        except errors.RuleError as refusal:
            if number == corrected:
                raise
            raise errors.LaterImpossible(number=number, refusal=refusal) from refusal
        before = lines[-1].after
    return lines
