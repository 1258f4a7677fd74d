"""A game's log: moves in order, and the corrections that take some of them back. Nothing is
deleted: a correction has a number of its own."""

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import reduce
from itertools import groupby
from typing import Self

from . import engine, errors
from .corrections import Amend, Correction, Entry, Undo
from .damage import DealDamage
from .effects import Effect, LifeChanged, MonarchChanged, PointsScored, PoisonChanged, TurnBegan
from .fields import require_wellformed
from .move import Move
from .state import GameState
from .values import Value
from .words import Part, Sentence, listed

ENTRIES_MAX = 2_000
LAST_ENTRIES = 100  # for corrections and for the end, of a game that is being scored


class EventInForce(Value):
    """``number`` is from 1, ``move`` as amended, ``after`` the state after it."""

    number: int
    move: Move
    effects: tuple[Effect, ...]
    after: GameState

    @property
    def postings(self) -> tuple[PointsScored, ...]:
        return tuple(effect for effect in self.effects if isinstance(effect, PointsScored))


class GameLog:
    """``lines`` are the events in force, ``ever`` the classes of all moves, also of those taken
    back; ``taken_back`` and ``amended`` map an event's number to that of its (last) correction.
    ``first_end`` is the entry with which the game was over first; ``recall`` does not look for
    it. If not ``bounded``, it may be of any length and have any texts, as stored logs may. If
    ``checked``, its moves were checked as they were read, and name only players of this game."""

    def __init__(
        self,
        start: GameState,
        entries: Iterable[Entry] = (),
        *,
        bounded: bool = True,
        checked: bool = False,
    ) -> None:
        self.start = start
        self.bounded = bounded
        self.checked = checked
        self.count = 0
        self.ever: set[type[Move]] = set()
        self.lines: list[EventInForce] = []
        self.taken_back: dict[int, int] = {}
        self.amended: dict[int, int] = {}
        self.first_end: int | None = None
        for entry in entries:
            self.append(entry)

    @classmethod
    def recall(cls, start: GameState, entries: Iterable[Entry], *, upto: int | None = None) -> Self:
        """Play each event of a stored log once, up to the event ``upto``; ``append`` would play a
        thousand events again for each of a thousand corrections."""
        log = cls(start)
        in_force: dict[int, Move] = {}
        for entry in entries:
            log.count += 1
            if isinstance(entry, Move):
                in_force[log.count] = entry
                log.ever.add(type(entry))
                continue
            number = entry.number or next(reversed(in_force), 0)  # an undo need not name its event
            if number not in in_force:
                raise errors.NoSuchEvent(number=number)
            if isinstance(entry, Amend):
                in_force[number] = entry.replacement
                log.amended[number] = log.count
            else:
                del in_force[number]
                log.taken_back[number] = log.count
        for number, move in in_force.items():
            if upto is None or number <= upto:
                log.lines.append(_line(log.state, number, move))
        return log

    @property
    def state(self) -> GameState:
        return self.lines[-1].after if self.lines else self.start

    def append(self, entry: Entry) -> None:
        """:raises RuleError: if the entry, or what came after a corrected event, can't happen. The
        log is then unchanged."""
        number = self.count + 1
        move = entry.replacement if isinstance(entry, Amend) else entry
        if self.bounded and not self.checked and not isinstance(move, Correction):
            require_wellformed(self.state, move)
        if isinstance(entry, Correction):
            self._correct(number, entry)
        else:
            line = _line(self.state, number, entry)
            if self.bounded:
                if self.state.ruleset.require_addable:
                    self.state.ruleset.require_addable(self.state, entry)
                require_room(number, self.state, line.after)
            self.lines.append(line)
            self.ever.add(type(entry))
        self.count = number
        if self.first_end is None and self.state.is_over:
            self.first_end = number

    def skip(self) -> None:
        """Count an entry that does nothing: a repeated tap keeps its number."""
        if self.bounded and self.count >= ENTRIES_MAX:
            raise errors.LogIsFull(most=ENTRIES_MAX)
        self.count += 1

    def means(self, correction: Correction) -> int:
        return self.lines[self._find(correction)].number

    def _correct(self, number: int, correction: Correction) -> None:
        at = self._find(correction)
        corrected = self.lines[at]
        if self.state.ruleset.require_correctable:
            self.state.ruleset.require_correctable(corrected.move, self.ever)
        later = [(line.number, line.move) for line in self.lines[at + 1 :]]
        if isinstance(correction, Amend):
            if type(correction.replacement) is not type(corrected.move):
                raise errors.OtherType(number=corrected.number)
            later.insert(0, (corrected.number, correction.replacement))
        # Nothing of the log is touched before all of it has been played again.
        state = self.lines[at - 1].after if at else self.start
        again: list[EventInForce] = []
        for event, move in later:
            try:
                again.append(_line(state, event, move))
            except errors.RuleError as refusal:
                if event == corrected.number:
                    raise
                raise errors.LaterImpossible(number=event, refusal=refusal) from refusal
            state = again[-1].after
        if self.bounded:
            require_room(number, self.state, state)
        self.lines[at:] = again
        corrections = self.amended if isinstance(correction, Amend) else self.taken_back
        corrections[corrected.number] = number

    def _find(self, correction: Correction) -> int:
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


