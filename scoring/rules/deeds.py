"""What a game that is over tells of its players: who fell when and by what, and what they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .damage import DealDamage
from .effects import Leaving, PlayerLeft, TurnBegan
from .log import EventInForce, GameLog
from .words import Sentence, listed


@dataclass(frozen=True, slots=True)
class Fall:
    """How a player left a game: in which of its turns, why, and by whose damage, if by any."""

    turn: int
    reason: str
    by: tuple[int, ...]

    def sentence(self) -> Sentence:
        by: Sentence = [", by ", *listed(self.by)] if self.by else []
        reason = "no life left" if self.reason == Leaving.LIFE else self.reason
        return [f"out in turn {self.turn}: {reason}", *by]


def falls(log: GameLog) -> dict[int, Fall]:
    """Return how each player fell who left the game, by seat."""
    turn, fallen = 1, {}
    for line in log.lines:
        turn += _turns(line, passed=False)
        for effect in line.effects:
            if isinstance(effect, PlayerLeft):
                by = _sources(line, effect)
                fallen[effect.player] = Fall(turn, effect.reason, by)
        turn += _turns(line, passed=True)
    return fallen


def _turns(line: EventInForce, *, passed: bool) -> int:
    """Return how many turns began with a line, or ``passed`` on as their players left."""
    began = [effect for effect in line.effects if isinstance(effect, TurnBegan)]
    return sum(effect.passed is passed for effect in began)


def _sources(line: EventInForce, left: PlayerLeft) -> tuple[int, ...]:
    if left.reason not in (Leaving.LIFE, Leaving.POISON) or not isinstance(line.move, DealDamage):
        return ()
    hits = [hit for hit in line.move.hits if hit.target == left.player]
    return tuple(dict.fromkeys(hit.source for hit in hits if hit.source is not None))


def of_games(logs: Sequence[GameLog], seat: int) -> list[str]:
    """Return what a player did in the games of a set: damage dealt, and what the format counts."""
    played = [log for log in logs if seat in log.state.players]
    if not played:
        return []
    dealt = sum(_dealt(log, seat) for log in played)
    effects = [effect for log in played for line in log.lines for effect in line.effects]
    state = played[-1].state
    return [
        *([f"{dealt} damage dealt"] if dealt else []),
        *state.ruleset.deeds(state, effects, seat),
    ]


def _dealt(log: GameLog, seat: int) -> int:
    """Return how much damage a player dealt to others, overkill included."""
    return sum(
        hit.amount
        for line in log.lines
        if isinstance(line.move, DealDamage)
        for hit in line.move.hits
        if hit.source == seat != hit.target
    )
