"""What the document (004) says about the present moment of the game."""

from ...move import Move
from ...moves import PassTurn
from ...words import Sentence, listed
from .moves import Act, BeginPhase, PassPriority
from .state import BATTLEFIELD, War, commander_of

HANDS = "Teammates may show each other their hands and talk, but touch only their own cards."
TRIGGERS = "“At the beginning of” this turn or phase triggers once for each player of the team."


def due(state: War) -> list[Sentence]:
    when = (
        f"’s turn, {state.phase} phase"
        if state.priority == state.active_team
        else f" act or pass, in the other team’s {state.phase} phase"
    )
    sentences: list[Sentence] = [[*listed(state.acting), when]]
    if state.phase == BATTLEFIELD and state.attacked:
        seat, zone = state.attacked
        sentences += [[f"Only the {zone} of ", seat, " is attacked: only cards in it defend"]]
    elif state.phase == BATTLEFIELD:
        sentences += [[state.active, ", the Commander, chooses the one zone that the team attacks"]]
    return sentences


def reminders(state: War, latest: Move | None) -> list[Sentence]:
    """Return what players should think of now; ``latest`` is the last move in force."""
    if state.is_over:
        return []
    lines: list[Sentence] = []
    if latest is None:
        lines += [[HANDS]]
    if latest is None or isinstance(latest, PassTurn | BeginPhase):
        lines += [[TRIGGERS]]
    match latest:
        case BeginPhase() if latest.to:
            lines += [["An extra or skipped phase goes for the whole team."]]
        case Act(player=seat):
            lines += [
                ["“Each opponent” on the card: one opposing player, whom ", seat, " chooses."],
                [commander_of(state, seat), ", the Commander, orders what the team does at once."],
            ]
        case PassPriority() if state.passes:
            lines += [["A team passes as one: only when none of its players wants to act."]]
    return lines
