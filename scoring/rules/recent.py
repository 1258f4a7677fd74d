"""What a scorekeeper wants at hand: the latest events in force, and whom each player hit last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from . import effects as ev
from .log import Line
from .moves import DealDamage, Move
from .own import OwnEvent
from .words import Part, Sentence

LINES = 2


@dataclass(frozen=True, slots=True)
class RecentLine:
    """An event in force and what it changed, by seat: points, life and poison counters.

    ``passed_to`` has the turn because the active player left the game. ``told`` is what else came
    of it in its format, as sentences.
    """

    number: int
    move: Move
    points: dict[int, int] = field(default_factory=dict)
    life: dict[int, int] = field(default_factory=dict)
    poison: dict[int, int] = field(default_factory=dict)
    passed_to: int | None = None
    told: tuple[tuple[Part, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Recent:
    """``lines`` has the latest first, two at the most; ``targets`` maps a source to the player
    that it hit last with a hit on one player."""

    lines: tuple[RecentLine, ...] = ()
    targets: dict[int, int] = field(default_factory=dict)

    def after(self, line: Line) -> Recent:
        """Return what is recent once ``line`` has been recorded."""
        passed_to = _passed_to(line.events)
        told = tuple(tuple(sentence) for sentence in _told(line.events))
        newest = RecentLine(line.number, line.move, *_changes(line.events), passed_to, told)
        targets = {**self.targets, **_targets(line.move)}
        return Recent((newest, *self.lines)[:LINES], targets)


def recall(lines: Iterable[Line]) -> Recent:
    """Return what is recent after the events in force ``lines``."""
    recent = Recent()
    for line in lines:
        recent = recent.after(line)
    return recent


def _changes(events: Iterable[ev.Event]) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    points: dict[int, int] = {}
    life: dict[int, int] = {}
    poison: dict[int, int] = {}
    for event in events:
        match event:
            case ev.PointsScored(player=seat, points=by):
                points[seat] = points.get(seat, 0) + by
            case ev.LifeChanged(player=seat, by=by):
                life[seat] = by
            case ev.PoisonChanged(player=seat, by=by):
                poison[seat] = by
    return points, life, poison


def _passed_to(events: Iterable[ev.Event]) -> int | None:
    somebody_left = False
    for event in events:
        if isinstance(event, ev.TurnBegan) and somebody_left:
            return event.player
        somebody_left = somebody_left or isinstance(event, ev.PlayerLeft)
    return None


def _told(events: Iterable[ev.Event]) -> Iterator[Sentence]:
    for event in events:
        if isinstance(event, OwnEvent) and (sentence := event.told()):
            yield sentence


def _targets(move: Move) -> dict[int, int]:
    if not isinstance(move, DealDamage):
        return {}
    targets: dict[int, set[int]] = {}
    for hit in move.hits:
        if hit.source is not None:
            targets.setdefault(hit.source, set()).add(hit.target)
    return {source: found.pop() for source, found in targets.items() if len(found) == 1}
