"""The deck check for Leveler: three sub-decks, with one copy of each card (002)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .deck import Bans, Code, Line, Problem, Report
from .entries import LEVELS, Section
from .ordering import (
    Copies,
    banned,
    by_card,
    cards_in_words,
    copies_in_words,
    in_order,
    size_problem,
)
from .rulesets import LevelerDeck


def judge(
    ruleset: LevelerDeck,
    lines: Sequence[Line],
    bans: Bans,
    counts: Mapping[Section, int],
    unread: Sequence[Problem],
) -> Report:
    """Return the report on a deck of three sub-decks."""
    sizes = [
        size_problem(Code.SUB_DECK_SIZE, f"Sub-deck {level}", counts[section], size, size)
        for level, (section, size) in enumerate(zip(LEVELS, ruleset.sub_decks, strict=True), 1)
    ]
    outside = sum(count for section, count in counts.items() if section not in LEVELS)
    of_cards = [problem for copies in by_card(lines) for problem in _of_card(ruleset, copies, bans)]
    return Report(
        ruleset=ruleset.key,
        counts={section.value: counts[section] for section in LEVELS},
        problems=in_order([*filter(None, sizes), *_outside(outside)], [*unread, *of_cards]),
    )


def _outside(count: int) -> Iterator[Problem]:
    if count:
        yield Problem(
            Code.SUB_DECK_SIZE,
            f"{cards_in_words(count)} outside of the sub-decks: move each into a sub-deck, "
            "or take it out.",
        )


def _of_card(ruleset: LevelerDeck, copies: Copies, bans: Bans) -> Iterator[Problem]:
    card = copies.card
    if copies.count > 1 and not card.is_basic:
        yield copies.problem(
            Code.NOT_SINGLETON,
            f"{copies_in_words(copies.count)} of {card.name}: across all three sub-decks "
            f"a deck has one copy of each card except basic lands. Take out {copies.count - 1}.",
        )
    ban = bans.banned.get(card.name)
    if ban:
        yield banned(copies, ban)
    elif card.name in bans.allowed:
        return
    elif card.name in ruleset.banned:
        yield copies.problem(Code.BANNED, f"{card.name} is banned in Leveler. Take it out.")
    elif card.banned_in_legacy:
        yield copies.problem(
            Code.BANNED, f"{card.name} is banned in Legacy, and so in Leveler too. Take it out."
        )
