"""What players may report of themselves, where their table wants that: own life and poison, hits
that they took or dealt. All else is the scorekeeper's."""

from .damage import DealDamage, Kind
from .move import Move
from .moves import ChangeLife, ChangePoison
from .ruleset import Ruleset
from .words import Sentence, signed

OWN_MOVES: frozenset[type[Move]] = frozenset({ChangeLife, ChangePoison, DealDamage})


def has_own_moves(ruleset: Ruleset) -> bool:
    return ruleset.moves >= OWN_MOVES


def is_own(move: Move, seat: int) -> bool:
    """
    >>> [is_own(ChangeLife({2: 3}), seat) for seat in (1, 2)], is_own(ChangeLife({1: 3, 2: 3}), 2)
    ([False, True], False)
    """
    match move:
        case ChangeLife(changes) | ChangePoison(changes):
            return set(changes) == {seat}
        case DealDamage((hit,)):
            others = {hit.source, hit.target} - {seat}
            return seat in (hit.source, hit.target) and others not in (set(), {None})
    return False


def brief(move: Move, seat: int) -> Sentence:
    """Return an own move of a player in as few words as fit on a key.

    >>> brief(ChangePoison({2: 1}), 2), brief(ChangeLife({2: -4}), 2)
    (['+1 poison'], ['−4 life'])
    """
    match move:
        case ChangeLife(changes):
            return [f"{signed(changes[seat])} life"]
        case ChangePoison(changes):
            return [f"{signed(changes[seat])} poison"]
        case DealDamage((hit,)):
            kind = "" if hit.kind is Kind.COMBAT else f", {hit.label}"
            way, other = ("from", hit.source) if hit.target == seat else ("to", hit.target)
            return [f"{hit.amount} {way} ", other or "nobody", kind]
    return move.brief()
