"""Which cards are legal or banned, as sets: what ``legality.verdicts`` says of each card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..catalogue.index import Index
from ..models import Status
from ..queries import Ban
from ..rules.names import name_key
from ..rules.rulesets import CoalitionDeck, DeckRuleset, LevelerDeck

REMEMBERED_MAX = 32  # rulesets and days; 4 kB for each set of cards


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Sets:
    """The cards that a ruleset with its ban list bans, allows from outside, watches, and takes.

    ``legal`` cards may be in a deck, legendary ones only if they can be its hero.
    """

    banned: int
    allowed: int
    watched: int
    legal: int


# With what they were made of: an id means nothing once its object is gone.
_remembered: dict[tuple[int, int, str], tuple[Index, Sequence[Ban], Sets]] = {}


def sets(index: Index, ruleset: DeckRuleset, entries: Sequence[Ban]) -> Sets:
    """Return what a ruleset and the entries of a day say of all cards."""
    key = (id(index), id(entries), ruleset.key)
    if key not in _remembered:
        if len(_remembered) >= REMEMBERED_MAX:
            _remembered.clear()
        _remembered[key] = index, entries, _sets(index, ruleset, entries)
    return _remembered[key][2]


def _sets(index: Index, ruleset: DeckRuleset, entries: Sequence[Ban]) -> Sets:
    banned, allowed, watched = _listed(index, entries)
    if isinstance(ruleset, LevelerDeck):
        banned |= _banned_in_leveler(index, ruleset) & ~allowed
        return Sets(banned, allowed, watched, index.all & ~banned)
    if not isinstance(ruleset, CoalitionDeck):
        return Sets(banned, allowed, watched, index.all & ~banned)
    legends = index.flags["is_legendary"]
    if ruleset.bars_legendary_backs:
        legends |= index.flags["has_legendary_back"]
    legal = (index.in_pool | allowed) & ~banned & ~(legends & ~index.flags["can_lead"])
    return Sets(banned, allowed, watched, legal)


def _listed(index: Index, entries: Sequence[Ban]) -> tuple[int, int, int]:
    """Return what a list bans, allows and watches.

    Entries of higher precedence are applied later, so that they win.
    """
    banned = allowed = watched = 0
    for entry in reversed(entries):
        covered = index.flags[entry.field] if entry.field else index.of_rows(entry.cards)
        if entry.status == Status.WATCHED:
            watched |= covered
            continue
        watched &= ~covered
        banned = banned | covered if entry.status == Status.BANNED else banned & ~covered
        allowed = allowed | covered if entry.status == Status.ALLOWED else allowed & ~covered
    return banned, allowed, watched


def _banned_in_leveler(index: Index, ruleset: LevelerDeck) -> int:
    cards = index.legalities["legacy", "banned"]
    for name in ruleset.banned:
        cards |= index.named(name_key(name))
    return cards
