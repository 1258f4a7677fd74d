"""What follows from a move: facts in the past tense, the only things that change a game.

They are not stored, except ``PointsScored`` as a row of the ledger: playing the log's moves
again gives them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .moves import Zone
from .own import OwnEvent


class Reason(StrEnum):
    """Why points were scored."""

    COMBAT = "combat"
    HERO = "hero"
    WIN_BONUS = "win bonus"
    CONCESSION = "concession"


class Ending(StrEnum):
    """How a game ends by itself; a card or an agreement gives its own words."""

    VICTORY_POINTS = "victory points"
    LAST_STANDING = "last player standing"
    CONCEDED_TO = "conceded to"
    ALL_LOST = "all players lost"


class Leaving(StrEnum):
    """Why a player leaves a game by the rules; a card gives its own words."""

    LIFE = "life"
    POISON = "poison"
    CONCEDED = "conceded"


@dataclass(frozen=True, slots=True)
class PointsScored:
    """``dealt`` is the damage behind it, ``points`` what counted after the cap."""

    player: int
    reason: Reason
    dealt: int
    points: int


@dataclass(frozen=True, slots=True)
class LifeChanged:
    player: int
    by: int


@dataclass(frozen=True, slots=True)
class PoisonChanged:
    player: int
    by: int


@dataclass(frozen=True, slots=True)
class HoldChanged:
    player: int
    cannot_lose: bool
    cannot_win: bool


@dataclass(frozen=True, slots=True)
class TurnBegan:
    player: int


@dataclass(frozen=True, slots=True)
class HeroMoved:
    player: int
    to: Zone


@dataclass(frozen=True, slots=True)
class MonarchChanged:
    player: int | None


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """``barred`` players conceded with the penalty: they play no later game (906.10g)."""

    player: int
    reason: str
    barred: bool = False


@dataclass(frozen=True, slots=True)
class GameWon:
    """``side`` are those who win together, the player among them."""

    player: int
    by: str
    side: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameDrawn:
    """``players`` share the draw: who had lost before does not."""

    by: str
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """It is over, and was not about winning."""

    by: str


Event = (
    PointsScored
    | LifeChanged
    | PoisonChanged
    | HoldChanged
    | TurnBegan
    | HeroMoved
    | MonarchChanged
    | PlayerLeft
    | GameWon
    | GameDrawn
    | GameEnded
    | OwnEvent
)
