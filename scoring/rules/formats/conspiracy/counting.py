"""How votes are counted, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence

from ...words import count, series

WILL, DILEMMA = "will of the council", "council's dilemma"


def result(kind: str, tally: Sequence[tuple[str, int]]) -> str:
    """Return how a vote ended, in words.

    >>> result(WILL, [("grace", 3), ("guilt", 1)])
    'Will of the council: grace (grace 3, guilt 1)'
    >>> result(WILL, [("grace", 2), ("guilt", 2)])
    'Will of the council: a tie of grace and guilt, 2 votes each'
    >>> result(DILEMMA, [("feather", 2), ("quill", 0)])
    "Council's dilemma, in this order: feather 2, quill 0"
    """
    counted = _counted(tally)
    if kind == DILEMMA:
        return f"Council's dilemma, in this order: {counted}"
    most = max(votes for _, votes in tally)
    first = [option for option, votes in tally if votes == most]
    if len(first) == 1:
        return f"Will of the council: {first[0]} ({counted})"
    return f"Will of the council: a tie of {series(first)}, {count(most, 'vote')} each"


def cut_off(tally: Sequence[tuple[str, int]]) -> str:
    """Return how a vote stood that the end of the game cut off, in words.

    >>> cut_off([("grace", 1), ("guilt", 0)])
    'Not finished: grace 1, guilt 0'
    """
    return f"Not finished: {_counted(tally)}"


def standing(tally: Sequence[tuple[str, int]]) -> str:
    """Return the options of a vote that goes on, with the votes so far.

    >>> standing([("grace", 1), ("guilt", 0)])
    '(so far grace 1, guilt 0)'
    >>> standing([("grace", 0), ("guilt", 0)])
    'for grace or guilt'
    """
    if not any(votes for _, votes in tally):
        return f"for {series([option for option, _ in tally], ' or ')}"
    return f"(so far {_counted(tally)})"


def _counted(tally: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{option} {votes}" for option, votes in tally)
