"""Taps that do not name everybody: the state of the game decides whom they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from .corrections import Entry
from .damage import DealDamage, Hit, Kind
from .errors import RuleError
from .move import Move
from .moves import ChangeLife, ChangePoison
from .state import GameState


class NoTarget(RuleError):
    """Nobody was named, and the source has hit nobody who is still in the game."""

    code = "no_target"
    text = "To whom?"


class Targets(Enum):
    """Targets that the state decides: each opponent, or whom the source hit last."""

    EACH = "each"
    LAST = "last"


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """One amount of damage from one player, 1 to 9999, to seats or to ``Targets``."""

    source: int | None
    targets: tuple[int, ...] | Targets
    amount: int
    kind: Kind
    infect: bool = False
    lifelink: bool = False
    toxic: int = 0

    def at(self, state: GameState, last: Mapping[int, int]) -> DealDamage:
        """Return the damage, one hit for each target; ``last`` is whom each source hit last.

        :raises NoTarget: if there is nobody to hit.
        """
        targets = self._seats(state, last)
        if not targets:
            raise NoTarget()
        return DealDamage(tuple(self._hit(target) for target in targets))

    def _seats(self, state: GameState, last: Mapping[int, int]) -> tuple[int, ...]:
        if isinstance(self.targets, tuple):
            return self.targets
        opponents = state.in_game if self.source is None else state.opponents_of(self.source)
        if self.targets is Targets.EACH:
            return opponents
        target = None if self.source is None else last.get(self.source)
        return (target,) if target is not None and target in state.in_game else ()

    def _hit(self, target: int) -> Hit:
        return Hit(
            source=self.source,
            target=target,
            amount=self.amount,
            kind=self.kind,
            infect=self.infect,
            lifelink=self.lifelink,
            toxic=self.toxic,
        )

    def may_have_become(self, entry: Entry) -> bool:
        """Return whether this tap, sent before, may have been recorded as ``entry``."""
        if not isinstance(entry, DealDamage):
            return False
        # The game may have moved on since: "each" and "last" may mean others now.
        targets = tuple(hit.target for hit in entry.hits)
        named = self.targets if isinstance(self.targets, tuple) else targets
        return targets == named and entry.hits == tuple(map(self._hit, targets))


@dataclass(frozen=True, slots=True)
class Volley:
    """Hits collected for one event, and its last hit."""

    collected: tuple[Hit, ...]
    aim: Aim

    def at(self, state: GameState, last: Mapping[int, int]) -> DealDamage:
        """Return the damage of all.

        :raises NoTarget: if there is nobody to hit with the last hit.
        """
        return DealDamage((*self.collected, *self.aim.at(state, last).hits))

    def may_have_become(self, entry: Entry) -> bool:
        """Return whether this tap, sent before, may have been recorded as ``entry``."""
        if not isinstance(entry, DealDamage):
            return False
        first = len(self.collected)
        rest = DealDamage(entry.hits[first:])
        return entry.hits[:first] == self.collected and self.aim.may_have_become(rest)


@dataclass(frozen=True, slots=True)
class ForAll:
    """The same change of life or poison, not 0, for everybody in the game."""

    change: type[ChangeLife] | type[ChangePoison]
    by: int

    def at(self, state: GameState, last: Mapping[int, int]) -> Move:
        """Return the change for each player in the game."""
        return self.change(dict.fromkeys(sorted(state.in_game), self.by))

    def may_have_become(self, entry: Entry) -> bool:
        """Return whether this tap, sent before, may have been recorded as ``entry``."""
        return type(entry) is self.change and set(entry.changes.values()) == {self.by}


class Meanwhile(RuleError):
    """Another phone was faster: the game has moved on since a step was tapped."""

    code = "meanwhile"
    text = "Somebody else was faster: the game has gone on. Here it is as it stands."


@dataclass(frozen=True, slots=True)
class Step:
    """A move that leads on, such as the next turn, from the game whose stamp was ``seen``."""

    move: Move
    seen: str

    def at(self, state: GameState, last: Mapping[int, int]) -> Move:
        """Return the move.

        :raises Meanwhile: if the game has moved on.
        """
        if state.stamp != self.seen:
            raise Meanwhile()
        return self.move

    def may_have_become(self, entry: Entry) -> bool:
        """Return whether this tap, sent before, may have been recorded as ``entry``."""
        return entry == self.move


Tapped = Aim | Volley | ForAll | Step
