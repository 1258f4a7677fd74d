"""A game as it stands: the fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ruleset import Ruleset

POISON_DEADLY = 10


class Zone(StrEnum):
    """Where a hero is; outside the game at the start of each game."""

    OUTSIDE = "outside"
    HAND = "hand"
    STACK = "stack"
    BATTLEFIELD = "battlefield"
    GRAVEYARD = "graveyard"
    EXILE = "exile"
    LIBRARY = "library"


class Status(StrEnum):
    IN_PROGRESS = "in progress"
    WON = "won"
    DRAWN = "drawn"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class PlayerState:
    """One player in one game. ``out`` says why the player left, None while in the game.

    A format with facts of its own has a subclass: with defaults, and of what JSON can keep, lists
    as tuples; a tuple of records has their class in its field's metadata, as ``of``.
    """

    life: int
    poison: int = 0
    points: int = 0
    out: str | None = None
    barred: bool = False
    cannot_lose: bool = False
    cannot_win: bool = False
    hero: Zone = Zone.OUTSIDE

    def changes(self, was: PlayerState) -> list[str]:
        """Return how a format's own facts of the player differ from what they were, in words."""
        return []


@dataclass(frozen=True, slots=True)
class GameState:
    """``players`` is keyed by seat number, in turn order, the starting player first.

    ``drew`` are those who share a draw. A format with facts of its own has a subclass, as of
    ``PlayerState``.
    """

    ruleset: Ruleset
    players: Mapping[int, PlayerState]
    active: int
    monarch: int | None = None
    hero_taken: bool = False
    status: Status = Status.IN_PROGRESS
    winner: int | None = None
    ended_by: str | None = None
    drew: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.status is not Status.IN_PROGRESS

    @property
    def in_game(self) -> tuple[int, ...]:
        """The seats still playing, in turn order."""
        return tuple(seat for seat, player in self.players.items() if player.out is None)

    @property
    def barred(self) -> frozenset[int]:
        """The seats that conceded with the penalty."""
        return frozenset(seat for seat, player in self.players.items() if player.barred)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, none where nobody did."""
        return () if self.winner is None else self.side_of(self.winner)

    @property
    def marks(self) -> str:
        """What of the game a format's own pad depends on, besides who is in it and active."""
        return ""

    @property
    def stamp(self) -> str:
        """What of the game a pad was made for: with another it would offer the wrong keys."""
        out = "".join(str(seat) for seat in self.players if seat not in self.in_game)
        return f"{self.active}-{out}{self.marks}"

    @property
    def headline(self) -> str:
        """What stands over the board where nobody has a turn."""
        return ""

    def changes(self, was: GameState) -> list[str]:
        """Return how a format's own facts of the game differ from what they were, in words."""
        return []

    def side_of(self, seat: int) -> tuple[int, ...]:
        """The seats that win and lose together with ``seat``, itself among them."""
        return (seat,)

    def opponents_of(self, seat: int) -> tuple[int, ...]:
        """The seats still playing besides the side of ``seat``, in turn order."""
        side = self.side_of(seat)
        return tuple(other for other in self.in_game if other not in side)

    def next_after(self, seat: int) -> int:
        """Return who of those still playing comes after ``seat``; itself when alone."""
        order = list(self.players)
        at = order.index(seat) + 1
        return next(other for other in order[at:] + order[:at] if self.players[other].out is None)


def new_game(ruleset: Ruleset, turn_order: tuple[int, ...]) -> GameState:
    """Return a game at its start; ``turn_order`` has the starting player first."""
    players = {seat: ruleset.player(life=ruleset.life) for seat in turn_order}
    state = ruleset.game(ruleset=ruleset, players=players, active=turn_order[0])
    return ruleset.begin(state)


def with_player(state: GameState, seat: int, **changes: object) -> GameState:
    """Return a state in which something of one player is otherwise."""
    player = replace(state.players[seat], **changes)  # type: ignore[arg-type]
    return replace(state, players={**state.players, seat: player})
