"""What the document (004) says about the present moment of the game."""

from __future__ import annotations

from collections.abc import Iterator

from ...move import Move
from ...moves import PassTurn
from ...words import Sentence, listed
from .moves import Act, BeginPhase, PassPriority
from .state import BATTLEFIELD, War, commander_of


def due(state: War) -> list[Sentence]:
    """Return which team acts now, and what the attack is about."""
    when = (
        f"’s turn, {state.phase} phase"
        if state.priority == state.active_team
        else f" act or pass, in the other team’s {state.phase} phase"
    )
    return [[*listed(state.acting), when], *_of_the_attack(state)]


def _of_the_attack(state: War) -> Iterator[Sentence]:
    if state.phase == BATTLEFIELD and state.attacked:
        seat, zone = state.attacked
        yield [f"Only the {zone} of ", int(seat), " is attacked: only cards in it defend"]
    elif state.phase == BATTLEFIELD:
        yield [state.active, ", the Commander, chooses the one zone that the team attacks"]


def reminders(state: War, latest: Move | None) -> list[Sentence]:
    """Return what players should think of now; ``latest`` is the last move in force."""
    if state.is_over:
        return []
    return [*_of_the_phase(latest), *_of_the_move(state, latest)]


def _of_the_phase(latest: Move | None) -> Iterator[Sentence]:
    if latest is None:
        yield [
            "Teammates may show each other their hands and talk, but touch only their own cards."
        ]
    if latest is None or isinstance(latest, PassTurn | BeginPhase):
        yield [
            "“At the beginning of” this turn or phase triggers once for each player of the team."
        ]
    if isinstance(latest, BeginPhase) and latest.to:
        yield ["An extra or skipped phase goes for the whole team."]


def _of_the_move(state: War, latest: Move | None) -> Iterator[Sentence]:
    match latest:
        case Act(player=seat):
            yield ["“Each opponent” on the card: one opposing player, whom ", seat, " chooses."]
            yield [commander_of(state, seat), ", the Commander, orders what the team does at once."]
        case PassPriority() if state.passes:
            yield ["A team passes as one: only when none of its players wants to act."]
