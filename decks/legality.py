"""Judging a list against the catalogue and a ban list: few queries, then rules only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.utils import timezone

from . import queries
from .models import BanList, Card, DeckRevision, Playing
from .queries import Ban
from .rules import checking, coalition, deck, lists, reports
from .rules.deck import Line, Report
from .rules.entries import DeckList, Entry
from .rules.rulesets import RULESETS, DeckRuleset, LevelerDeck


@dataclass(frozen=True)
class Read:
    """A list with its cards: the known ones by the name written, and what the others may be."""

    deck_list: DeckList
    cards: Mapping[str, Card]
    closest: Mapping[str, Sequence[str]]

    @cached_property
    def lines(self) -> list[Line]:
        """The lines whose card is known, as the rules see them. No query.

        Worked out once: a page judges a list under each ruleset of its format.
        """
        return [
            Line(
                entry.line,
                entry.count,
                queries.as_rules_see(self.cards[entry.name]),
                entry.section,
                entry.is_hero,
            )
            for entry in self.deck_list.entries
            if entry.name in self.cards
        ]

    @property
    def unknown(self) -> list[tuple[Entry, Sequence[str]]]:
        return [
            (entry, self.closest.get(entry.name, ()))
            for entry in self.deck_list.entries
            if entry.name not in self.cards
        ]


def read(text: str, ruleset: DeckRuleset) -> Read:
    """Return a list with its cards. Two queries, one more for unknown names.

    :raises Unreadable: if it is no list.
    """
    deck_list = lists.read(text, sub_decks=isinstance(ruleset, LevelerDeck))
    names = list(dict.fromkeys(entry.name for entry in deck_list.entries))
    cards = queries.find_cards(names)
    closest = queries.closest_names([name for name in names if name not in cards])
    return Read(deck_list, cards, closest)


def read_bans(ruleset: DeckRuleset, on: date, house: BanList | None = None) -> list[Ban]:
    """Return the ban list of a ruleset's format as it is on a day, or a house's. Two queries."""
    ban_list = house or queries.find_list(ruleset.format)
    return queries.read_bans(ban_list, on) if ban_list else []


def judge(
    found: Read,
    ruleset: DeckRuleset,
    entries: Sequence[Ban],
    *,
    hero: str | None = None,
    coalition_type: str | None = None,
) -> Report:
    """Return the report on a list. One query where the hero is of every type, else none."""
    lines = found.lines
    return checking.judge(
        ruleset,
        found.deck_list,
        lines,
        queries.bans(set(found.cards.values()), entries),
        unknown=found.unknown,
        hero=hero,
        coalition_type=coalition_type,
        every_type=_offered(coalition.find_heroes(lines, hero, found.deck_list.marks_hero)),
    )


def _offered(heroes: Sequence[deck.Card]) -> list[str]:
    """Return all creature types, if the deck is led by a card of every one."""
    return queries.creature_types() if any(hero.every_type for hero in heroes) else []


def format_of(ruleset_key: str) -> str:
    """Return the format of a ruleset by its key, nothing where none has deck rules."""
    ruleset = RULESETS.get(ruleset_key)
    return ruleset.format if ruleset else ""


class OtherFormat(ValueError):
    """A deck can't be judged under a ruleset of another format."""


def on_record(
    revision: DeckRevision,
    ruleset_key: str,
    house: BanList | None = None,
    on: date | None = None,
) -> dict[str, Any]:
    """Return the report on a deck as a set keeps it: how it is judged on a day, or today.

    With ``playing``: what the list says of playing illegal decks.

    :raises OtherFormat: if the deck is one of another format.
    """
    ruleset = RULESETS.get(ruleset_key)
    if ruleset is None or ruleset.format != RULESETS[revision.ruleset].format:
        raise OtherFormat()
    on = on or timezone.localdate()
    ban_list = house or queries.find_list(ruleset.format)
    bans = queries.read_bans(ban_list, on) if ban_list else []
    found = read(revision.text, ruleset)
    report = judge(found, ruleset, bans, coalition_type=revision.coalition_type or None)
    return reports.document(report) | {
        "judged_on": on.isoformat(),
        "playing": ban_list.illegal_decks if ban_list else Playing.WARN.value,
    }
