"""A game as it stands after the effects of its moves."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

from .values import Value

if TYPE_CHECKING:
    from .ruleset import Ruleset

State = TypeVar("State", bound="GameState | PlayerState")

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


class PlayerState(Value):
    """``out`` is why the player left, None while in the game.

    A format's subclass has fields with defaults and values that JSON can store, tuples for lists;
    the field of a tuple of records has their class in its metadata, as ``of``. ``stored`` names the
    fields in the order of stored rows: new names go last.
    """

    stored: ClassVar[tuple[str, ...]] = (
        *("life", "poison", "points", "out", "barred", "cannot_lose", "cannot_win", "hero"),
    )

    life: int
    poison: int = 0
    points: int = 0
    out: str | None = None
    barred: bool = False
    cannot_lose: bool = False
    cannot_win: bool = False
    hero: Zone = Zone.OUTSIDE

    @classmethod
    def of(cls, state: "GameState", seat: int) -> Self:
        player = state.players[seat]
        assert isinstance(player, cls)
        return player

    def changes(self, was: "PlayerState") -> list[str]:
        """Return in words how the format's own fields differ from what they were."""
        return []


class GameState(Value):
    """``players`` is by seat, in turn order. ``drew`` are those who share a draw."""

    stored: ClassVar[tuple[str, ...]] = ()  # of a format's own fields

    ruleset: "Ruleset"
    players: Mapping[int, PlayerState]
    active: int
    monarch: int | None = None
    hero_taken: bool = False
    status: Status = Status.IN_PROGRESS
    winner: int | None = None
    ended_by: str | None = None
    drew: tuple[int, ...] = ()

    @classmethod
    def of(cls, state: "GameState") -> Self:
        assert isinstance(state, cls)
        return state

    @property
    def is_over(self) -> bool:
        return self.status is not Status.IN_PROGRESS

    @property
    def entered_for(self) -> str:
        """The day for which the game's result was entered; "" where the game was scored."""
        return ""

    @property
    def in_game(self) -> tuple[int, ...]:
        return tuple(seat for seat, player in self.players.items() if player.out is None)

    @property
    def barred(self) -> frozenset[int]:
        return frozenset(seat for seat, player in self.players.items() if player.barred)

    @property
    def winners(self) -> tuple[int, ...]:
        return () if self.winner is None else self.side_of(self.winner)

    @property
    def marks(self) -> str:
        return ""  # the part of ``stamp`` that belongs to the format

    @property
    def stamp(self) -> str:
        """What the keys of a pad depend on: a pad with another stamp is out of date."""
        out = ""
        for seat, player in self.players.items():
            out += "" if player.out is None else str(seat)
        return f"{self.active}-{out}{self.marks}"

    @property
    def turns(self) -> str:
        """The seats still playing as one text, in turn order from the active player on."""
        seats = "".join(map(str, self.in_game))
        before, active, after = seats.partition(str(self.active))
        return active + after + before

    @property
    def seen(self) -> str:
        """What a page shows of the game that a tap may hinge on: see ``Seen`` in ``taps.py``. After
        the ``turns`` each is ``name:value``."""
        return f"{self.turns} marks:{self.marks}" if self.marks else self.turns

    @property
    def headline(self) -> str:
        """The heading of a board on which no single player has the turn."""
        return ""

    def changes(self, was: "GameState") -> list[str]:
        return []

    def side_of(self, seat: int) -> tuple[int, ...]:
        """Return the seats that win and lose together with ``seat``, itself among them."""
        return (seat,)

    def leader_of(self, seat: int) -> int:
        """Return the seat that stands for the side of ``seat``, as its winner."""
        return seat

    @property
    def acting(self) -> tuple[int, ...]:
        return self.side_of(self.active)

    def opponents_of(self, seat: int) -> tuple[int, ...]:
        side = self.side_of(seat)
        return tuple(other for other in self.in_game if other not in side)

    def next_after(self, seat: int) -> int:
        order = list(self.players)
        at = order.index(seat) + 1
        return min(self.in_game, key=[*order[at:], *order[:at]].index)


def new_game(ruleset: "Ruleset", turn_order: tuple[int, ...]) -> GameState:
    players = {seat: ruleset.player(life=ruleset.life) for seat in turn_order}
    state = ruleset.game(ruleset=ruleset, players=players, active=turn_order[0])
    return ruleset.begin(state)


def changed(state: State, **changes: object) -> State:
    """Return a copy with changes; ``dataclasses.replace`` would take four times as long."""
    after = object.__new__(type(state))
    after.__dict__.update(state.__dict__)
    after.__dict__.update(changes)
    return after


def with_player(state: GameState, seat: int, **changes: object) -> GameState:
    player = changed(state.players[seat], **changes)
    return changed(state, players={**state.players, seat: player})
