"""Taps on a deck: a card more, less or moved, or a fix, each with what it makes of the deck."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import chain
from typing import NamedTuple

from coalition_site.lib.forms import DAMAGED
from coalition_site.lib.refusals import Refused
from coalition_site.lib.texts import is_showable

from ..catalogue import memory
from ..catalogue.known import KnownCard
from ..models import BanList, DeckRevision
from ..reading.plain import read_plain
from ..rules import building, coalition
from ..rules.building import HERO, NAMES, Build
from ..rules.deck import Problem, Report
from ..rules.entries import BAD_LINES_MAX, LEVELS, WORDS, Section
from ..rules.fixes import Fix, Fixes, readings
from ..rules.rulesets import (
    RULESETS,
    CoalitionDeck,
    ConspiracyDeck,
    DeckRuleset,
    LevelerDeck,
)
from . import legality
from .legality import ResolvedList

PLACES = {place.value: name for place, name in WORDS.items()} | {HERO: "hero"}
IN_POOL = {Section.MAIN.value: "deck", Section.SIDEBOARD.value: "rest of the pool"}


class Opened(NamedTuple):
    """A saved list opened to change it, with the full names of its cards in ``build``."""

    ruleset: DeckRuleset
    resolved: ResolvedList
    build: Build


# What makes of a deck the deck that results, and words for it; none for a button of a row.
Tap = Callable[[Opened], tuple[Build, str]]


def open_list(resolved: ResolvedList, ruleset: DeckRuleset, coalition_type: str) -> Opened:
    """:raises Refused: if so many lines can't be read that the text would not survive it."""
    listed = resolved.deck_list
    if len(listed.bad_lines) > BAD_LINES_MAX:
        raise Refused("Too many lines of this list can't be read. Change the list as text first.")
    is_leveler = isinstance(ruleset, LevelerDeck)
    bad_lines = tuple(
        replace(bad, text=_still_bad(bad.text, sub_decks=is_leveler)) for bad in listed.bad_lines
    )
    build = Build(listed.entries, bad_lines, coalition_type, listed.left_out)
    names = {name: card.name for name, card in resolved.cards.items()}
    return Opened(ruleset, resolved, building.rename(build, names))


def _still_bad(text: str, *, sub_decks: bool) -> str:
    """Return a bad line of a file or a table so that it is bad in a plain list, too.

    >>> [_still_bad(bad, sub_decks=False) for bad in ("Sideboard", "SB: 2\\tOx", "0 Ox")]
    ['0 0 Sideboard', '0 0 SB: 2 Ox', '0 Ox']
    """
    if not text.strip() or read_plain(f"1 Ox\n{text}", sub_decks=sub_decks).bad_lines:
        return text
    # No line counts 0 cards. With two numbers it is no heading, and no label hides the first.
    return f"0 0 {text}".replace("\t", " ")


def judge(opened: Opened, house: BanList | None, on: date) -> Report:
    bans = legality.read_bans(opened.ruleset, on, house)
    chosen = opened.build.coalition_type
    return legality.judge(opened.resolved, opened.ruleset, bans, coalition_type=chosen)


def fixes_of(
    resolved: ResolvedList, report: Report, coalition_type: str
) -> list[tuple[Problem, list[Fix]]]:
    """Return the problems of a list, each with what would fix it if its lines can be read."""
    try:
        opened = open_list(resolved, RULESETS[report.ruleset], coalition_type)
    except Refused:  # hardly any of its lines can be read
        return [(problem, []) for problem in report.problems]
    fixes = Fixes(opened.build, resolved.lines, report, resolved.closest, resolved.sure)
    return fixes.by_problem()


def readings_of(resolved: ResolvedList, ruleset: DeckRuleset) -> list[Fix]:
    with suppress(Refused):  # hardly any of its lines can be read
        opened = open_list(resolved, ruleset, "")
        return [*readings(opened.build, resolved.deck_list, ruleset)]
    return []


