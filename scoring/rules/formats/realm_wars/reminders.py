"""What the document (004) says about the present moment of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...move import Move
from ...moves import PassTurn
from ...words import Sentence, listed
from .moves import Act, BeginPhase, DamageZone, EmptyDeck, PassPriority
from .state import BATTLEFIELD, ZONES, War, commander_of, lord_of


def reminders(state: War, latest: Move | None) -> list[Sentence]:
    """Return what players should think of now; ``latest`` is the last move in force."""
    if state.is_over:
        return []
    return [*_of_the_phase(state, latest), *_of_the_move(state, latest)]


def _of_the_phase(state: War, latest: Move | None) -> Iterator[Sentence]:
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
    if state.phase == BATTLEFIELD and state.attacked:
        seat, zone = state.attacked
        yield ["Only the ", str(zone), " of ", int(seat), " is attacked, and defended from."]
    elif state.phase == BATTLEFIELD:
        yield [state.active, ", the Commander, chooses the one zone that the team attacks."]


def _of_the_move(state: War, latest: Move | None) -> Iterator[Sentence]:
    match latest:
        case Act(player=seat):
            yield ["“Each opponent” on the card: one opposing player, whom ", seat, " chooses."]
            yield [commander_of(state, seat), ", the Commander, orders what the team does at once."]
        case PassPriority() if state.passes:
            yield ["A team passes as one: only when none of its players wants to act."]
        case PassPriority():
            yield ["Both teams passed: the top of the stack resolves, or the phase ends."]
        case DamageZone(players=seats) if any(_is_burnt_down(state, seat) for seat in seats):
            yield _play_on([seat for seat in seats if _is_burnt_down(state, seat)])
        case EmptyDeck(players=seats, empty=True):
            yield _play_on(seats)


def _play_on(seats: Sequence[int]) -> Sentence:
    plays = "plays on" if len(seats) == 1 else "play on"
    return [*listed(seats), f" {plays}: only a team wins or loses."]


def _is_burnt_down(state: War, seat: int) -> bool:
    return lord_of(state, seat).burning == len(ZONES)
