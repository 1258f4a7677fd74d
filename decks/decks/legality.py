"""Judging a deck list against the catalogue and a ban list: a few queries, then pure rules."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

from django.utils import timezone

from coalition_site.lib.refusals import Refused

from .. import queries
from ..catalogue import memory
from ..catalogue.known import Catalogue, KnownCard
from ..models import BanList, DeckRevision, Playing
from ..queries import Ban
from ..reading import lists
from ..reading.plain import Find
from ..rules import checking, coalition
from ..rules.comparing import Place
from ..rules.deck import Bans, Line, Report
from ..rules.entries import DeckList, Entry, LeftOut, Section, Unreadable
from ..rules.names import name_key
from ..rules.rulesets import RULESETS, DeckRuleset, LevelerDeck

NAMES_MAX = 250  # Leveler's has the most: 100 cards, no two the same


@dataclass(frozen=True)
class ResolvedList:
    """A deck list with its cards, and suggestions for others; ``as_of`` is that of the cards.

    ``sure`` are the suggestions that leave no doubt, each for a name.
    """

    deck_list: DeckList
    cards: Mapping[str, KnownCard]
    closest: Mapping[str, Sequence[str]]
    as_of: date | None = None
    sure: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def lines(self) -> list[Line]:
        """The lines with known cards. Cached: a page judges them under each of several rulesets."""
        return [
            Line(one.line, one.count, self.cards[one.name], one.section, one.is_hero)
            for one in self.deck_list.entries
            if one.name in self.cards
        ]

    @property
    def places(self) -> dict[str, dict[str, int]]:
        places = {place: Counter[str]() for place in ("main", "sideboard", "left_out")}
        listed: tuple[Entry | LeftOut, ...] = self.deck_list.entries + self.deck_list.left_out
        for one in listed:
            place = one.section.value if isinstance(one, Entry) else "left_out"
            card = self.cards.get(one.name)
            places.setdefault(place, Counter())[card.name if card else one.name] += one.count
        return {place: dict(counts) for place, counts in places.items()}


def read(text: str, ruleset: DeckRuleset, known: Catalogue | None = None) -> ResolvedList:
    """:raises Unreadable: if the text is not a deck list. Up to five queries."""
    if ruleset.by_name:
        return ResolvedList(_read_list(text, ruleset), {}, {})
    catalogue = known or memory.CATALOGUE.now()
    deck_list = lists.with_known_names(_read_list(text, ruleset, catalogue.find), catalogue.find)
    names = list(dict.fromkeys(entry.name for entry in deck_list.entries))
    cards = catalogue.find([*names, *(one.name for one in deck_list.left_out)])
    closest = catalogue.closest([name for name in names if name not in cards])
    sure = {name: some[0] for name, some in closest.items() if catalogue.is_sure(name, some)}
    return ResolvedList(deck_list, cards, closest, catalogue.as_of, sure)


def read_to_keep(text: str, ruleset: DeckRuleset) -> ResolvedList:
    """:raises Refused: if it has more names than any deck."""
    resolved = read_saved(text, ruleset)
    names = len({name_key(entry.name) for entry in resolved.deck_list.entries})
    if names > NAMES_MAX:
        raise Refused(
            f"A deck has at most {NAMES_MAX} different cards, and this list has {names}. "
            "Send the list of a single deck."
        )
    return resolved


def _read_list(text: str, ruleset: DeckRuleset, find: Find | None = None) -> DeckList:
    # Where cards are known by name, blank lines part nothing, and names that differ in case or
    # accents are the same card's.
    deck_list = lists.read(text, sub_decks=isinstance(ruleset, LevelerDeck), find=find)
    if not ruleset.by_name:
        return deck_list
    names: dict[str, str] = {}
    entries = tuple(
        replace(
            entry,
            name=names.setdefault(name_key(entry.name), entry.name),
            section=Section.MAIN,
            is_hero=False,
        )
        for entry in deck_list.entries
    )
    return replace(deck_list, entries=entries)


def read_saved(text: str, ruleset: DeckRuleset) -> ResolvedList:
    if not text.strip():  # of a deck just begun
        return ResolvedList(DeckList(()), {}, {})
    return read(text, ruleset)


def read_all(revisions: Iterable[DeckRevision]) -> Iterator[tuple[DeckRevision, ResolvedList]]:
    """Yield revisions with their lists, but those that can't be read: they were never legal."""
    catalogue = memory.CATALOGUE.now()
    for revision in revisions:
        with suppress(Unreadable):
            yield revision, read(revision.text, RULESETS[revision.ruleset], catalogue)


def read_bans(ruleset: DeckRuleset, on: date, house: BanList | None = None) -> Sequence[Ban]:
    """Return the bans on a day: of a house list, else of the ruleset's format. Up to 3 queries."""
    return memory.BAN_LISTS.now().entries(ruleset.format, house, on)


def bans_of(resolved: ResolvedList, ruleset: DeckRuleset, entries: Sequence[Ban]) -> Bans:
    if ruleset.by_name:
        return queries.bans_by_name(entries)
    return queries.bans(set(resolved.cards.values()), entries)


def judge(
    resolved: ResolvedList,
    ruleset: DeckRuleset,
    entries: Sequence[Ban],
    *,
    hero: str | None = None,
    coalition_type: str | None = None,
) -> Report:
    """Return the report on a deck list. A query only if its hero has every creature type."""
    lines, unknown = resolved.lines, []
    for entry in resolved.deck_list.entries:
        if entry.name not in resolved.cards:
            unknown.append((entry, resolved.closest.get(entry.name, ())))
    heroes = coalition.find_heroes(lines, hero, resolved.deck_list.marks_hero)
    return checking.judge(
        ruleset,
        resolved.deck_list,
        lines,
        bans_of(resolved, ruleset, entries),
        unknown=unknown,
        hero=hero,
        coalition_type=coalition_type,
        every_type=memory.CATALOGUE.now().types if any(card.every_type for card in heroes) else (),
    )


def format_of(ruleset_key: str) -> str:
    ruleset = RULESETS.get(ruleset_key)
    return ruleset.format if ruleset else ""


class OtherFormat(Refused):
    """A deck can't be judged under a ruleset of another format."""


def copies_by_place(*lists: ResolvedList) -> list[Counter[Place]]:
    """Return how many copies of each known card are where, or of each name if none is known."""
    spelled: dict[str, str] = {}
    found = []
    for resolved in lists:
        counts = Counter[Place]()
        for entry in resolved.deck_list.entries:
            if card := resolved.cards.get(entry.name):
                counts[card.name, entry.section.value] += entry.count
            elif not resolved.cards:  # of a game that no catalogue has
                name = spelled.setdefault(name_key(entry.name), entry.name)
                counts[name, entry.section.value] += entry.count
        found.append(counts)
    return found


def report_to_store(
    revision: DeckRevision,
    ruleset_key: str,
    house: BanList | None = None,
    on: date | None = None,
) -> dict[str, Any]:
    """:raises OtherFormat: if the deck was built for another format."""
    ruleset = RULESETS.get(ruleset_key)
    if ruleset is None or ruleset.format != RULESETS[revision.ruleset].format:
        raise OtherFormat()
    on = on or timezone.localdate()
    ban_list = house or queries.find_list(ruleset.format)
    resolved, bans = read(revision.text, ruleset), read_bans(ruleset, on, house)
    report = judge(resolved, ruleset, bans, coalition_type=revision.coalition_type)
    return report.document() | {
        "judged_on": on.isoformat(),
        "playing": ban_list.illegal_decks if ban_list else Playing.WARN.value,
    }