# --- taps ---
def fix(opened: Opened, key: str, house: BanList | None, on: date) -> tuple[Build, str]:
    """Make the fix with a key, if the deck needs it by the bans of a day, or of one planned."""
    chosen = opened.build.coalition_type
    planned = memory.BAN_LISTS.now().days_after(opened.ruleset.format, house, on)
    reports = (judge(opened, house, day) for day in (on, *planned))
    by_day = (fixes_of(opened.resolved, report, chosen) for report in reports)
    fixes = (option for day in by_day for _, options in day for option in options)
    for option in chain(readings_of(opened.resolved, opened.ruleset), fixes):
        if option.key == key:
            return option.change(opened.build), option.words
    raise Refused("The deck has changed, and does not need that any more.")


def step(what: str, row: str) -> Tap:
    """:raises Refused: if there is no such row; a row is written like ``main:Forest``."""
    place, _, name = row.partition(":")
    if place not in set(Section) or (what == "move" and place not in building.OTHER):
        raise Refused(DAMAGED)
    section = Section(place)
    if what == "move":
        change = partial(building.move, name=name, source=section)
    elif what == "less":
        change = partial(building.take_out, name=name, count=1, sections=[section])
    else:
        change = partial(building.add, name=known_card(name).name, section=section)
    return lambda opened: (change(opened.build), "")


def add(opened: Opened, card: KnownCard, place: str, count: int) -> tuple[Build, str]:
    ruleset, build = opened.ruleset, opened.build
    if place == HERO and isinstance(ruleset, CoalitionDeck):
        if not card.can_lead:
            raise Refused(f"{card.name} can’t be the hero: choose a legendary creature.")
        former = [entry.name for entry in build.entries if entry.is_hero]
        unmarked = coalition.find_heroes(opened.resolved.lines, None, marks_hero=False)
        if not former and len(unmarked) == 1 and unmarked[0].name != card.name:
            former = [unmarked[0].name]
        instead = f" instead of {former[0]}, who leaves the deck" if former else ""
        return building.lead(build, card.name, former), f"Make {card.name} the hero{instead}"
    if place == Section.MAIN and isinstance(ruleset, LevelerDeck):
        # The main deck of Leveler is the first sub-deck with room.
        room = {level: most - count for level, (_, most) in ruleset.sizes.items()}
        for entry in build.entries:
            room[entry.section] = room.get(entry.section, 0) - entry.count
        place = next((level for level in ruleset.sizes if room[level] >= 0), LEVELS[-1])
    elif place not in ruleset.sizes:
        raise Refused("This deck has no such part. Choose where to add the card.")
    return building.add(build, card.name, Section(place), count), f"Add {count} {card.name}"


def known_card(name: str) -> KnownCard:
    """:raises UnknownCard: if no card is called so."""
    card = memory.find_cards([name]).get(name) if is_showable(name) else None
    if card is None:
        raise memory.UnknownCard(name)
    return card


def copies_in_words(revision: DeckRevision, card: KnownCard) -> str:
    counts = Counter[str]()
    lines = revision.lines.filter(card=card.pk)
    for section, is_hero, count in lines.values_list("section", "is_hero", "count"):
        counts[HERO if is_hero else section] += count
    return " and ".join(
        "the hero" if place == HERO else f"{count} in {NAMES[Section(place)]}"
        for place, count in counts.items()
    )


def places_of(ruleset: str) -> list[tuple[str, str]]:
    """Return where cards can be added to a deck of a ruleset, each with its name.

    >>> places_of("coalition-906")
    [('main', 'main deck'), ('sideboard', 'sideboard'), ('hero', 'hero')]
    """
    rules = RULESETS[ruleset]
    if rules.by_name:  # nothing looks them up
        return []
    names = PLACES | IN_POOL if isinstance(rules, ConspiracyDeck) else PLACES
    heroes = [HERO] if isinstance(rules, CoalitionDeck) else []
    return [(str(place), names[place]) for place in [*rules.sizes, *heroes]]
