"""Judging a deck for Leveler: three sub-decks, one of each card (002)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .deck import Bans, Code, Line, Problem, Report
from .entries import LEVELS, Section
from .ordering import Copies, banned, by_card, cards, copies, in_order, size_problem
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
    of_cards = [problem for held in by_card(lines) for problem in _of_card(ruleset, held, bans)]
    return Report(
        ruleset=ruleset.key,
        counts={section.value: counts[section] for section in LEVELS},
        problems=in_order([*filter(None, sizes), *_outside(outside)], [*unread, *of_cards]),
    )


def _outside(count: int) -> Iterator[Problem]:
    if count:
        yield Problem(
            Code.SUB_DECK_SIZE,
            f"{cards(count)} outside of the sub-decks: put each into one of them, or take it out.",
        )


def _of_card(ruleset: LevelerDeck, held: Copies, bans: Bans) -> Iterator[Problem]:
    card = held.card
    if held.count > 1 and not card.is_basic:
        yield held.problem(
            Code.NOT_SINGLETON,
            f"{copies(held.count)} of {card.name}: of each card but basic lands a deck has 1 "
            f"over all three sub-decks. Take out {held.count - 1}.",
        )
    ban = bans.banned.get(card.name)
    if ban:
        yield banned(held, ban)
    elif card.name in bans.allowed:
        return
    elif card.name in ruleset.banned:
        yield held.problem(Code.BANNED, f"{card.name} is banned in Leveler. Take it out.")
    elif card.banned_in_legacy:
        yield held.problem(
            Code.BANNED, f"{card.name} is banned in Legacy, so in Leveler too. Take it out."
        )
