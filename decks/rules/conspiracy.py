"""The deck check for Conspiracy: a deck out of a drafted pool, conspiracies beside it (003)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .deck import Bans, Code, Line, Problem, Report
from .entries import Section
from .ordering import Copies, banned, by_card, cards_in_words, in_order
from .rulesets import ConspiracyDeck


def judge(
    ruleset: ConspiracyDeck,
    lines: Sequence[Line],
    bans: Bans,
    counts: Mapping[Section, int],
    unread: Sequence[Problem],
) -> Report:
    """Return the report on a deck; what is not in it is the rest of the pool."""
    in_deck = [line for line in lines if line.section is Section.MAIN]
    conspiracies = sum(line.count for line in in_deck if line.card.is_conspiracy)
    cards = counts[Section.MAIN] - conspiracies
    of_cards = [problem for copies in by_card(in_deck) for problem in _of_card(copies, bans)]
    return Report(
        ruleset=ruleset.key,
        counts={Section.MAIN.value: cards, Section.SIDEBOARD.value: counts[Section.SIDEBOARD]},
        problems=in_order([*_size(ruleset, cards)], [*unread, *of_cards]),
    )


def _size(ruleset: ConspiracyDeck, cards: int) -> Iterator[Problem]:
    missing = ruleset.main_min - cards
    if missing > 0:
        yield Problem(
            Code.MAIN_SIZE,
            f"The deck has {cards_in_words(cards)} and needs {ruleset.main_min} at least: "
            f"add {missing}. Basic lands are free.",
        )


def _of_card(copies: Copies, bans: Bans) -> Iterator[Problem]:
    card = copies.card
    if card.is_conspiracy:
        yield copies.problem(
            Code.CONSPIRACY_IN_DECK,
            f"{card.name} is a conspiracy, and never goes into the deck: it starts the game in "
            "the command zone. Leave it in the pool, beside the deck.",
        )
    if ban := bans.banned.get(card.name):
        yield banned(copies, ban)
