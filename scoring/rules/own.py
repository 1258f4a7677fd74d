"""What players report of themselves on their own phones, as far as their format and table let
them."""

from .damage import DealDamage, Kind
from .move import Move
from .moves import ChangeLife, ChangePoison
from .words import Sentence, signed

LIFE_AND_HITS: frozenset[type[Move]] = frozenset({ChangeLife, ChangePoison, DealDamage})
"""Of formats with life."""


def concerns(move: Move, seat: int) -> bool:
    """Return whether a move is about one player's seat alone; a hit also if the player dealt it.

    >>> both = ChangeLife({1: 3, 2: 3})
    >>> concerns(ChangeLife({2: 3}), 2), concerns(ChangeLife({2: 3}), 1), concerns(both, 2)
    (True, False, False)
    """
    match move:
        case ChangeLife(changes) | ChangePoison(changes):
            return set(changes) == {seat}
        case DealDamage((hit,)):
            others = {hit.source, hit.target} - {seat}
            return seat in (hit.source, hit.target) and others not in (set(), {None})
    named = getattr(move, "players", None) or (getattr(move, "player", None),)
    return tuple(named) == (seat,)


def brief(move: Move, seat: int) -> Sentence:
    """Return an own move of a player in as few words as fit on a key.

    >>> brief(ChangePoison({2: 1}), 2), brief(ChangeLife({2: -4}), 2)
    ([2, ': ', '+1 poison'], [2, ': ', '−4 life'])
    """
    match move:
        case ChangeLife(changes):
            words: Sentence = [f"{signed(changes[seat])} life"]
        case ChangePoison(changes):
            words = [f"{signed(changes[seat])} poison"]
        case DealDamage((hit,)):
            kind = "" if hit.kind is Kind.COMBAT else f", {hit.label}"
            way, other = ("from", hit.source) if hit.target == seat else ("to", hit.target)
            words = [f"{hit.amount} {way} ", other or "nobody", kind]
        case _:
            words = move.sentence()
    return words if words[0] == seat else [seat, ": ", *words]
