"""A game as it stands: the fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from . import events as ev
from .formats import Ruleset
from .moves import Zone

POISON_DEADLY = 10


class Status(StrEnum):
    IN_PROGRESS = "in progress"
    WON = "won"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class PlayerState:
    """One player in one game. ``out`` says why the player left, None while in the game."""

    life: int
    poison: int = 0
    points: int = 0
    out: str | None = None
    barred: bool = False
    cannot_lose: bool = False
    cannot_win: bool = False
    hero: Zone = Zone.OUTSIDE


@dataclass(frozen=True, slots=True)
class GameState:
    """``players`` is keyed by seat number, in turn order, the starting player first."""

    ruleset: Ruleset
    players: Mapping[int, PlayerState]
    active: int
    monarch: int | None = None
    hero_taken: bool = False
    status: Status = Status.IN_PROGRESS
    winner: int | None = None
    ended_by: str | None = None

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

    def opponents_of(self, seat: int) -> tuple[int, ...]:
        """The seats still playing besides ``seat``, in turn order."""
        return tuple(other for other in self.in_game if other != seat)

    def next_after(self, seat: int) -> int:
        """Return who of those still playing comes after ``seat``; itself when alone."""
        order = list(self.players)
        at = order.index(seat) + 1
        return next(other for other in order[at:] + order[:at] if self.players[other].out is None)


def new_game(ruleset: Ruleset, turn_order: tuple[int, ...]) -> GameState:
    """Return a game at its start; ``turn_order`` has the starting player first."""
    players = {seat: PlayerState(life=ruleset.life) for seat in turn_order}
    return GameState(ruleset=ruleset, players=players, active=turn_order[0])


def evolve(state: GameState, event: ev.Event) -> GameState:
    """Return the state after ``event``. Facts are not judged here: ``decide`` has."""
    match event:
        case ev.PointsScored(player=seat, points=points):
            return _with(state, seat, points=state.players[seat].points + points)
        case ev.LifeChanged(player=seat, by=by):
            return _with(state, seat, life=state.players[seat].life + by)
        case ev.PoisonChanged(player=seat, by=by):
            return _with(state, seat, poison=state.players[seat].poison + by)
        case ev.HoldChanged(player=seat, cannot_lose=lose, cannot_win=win):
            return _with(state, seat, cannot_lose=lose, cannot_win=win)
        case ev.TurnBegan(player=seat):
            return replace(state, active=seat, hero_taken=False)
        case ev.HeroMoved(player=seat, to=zone):
            taken = state.hero_taken or state.players[seat].hero is Zone.OUTSIDE
            return replace(_with(state, seat, hero=zone), hero_taken=taken)
        case ev.MonarchChanged(player=monarch):
            return replace(state, monarch=monarch)
        case ev.PlayerLeft(player=seat, reason=reason, barred=barred):
            return _with(state, seat, out=reason, barred=barred)
        case ev.GameWon(player=seat, by=by):
            return replace(state, status=Status.WON, winner=seat, ended_by=by)
        case ev.GameDrawn(by=by):
            return replace(state, status=Status.DRAWN, ended_by=by)


def _with(state: GameState, seat: int, **changes: object) -> GameState:
    player = replace(state.players[seat], **changes)  # type: ignore[arg-type]
    return replace(state, players={**state.players, seat: player})
