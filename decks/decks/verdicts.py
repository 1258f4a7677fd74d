"""Whether single cards may be in a deck, by the rules of the deck check."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Case, Q, Value, When
from django.db.models.lookups import Exact

from .. import queries
from ..catalogue import memory
from ..catalogue.known import KnownCard
from ..models import POOL, Legality, Status
from ..queries import Ban
from ..rules import checking
from ..rules.deck import Code, Line, Problem
from ..rules.entries import LEVELS, DeckList, Section
from ..rules.names import name_key
from ..rules.rulesets import CoalitionDeck, ConspiracyDeck, DeckRuleset, LevelerDeck

OF_THE_CARD = (Code.BANNED, Code.NOT_IN_POOL, Code.LEGENDARY)  # whatever else is in the deck


@dataclass(frozen=True)
class Verdict:
    """What a ruleset and a list say of a card; ``watched`` is why it is watched, if it is."""

    asked: str
    card: KnownCard | None
    problems: Sequence[Problem] = ()
    hero_only: bool = False  # only the hero of a deck may be this card
    watched: str | None = None
    closest: Sequence[str] = ()


def verdicts(names: Sequence[str], ruleset: DeckRuleset, bans: Sequence[Ban]) -> Iterator[Verdict]:
    catalogue = memory.CATALOGUE.now()
    cards = catalogue.find(names)
    closest = catalogue.closest([name for name in names if name not in cards])
    for name in names:
        card = cards.get(name)
        if card is None:
            yield Verdict(name, None, closest=closest.get(name, ()))
        else:
            yield verdict(name, card, ruleset, bans)


def verdict(asked: str, card: KnownCard, ruleset: DeckRuleset, bans: Sequence[Ban]) -> Verdict:
    # In the sideboard a card that can be the hero is the hero, which may be legendary.
    section = LEVELS[0] if isinstance(ruleset, LevelerDeck) else Section.SIDEBOARD
    if isinstance(ruleset, ConspiracyDeck):
        section = Section.MAIN
    lines = [Line(1, 1, card, section)]
    report = checking.judge(ruleset, DeckList(()), lines, queries.bans([card], bans))
    deciding = next((ban for ban in bans if ban.covers(card)), None)
    return Verdict(
        asked,
        card,
        [problem for problem in report.problems if problem.code in OF_THE_CARD],
        hero_only=card.can_lead and isinstance(ruleset, CoalitionDeck),
        watched=deciding.reason if deciding and deciding.status == Status.WATCHED else None,
    )


# --- the same, as conditions on the rows of cards ---
def has_status(wanted: Status, entries: Sequence[Ban]) -> Q:
    """Return the cards of which the first entry that covers them says this."""
    whens = []
    for (status, flag), some in groupby(entries, lambda entry: (entry.status, entry.field)):
        covered = Q(pk__in=frozenset[int]().union(*(entry.cards for entry in some)))
        whens.append(When(Q(**{flag: True}) if flag else covered, then=Value(status)))
    return Q(Exact(Case(*whens, default=Value("")), Value(wanted.value)))


def is_banned(ruleset: DeckRuleset, entries: Sequence[Ban]) -> Q:
    banned = has_status(Status.BANNED, entries)
    if not isinstance(ruleset, LevelerDeck):
        return banned
    by_ruleset = Q(legacy=Legality.BANNED) | Q(key__in=[*map(name_key, ruleset.banned)])
    return banned | (by_ruleset & ~has_status(Status.ALLOWED, entries))


def is_legal(ruleset: DeckRuleset, entries: Sequence[Ban]) -> Q:
    """Return the cards that may be in a deck, legendary ones only if they can be its hero."""
    legal = ~is_banned(ruleset, entries)
    if not isinstance(ruleset, CoalitionDeck):
        return legal
    is_legend = Q(is_legendary=True)
    if ruleset.bars_legendary_backs:
        is_legend |= Q(has_legendary_back=True)
    in_pool = Q(vintage__in=POOL) | has_status(Status.ALLOWED, entries)
    return legal & in_pool & (Q(can_lead=True) | ~is_legend)
