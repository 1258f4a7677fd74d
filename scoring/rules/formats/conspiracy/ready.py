"""Before a game: who has yet to seal or to keep a hand, and when sealing is open again."""

from collections.abc import Sequence
from itertools import pairwise

from ...corrections import Correction, Entry, Undo
from ...errors import RuleError
from ...ruleset import Preparation
from ...state import GameState
from ...taps import Seen, Tapped
from .state import facts_of, game_of
from .zone import Disclose, PutAgenda, PutConspiracy, TurnUp

ZONE, HAND = "conspiracies", "hand"  # what players say is done
SCOREKEEPER = 0  # in the place of a seat


class NotReady(RuleError):
    text = "{player}{others} not ready yet: begin without them?"
    advice = "If so, the scorekeeper taps “Begin without waiting” first."


class SealersFirst(RuleError):
    text = (
        "The start was undone. Nothing more is sealed until everybody who had sealed opens the "
        "sealing again, on the page of the own seat: {player} has yet to do it."
    )


def undone_start(entries: Sequence[Entry]) -> int | None:
    """Return the number of the undo after which the game is to begin again; 0 if it never began,
    None if more than one entry began it, or if anything was revealed.

    >>> from ...moves import PassTurn
    >>> undone_start([PutConspiracy(1, "Weight Advantage"), PassTurn(), Undo(2)])
    3
    >>> undone_start([PassTurn(), PassTurn(), Undo(2), Undo(1)])
    """
    # A stray tap shows nobody more; whoever saw how a game begins knows better what to name.
    undone = 0
    for number, (entry, then) in enumerate(pairwise([*entries, None]), 1):
        if isinstance(entry, PutAgenda | PutConspiracy | Correction):
            continue
        if isinstance(entry, TurnUp | Disclose) or not isinstance(then, Undo):
            return None
        undone = number + 1
    return undone


def missing(state: GameState, prepared: Preparation) -> dict[int, list[str]]:
    """Return by seat what players with phones have yet to say, if that matters."""
    start = undone_start(prepared.entries)
    if not _may_say(state, start) or f"begin {start}" in prepared.ready.get(SCOREKEEPER, ()):
        return {}
    left = {
        seat: [word for word in (ZONE, HAND) if word not in prepared.ready.get(seat, ())]
        for seat in sorted(prepared.linked & set(state.in_game))
    }
    return {seat: words for seat, words in left.items() if words}


def keeping_closed(state: GameState, prepared: Preparation) -> list[int]:
    """Return whose phones sealed before a start that was undone, and do not agree to more."""
    # Who sealed on the scorekeeper's phone is asked at the table.
    start = undone_start(prepared.entries) or 0
    sealed = {entry.player for entry in prepared.entries[:start] if isinstance(entry, PutAgenda)}
    return [
        seat
        for seat in sorted(sealed & prepared.linked)
        if facts_of(state, seat).agendas and f"open {start}" not in prepared.ready.get(seat, ())
    ]


def sayable(state: GameState, prepared: Preparation, seat: int) -> list[str]:
    """Return what can be said at a seat now, ``open`` and ``begin`` of the start in question."""
    start = undone_start(prepared.entries)
    if not _may_say(state, start):
        return []
    if seat == SCOREKEEPER:
        return [f"begin {start}"]
    return [ZONE, HAND, *([f"open {start}"] if seat in keeping_closed(state, prepared) else ())]


def require_ready(state: GameState, entry: Entry | Tapped, prepared: Preparation) -> None:
    """:raises NotReady: if an entry would begin a game for which somebody is not ready."""
    tapped = entry.tapped if isinstance(entry, Seen) else entry
    if isinstance(tapped, PutAgenda | PutConspiracy | Correction):
        return
    first, *others = [*missing(state, prepared), None]
    if first is not None:
        more = f" and {len(others) - 1} more are" if len(others) > 1 else " is"
        raise NotReady(player=first, others=more)


def _may_say(state: GameState, start: int | None) -> bool:
    return start is not None and not game_of(state).has_begun
