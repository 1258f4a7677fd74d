"""What the document (004) says: about the present moment, and as answers to questions, with the
phases in which each matters."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...move import Move
from ...moves import PassTurn
from ...words import Sentence, listed, series, times
from .moves import Act, BeginPhase, PassPriority
from .state import (
    BATTLEFIELD,
    CAPITAL,
    KINGDOM,
    PHASES,
    QUEST,
    ZONES_A_PLAYER,
    War,
    zones_to_burn,
)

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
                [state.leader_of(seat), ", the Commander, orders what the team does at once."],
            ]
        case PassPriority() if state.passes:
            lines += [["A team passes as one: only when none of its players wants to act."]]
    return lines


CARDS = CAPITAL, BATTLEFIELD
"""The phases in which most cards are played."""


class RuleAnswer(NamedTuple):
    """``phases`` are those in which it matters most; none where it matters in all alike."""

    question: str
    text: Sentence
    phases: tuple[str, ...] = ()


OF_CARDS = (
    RuleAnswer("“You” on a card", ["The player of the card alone, not the team."], CARDS),
    RuleAnswer("“Each player” on a card", ["Every player of both teams."], CARDS),
    RuleAnswer(
        "“Each opponent” on a card",
        ["One player of the other team only. The card’s player chooses whom."],
        CARDS,
    ),
)
OF_TEAMS = (
    RuleAnswer(
        "What do teammates share?",
        ["The turn and its phases. Hands, resources and decks are each player’s own."],
        (KINGDOM, QUEST, CAPITAL),
    ),
    RuleAnswer(
        "May we look at each other’s hands, and talk?",
        [
            "Yes, as long as it does not slow the game down. "
            "Nobody touches a teammate’s cards, in hand or in play."
        ],
        (QUEST, CAPITAL),
    ),
    RuleAnswer(
        "May I show a teammate a hidden card?",
        [
            "Yes: a development, a card of a deck or of an opponent’s hand. What one of the team "
            "may look at, all of the team may."
        ],
        (QUEST, CAPITAL),
    ),
)
OF_ACTING = (
    RuleAnswer(
        "How does a team pass?",
        [
            "As one: when none of its players wants to act. If both teams pass in a row, what was "
            "played last happens, and the team whose turn it is has priority again."
        ],
    ),
    RuleAnswer(
        "Who has the turn?",
        ["The team, not a player. Teammates go through each phase at the same time."],
        (KINGDOM,),
    ),
    RuleAnswer(
        "A card gives a player one more phase, or takes a phase away. Who has it?",
        ["The whole team takes the extra phase, or skips the phase."],
    ),
)
OF_THE_MATCH = (
    RuleAnswer(
        "My deck is empty, or my three zones burn. Do I play on?",
        ["Yes. Players win and lose as a team only."],
        (QUEST, BATTLEFIELD),
    ),
    RuleAnswer(
        "How many games decide the match?",
        ["One. Teams talk and attack once in a turn, so a game takes longer than a duel."],
        (KINGDOM,),
    ),
    RuleAnswer(
        "Which cards are banned or restricted?",
        ["Those that are where your cards are played. Nothing else is."],
        (KINGDOM,),
    ),
)


def answers(state: War) -> Iterator[RuleAnswer]:
    first, second = state.commanders
    zones = ZONES_A_PLAYER * len(state.sides[0])
    yield from OF_CARDS
    yield RuleAnswer(
        "How do legends of the Eternal War cycle work?",
        [
            "A team has to burn one more zone for each of its players who has played one. ",
            *_now(state),
        ],
        (CAPITAL,),
    )
    yield RuleAnswer(
        "What is attacked?",
        [
            "A team attacks as one army, and one zone of one opposing capital. ",
            state.commanders[state.active_team],
            ", the Commander, chooses the zone, then each player of the team declares attackers. "
            "Only that zone is attacked, and only cards in it defend.",
        ],
        (BATTLEFIELD,),
    )
    yield from OF_TEAMS
    yield RuleAnswer(
        "What triggers at the beginning of a turn or phase?",
        [f"Once for each player of the team: {times(len(state.sides[0]))} in that turn or phase."],
    )
    yield RuleAnswer(
        "Who acts first in the team?",
        [
            "Teams have priority, not players. If teammates want to act at the same time, the "
            "Commander of the team orders that: ",
            first,
            " or ",
            second,
            ".",
        ],
    )
    yield from OF_ACTING
    yield RuleAnswer(
        "When does a team lose?",
        [
            f"At once, when {zones} of its zones burn (more against legends), or when none of its "
            "players has a card left in the deck."
        ],
        (QUEST, BATTLEFIELD),
    )
    yield RuleAnswer(
        "What is Realm Wars?",
        [f"Two teams of {len(state.sides[0])}, each with a Commander, play one game."],
        (KINGDOM,),
    )
    yield from OF_THE_MATCH


def _now(state: War) -> Sentence:
    needs = [zones_to_burn(state, team) for team in range(len(state.sides))]
    if len(set(needs)) == 1:
        return [f"Now each team wins at {needs[0]}."]
    first, second = (
        [*listed(side), f" win at {need}"] for side, need in zip(state.sides, needs, strict=True)
    )
    return ["Now ", *first, ", ", *second, "."]


def by_phase(phase: str, of_game: Iterable[RuleAnswer]) -> list[tuple[str, list[RuleAnswer]]]:
    groups: dict[str, list[RuleAnswer]] = {
        f"In the {phase} phase": [],
        "In every phase": [],
        f"In the other phases: {series([other for other in PHASES if other != phase])}": [],
    }
    now, always, later = groups.values()
    for answer in of_game:
        (always if not answer.phases else now if phase in answer.phases else later).append(answer)
    return list(groups.items())
