"""What the scorekeeper's page shows at once: the latest events, and whom each player hit last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .damage import DealDamage
from .effects import (
    Effect,
    LifeChanged,
    MonarchChanged,
    PointsScored,
    PoisonChanged,
    TurnBegan,
)
from .log import EventInForce
from .move import Move
from .words import Part, Sentence

LINES = 2


@dataclass(frozen=True, slots=True)
class RecentEvent:
    """An event in force and what it changed, by seat: points, life and poison counters.

    ``passed_to`` has the turn because the active player left the game. ``news`` are the sentences
    of what it brought about, in order, besides those changes; another version may word them
    otherwise, so they are not compared.
    """

    number: int
    move: Move
    points: dict[int, int] = field(default_factory=dict)
    life: dict[int, int] = field(default_factory=dict)
    poison: dict[int, int] = field(default_factory=dict)
    passed_to: int | None = None
    news: tuple[tuple[Part, ...], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Recent:
    """``lines`` are the latest two events, the last event first. ``targets`` maps a source to the
    player whom it hit last with hits on one player only."""

    lines: tuple[RecentEvent, ...] = ()
    targets: dict[int, int] = field(default_factory=dict)

    def after(self, line: EventInForce) -> Recent:
        """Return what is recent once ``line`` has been recorded."""
        passed_to = _passed_to(line.effects)
        news = tuple(map(tuple, _news(line)))
        newest = RecentEvent(line.number, line.move, *_changes(line.effects), passed_to, news)
        targets = {**self.targets, **_targets(line.move)}
        return Recent((newest, *self.lines)[:LINES], targets)


def recall(lines: Iterable[EventInForce]) -> Recent:
    """Return what is recent after the events in force ``lines``."""
    recent = Recent()
    for line in lines:
        recent = recent.after(line)
    return recent


def _changes(effects: Iterable[Effect]) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    points: dict[int, int] = {}
    life: dict[int, int] = {}
    poison: dict[int, int] = {}
    for effect in effects:
        match effect:
            case PointsScored(player=seat, points=by):
                points[seat] = points.get(seat, 0) + by
            case LifeChanged(player=seat, by=by):
                life[seat] = by
            case PoisonChanged(player=seat, by=by):
                poison[seat] = by
    return points, life, poison


def _passed_to(effects: Iterable[Effect]) -> int | None:
    for effect in effects:
        if isinstance(effect, TurnBegan) and effect.passed:
            return effect.player
    return None


def _news(line: EventInForce) -> Iterator[Sentence]:
    """Yield what players are told of an event; whose turn it is matters in a game that goes on."""
    for effect in line.effects:
        is_past = line.after.is_over and isinstance(effect, TurnBegan | MonarchChanged)
        if not is_past and not _is_on_a_row(effect) and (sentence := effect.instruction()):
            yield sentence


def _is_on_a_row(effect: Effect) -> bool:
    """Return whether a player's row shows by how much the effect changed a number."""
    if isinstance(effect, PointsScored):
        return effect.is_of_hit
    return isinstance(effect, LifeChanged | PoisonChanged)


def _targets(move: Move) -> dict[int, int]:
    if not isinstance(move, DealDamage):
        return {}
    targets: dict[int, set[int]] = {}
    for hit in move.hits:
        if hit.source is not None:
            targets.setdefault(hit.source, set()).add(hit.target)
    # After hits on several players nobody knows whom the next hit is meant for.
    return {source: seats.pop() for source, seats in targets.items() if len(seats) == 1}
