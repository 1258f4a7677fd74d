"""What a scorekeeper reports: one move is one line of a game's log.

A player is a seat number, counted from 1 in seating order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from .own import OwnMove

AMOUNT_MAX = 9_999
CHANGE_MAX = 9_999
TOXIC_MAX = 99


class Kind(StrEnum):
    """What dealt the damage: creatures in combat, one's hero otherwise, or anything else."""

    COMBAT = "combat"
    HERO = "hero"
    OTHER = "other"


class Zone(StrEnum):
    """Where a hero is; outside the game at the start of each game."""

    OUTSIDE = "outside"
    HAND = "hand"
    STACK = "stack"
    BATTLEFIELD = "battlefield"
    GRAVEYARD = "graveyard"
    EXILE = "exile"
    LIBRARY = "library"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One amount of damage, 1 to 9999, from one player to one player.

    ``source`` is None only for other damage. ``toxic`` is 0 to 99, combat only.
    """

    source: int | None
    target: int
    amount: int
    kind: Kind
    infect: bool = False
    lifelink: bool = False
    toxic: int = 0


@dataclass(frozen=True, slots=True)
class DealDamage:
    """Hits dealt at the same time."""

    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class ChangeLife:
    """Life gained or lost without damage, at the same time; no change is 0."""

    changes: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ChangePoison:
    """Poison counters given or removed without damage, at the same time; no change is 0."""

    changes: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Hold:
    """A card says that a player can't lose, can't win, or (both false) no longer says so."""

    player: int
    cannot_lose: bool
    cannot_win: bool


@dataclass(frozen=True, slots=True)
class PassTurn:
    """A new turn begins: the next player's in turn order, or the named one's."""

    player: int | None = None


@dataclass(frozen=True, slots=True)
class MoveHero:
    player: int
    to: Zone


@dataclass(frozen=True, slots=True)
class CrownMonarch:
    """A card makes a player the monarch, or nobody."""

    player: int | None


@dataclass(frozen=True, slots=True)
class Concede:
    player: int


@dataclass(frozen=True, slots=True)
class ConcedeTo:
    """All opponents in the game concede to this player at the same time (906.10h)."""

    player: int


@dataclass(frozen=True, slots=True)
class Lose:
    """Players lose at the same time by decking or a card. Who leaves the table concedes."""

    players: tuple[int, ...]
    reason: str = "card effect"


@dataclass(frozen=True, slots=True)
class Win:
    player: int
    reason: str = "card effect"


@dataclass(frozen=True, slots=True)
class Draw:
    reason: str = "agreed"


Move = (
    DealDamage
    | ChangeLife
    | ChangePoison
    | Hold
    | PassTurn
    | MoveHero
    | CrownMonarch
    | Concede
    | ConcedeTo
    | Lose
    | Win
    | Draw
    | OwnMove
)


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the latest event in force; refused if that is not ``number``, where given."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Strike:
    """Take back any one event, by its number in the game's log."""

    number: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Replace one event by another of the same type, in its place."""

    number: int
    replacement: Move


Correction = Undo | Strike | Amend
Entry = Move | Correction

SHARED = frozenset(
    (
        *(DealDamage, ChangeLife, ChangePoison, Hold, PassTurn, CrownMonarch),
        *(Concede, ConcedeTo, Lose, Win, Draw),
    )
)
"""The moves of every format in which players have life; heroes are Coalition's own."""