def require_room(number: int, before: GameState, after: GameState, *, kept: int = 0) -> None:
    """:raises RuleError: if entry ``number`` is beyond the bounds of the log, or of the format; or
    is one of the last ``kept`` entries, and ends nothing."""
    if number > ENTRIES_MAX:
        raise errors.LogIsFull(most=ENTRIES_MAX)
    if after.ruleset.require_room:
        after.ruleset.require_room(before, after)
    if number > ENTRIES_MAX - kept and not after.is_over:
        raise errors.LogIsNearlyFull(most=ENTRIES_MAX, last=kept)


def _line(before: GameState, number: int, move: Move) -> EventInForce:
    story = engine.story_of(before, move)
    return EventInForce(number, move, tuple(story.effects), story.state)


class RecentEvent(Value):
    """What an event changed, by seat. ``passed_to`` has the turn because the active player left.
    ``news`` are sentences of what it brought about besides; versions may word them otherwise, so
    they are not compared."""

    number: int
    move: Move
    points: dict[int, int] = field(default_factory=dict)
    life: dict[int, int] = field(default_factory=dict)
    poison: dict[int, int] = field(default_factory=dict)
    passed_to: int | None = None
    news: tuple[tuple[Part, ...], ...] = field(default=(), compare=False)


class Recent(Value):
    """``lines`` are the latest two events, the last event first. ``targets`` maps a source to the
    player whom it hit last with hits on one player only."""

    lines: tuple[RecentEvent, ...] = ()
    targets: dict[int, int] = field(default_factory=dict)

    def after(self, line: EventInForce) -> "Recent":
        points: dict[int, int] = {}
        life: dict[int, int] = {}
        poison: dict[int, int] = {}
        passed_to: int | None = None
        news: list[Sentence] = []
        for effect in line.effects:
            # A player's row shows by how much a number changed. Whose turn it is matters in a game
            # that goes on.
            is_news = True
            match effect:
                case PointsScored(player=seat, dealt=dealt, points=by):
                    points[seat] = points.get(seat, 0) + by
                    is_news = not dealt
                case LifeChanged(player=seat, by=by):
                    life[seat], is_news = by, False
                case PoisonChanged(player=seat, by=by):
                    poison[seat], is_news = by, False
                case TurnBegan(player=seat, passed=passed):
                    passed_to = passed_to or (seat if passed else None)
                    is_news = not line.after.is_over
                case MonarchChanged():
                    is_news = not line.after.is_over
            if is_news and (sentence := effect.instruction()):
                news.append(sentence)
        happened = tuple(_join_alike(news)) if news else ()
        newest = RecentEvent(line.number, line.move, points, life, poison, passed_to, happened)
        hit: dict[int | None, set[int]] = {}
        for each in line.move.hits if isinstance(line.move, DealDamage) else ():
            hit.setdefault(each.source, set()).add(each.target)
        targets = dict(self.targets)
        for source, seats in hit.items():
            # After hits on several players nobody knows whom the next hit is meant for.
            if source and len(seats) == 1:
                targets[source] = seats.pop()
        return Recent((newest, *self.lines)[:2], targets)


# A line for each player would hide the rows of a phone's board.
def _join_alike(news: Iterable[Sentence]) -> Iterator[tuple[Part, ...]]:
    """
    >>> [*_join_alike([[2, ": draw"], [3, ": draw"], [4, " left"], [1, " left"]])]
    [(2, ' and ', 3, ': draw'), (4, ' left'), (1, ' left')]
    """
    for rest, alike in groupby(news, lambda sentence: sentence[1:]):
        sentences = list(alike)
        seats = [first for first, *_ in sentences if isinstance(first, int)]
        if len(seats) > 1 and str(rest[0]).startswith((",", ":")):  # no verb that has a number
            yield *listed(seats), *rest
        else:
            yield from map(tuple, sentences)


def recall_recent(lines: Iterable[EventInForce]) -> Recent:
    return reduce(Recent.after, lines, Recent())
