"""The deck check: it reports every problem at once, each with what to do about it.

Coalition's own is in ``coalition``; those of the other formats are short.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from . import coalition
from .deck import (
    Bans,
    Card,
    Code,
    Copies,
    Line,
    Problem,
    Report,
    by_card,
    cards_in_words,
    in_order,
    no_card_called,
    size_problems,
)
from .entries import LEVELS, DeckList, Entry, Section
from .names import name_key
from .rulesets import ConspiracyDeck, DeckRuleset, LevelerDeck, RealmWarsDeck


def judge(
    ruleset: DeckRuleset,
    deck_list: DeckList,
    lines: Sequence[Line],
    bans: Bans,
    *,
    unknown: Iterable[tuple[Entry, Sequence[str]]] = (),
    hero: str | None = None,
    coalition_type: str | None = None,
    every_type: Collection[str] = (),
) -> Report:
    """Return the report on a deck under a ruleset.

    ``lines`` are the entries of ``deck_list`` whose card is in the catalogue; the others are
    ``unknown``, each with the closest names. ``hero`` and ``coalition_type`` override what the list
    says. ``every_type`` are the types to choose from under a hero that has every creature type.
    """
    unread = [Problem(Code.BAD_LINE, bad.problem, line=bad.line) for bad in deck_list.bad_lines]
    if isinstance(ruleset, RealmWarsDeck):
        return _judge_names(ruleset, deck_list.entries, bans, unread)
    first: dict[str, Problem] = {}  # each unknown name once, at its first line
    for entry, closest in unknown:
        message = no_card_called(entry.name, closest)
        problem = Problem(Code.UNKNOWN_CARD, message, entry.name, entry.line)
        first.setdefault(name_key(entry.name), problem)
    unread += first.values()
    if isinstance(ruleset, ConspiracyDeck):
        return _judge_conspiracy(ruleset, deck_list, lines, bans, unread)
    if isinstance(ruleset, LevelerDeck):
        return _judge_leveler(ruleset, deck_list, lines, bans, unread)
    types = frozenset(every_type)
    return coalition.judge(ruleset, deck_list, lines, bans, unread, hero, coalition_type, types)


# --- Leveler: three sub-decks, with one copy of each card (002) ---
def _judge_leveler(
    ruleset: LevelerDeck,
    deck_list: DeckList,
    lines: Sequence[Line],
    bans: Bans,
    unread: Sequence[Problem],
) -> Report:
    counts = deck_list.counts
    deck_wide = size_problems(counts, ruleset.sizes)
    if outside := sum(count for section, count in counts.items() if section not in LEVELS):
        message = (
            f"{cards_in_words(outside)} outside of the sub-decks: move each into a sub-deck, "
            "or take it out."
        )
        deck_wide.append(Problem(Code.SUB_DECK_SIZE, message))
    in_leveler = (_in_leveler(ruleset, copies, bans) for copies in by_card(lines))
    return Report(
        ruleset=ruleset.key,
        counts={section.value: counts[section] for section in LEVELS},
        problems=in_order(deck_wide, chain(unread, *in_leveler)),
    )


def _in_leveler(ruleset: LevelerDeck, copies: Copies, bans: Bans) -> Iterator[Problem]:
    card = copies.card
    if copies.count > 1 and not card.is_basic:
        yield copies.problem(
            Code.NOT_SINGLETON,
            f"{copies.in_words} of {card.name}: across all three sub-decks "
            f"a deck has one copy of each card except basic lands. Take out {copies.count - 1}.",
        )
    if ban := bans.banned.get(card.name):
        yield copies.banned(ban)
    elif card.name in bans.allowed:
        return
    elif card.name in ruleset.banned:
        yield copies.problem(Code.BANNED, f"{card.name} is banned in Leveler. Take it out.")
    elif card.banned_in_legacy:
        yield copies.problem(
            Code.BANNED, f"{card.name} is banned in Legacy, and so in Leveler too. Take it out."
        )


# --- Conspiracy: a deck out of a drafted pool, conspiracies beside it (003) ---
def _judge_conspiracy(
    ruleset: ConspiracyDeck,
    deck_list: DeckList,
    lines: Sequence[Line],
    bans: Bans,
    unread: Sequence[Problem],
) -> Report:
    counts = deck_list.counts
    in_deck = [line for line in lines if line.section is Section.MAIN]
    conspiracies = sum(line.count for line in in_deck if line.card.is_conspiracy)
    cards = counts[Section.MAIN] - conspiracies
    missing = ruleset.main_min - cards
    size = Problem(
        Code.MAIN_SIZE,
        f"The deck has {cards_in_words(cards)} and needs {ruleset.main_min} at least: "
        f"add {missing}. Basic lands are free.",
        section=Section.MAIN,
    )
    of_cards: list[Problem] = []
    for copies in by_card(in_deck):
        if copies.card.is_conspiracy:
            message = (
                f"{copies.card.name} is a conspiracy, and never goes into the deck: it starts the "
                "game in the command zone. Leave it in the pool, beside the deck."
            )
            of_cards.append(copies.problem(Code.CONSPIRACY_IN_DECK, message))
        if ban := bans.banned.get(copies.card.name):
            of_cards.append(copies.banned(ban))
    return Report(
        ruleset=ruleset.key,
        counts={Section.MAIN.value: cards, Section.SIDEBOARD.value: counts[Section.SIDEBOARD]},
        problems=in_order([size] if missing > 0 else [], [*unread, *of_cards]),
    )


# --- Realm Wars: cards that are in no catalogue, by the names on the list alone (004) ---
def _judge_names(
    ruleset: DeckRuleset, entries: Sequence[Entry], bans: Bans, unread: Sequence[Problem]
) -> Report:
    lines = [
        Line(entry.line, entry.count, Card(name=entry.name), entry.section) for entry in entries
    ]
    problems, known = [], bans.banned.keys() | bans.restricted.keys() | bans.allowed
    for copies in by_card(lines):
        key = name_key(copies.card.name)
        if bans.allowed and key not in known:
            message = f"No card on the list is called “{copies.card.name}”. Check the spelling."
            problems.append(copies.problem(Code.UNKNOWN_CARD, message))
        elif ban := bans.banned.get(key):
            problems.append(copies.banned(ban))
        elif (limit := bans.restricted.get(key)) and copies.count > 1:
            why = f" ({limit.reason.rstrip('.')})" if limit.reason else ""
            message = (
                f"{copies.in_words} of {copies.card.name}: it is restricted{why}, so "
                f"a deck has one copy of it at most. Take out {copies.count - 1}."
            )
            problems.append(copies.problem(Code.RESTRICTED, message))
    count = sum(entry.count for entry in entries)
    return Report(
        ruleset=ruleset.key,
        counts={Section.MAIN.value: count},
        problems=in_order([], [*unread, *problems]),
        is_judged=bool(known),
    )
