"""A deck list and its report as templates show them: its rows, its cards by kind, its figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from ..catalogue.known import KnownCard
from ..rules.building import NAMES, OTHER
from ..rules.deck import Report
from ..rules.entries import LEVELS, Entry, Section
from ..rules.fixes import best_types, is_unparted
from ..rules.rulesets import NO_END, RULESETS, ConspiracyDeck, DeckRuleset, sizes
from .legality import ResolvedList

POOL = {Section.MAIN: "Deck", Section.SIDEBOARD: "Rest of the pool"}
SECTIONS = {Section.SIDEBOARD: "Hero and sideboard", Section.MAIN: "Main deck"} | {
    level: NAMES[level].capitalize() for level in LEVELS
}
KINDS = (("is_creature", "Creatures"), ("is_land", "Lands"), ("", "Other spells"))
UNKNOWN, BY_NAME = "Unknown cards", "Cards"
COLOURS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}
WORDS = COLOURS | {"C": "Colourless"}
TYPES_SHOWN = 12
CURVE_TOP = 7  # higher mana values share the bar of this value


@dataclass(frozen=True)
class CardRow(Entry):
    """Copies of a card in a section, by its full name; ``problems`` are in words."""

    card: KnownCard | None = None
    problems: Sequence[str] = ()

    @property
    def key(self) -> str:
        return f"c{crc32(f'{self.section}:{self.name}'.encode()):x}"

    @property
    def moves_to(self) -> Section | None:
        return OTHER.get(self.section) if self.card and not self.is_hero else None


@dataclass(frozen=True)
class CardGroup:
    title: str
    rows: Sequence[CardRow] = ()

    @property
    def key(self) -> str:
        return f"g{crc32(self.title.encode()):x}"


def card_rows(resolved: ResolvedList, report: Report) -> list[CardRow]:
    problems: dict[tuple[int | None, str | None], list[str]] = {}
    for problem in report.problems:
        problems.setdefault((problem.line, problem.card), []).append(problem.message)
    rows = []
    for entry in resolved.deck_list.entries:
        card = resolved.cards.get(entry.name)
        name = card.name if card else entry.name
        is_hero = card is not None and name == report.hero
        here = problems.get((entry.line, name), ())
        rows.append(CardRow(entry.line, entry.count, name, entry.section, is_hero, card, here))
    return rows


# --- the report ---
def judged_list(resolved: ResolvedList, report: Report) -> dict[str, Any]:
    ruleset, rows = RULESETS[report.ruleset], card_rows(resolved, report)
    titles = _titles(ruleset)
    sections: dict[str, list[CardRow]] = {title: [] for title in titles.values()}
    for row in rows:
        sections[titles[row.section]].append(row)
    # A hero with every creature type offers too many of them to list: the best fit come first.
    types = best_types(report)
    chosen = [option for option in types[TYPES_SHOWN:] if option.type == report.coalition_type]
    hero = next((row.card for row in rows if row.is_hero), None)
    return _figures(rows, report, ruleset) | {
        "report": report,
        "ruleset": ruleset,
        "sections": sections,
        "deck_list": resolved.deck_list,
        "types": types[:TYPES_SHOWN] + chosen,
        "is_unparted": is_unparted(report),
        "as_of": resolved.as_of,
        "art": hero.pictures[0] if hero and hero.pictures else None,
    }


def _titles(ruleset: DeckRuleset) -> Mapping[Section, str]:
    if isinstance(ruleset, ConspiracyDeck):
        return POOL
    return {Section.MAIN: "Cards"} if ruleset.by_name else SECTIONS


# --- figures ---
def _figures(rows: Sequence[CardRow], report: Report, ruleset: DeckRuleset) -> dict[str, Any]:
    library = {"coalition": "Main deck", "conspiracy": "Deck"}.get(ruleset.format, "All sub-decks")
    drawn = [
        (row.count, row.card) for row in rows if row.card and row.section is not Section.SIDEBOARD
    ]
    # Figures of what a card costs leave out lands; a card of two colours counts for both.
    values, colours = Counter[int](), Counter[str]()
    for count, card in drawn:
        if not card.is_land:
            values[min(int(card.mana_value), CURVE_TOP)] += count
            for symbol in COLOURS.keys() & set(card.mana_cost) or {"C"}:
                colours[symbol] += count
    counts = []  # of what, how many, of how many, and whether that is wrong
    for key, count in report.counts.items():
        low, high = sizes(ruleset)[Section(key)]
        title = _titles(ruleset)[Section(key)]
        counts.append((title, count, _size(low, high), not low <= count <= high))
    for field, title in KINDS[:2]:
        cards = sum(count for count, card in drawn if getattr(card, field))
        counts.append((f"{title}, {library.lower()}", cards, "", False))
    return {
        "counts": counts,
        "curve": [values[value] for value in range(CURVE_TOP + 1)],
        "colours": [(word, colours[symbol]) for symbol, word in WORDS.items() if colours[symbol]],
        "library": library,
    }


def _size(low: int, high: int) -> str:
    """Return how many cards a part of a deck needs, "" if any number is fine.

    >>> _size(60, 60), _size(1, 15), _size(40, NO_END), _size(0, NO_END)
    ('60', '1 to 15', '40 or more', '')
    """
    if high == NO_END:
        return f"{low} or more" if low else ""
    return str(low) if low == high else f"{low} to {high}"


# --- cards by kind ---
def by_kind(resolved: ResolvedList, report: Report) -> list[CardGroup]:
    """Empty groups are there too, since a tap may put a card there; a card has a row a section."""
    rows: dict[str, CardRow] = {}
    for row in card_rows(resolved, report):
        first = rows.get(row.key, replace(row, count=0, problems=()))
        count, problems = first.count + row.count, [*first.problems, *row.problems]
        # Without a line, since a tap that moves it changes nothing that is shown: see changed().
        rows[row.key] = replace(row, line=0, count=count, problems=problems)
    ruleset = RULESETS[report.ruleset]
    kinds = [_kind(section, kind, ruleset) for section in _titles(ruleset) for _, kind in KINDS]
    groups: dict[str, list[CardRow]] = {title: [] for title in ("Hero", *kinds, UNKNOWN, BY_NAME)}
    for row in rows.values():
        title = BY_NAME if ruleset.by_name else UNKNOWN
        if row.is_hero:
            title = "Hero"
        elif row.card:
            kind = next(kind for field, kind in KINDS if not field or getattr(row.card, field))
            title = _kind(row.section, kind, ruleset)
        groups[title].append(row)
    return [CardGroup(title, of_kind) for title, of_kind in groups.items()]


def _kind(section: Section, kind: str, ruleset: DeckRuleset) -> str:
    if section is Section.MAIN:
        return kind
    title = _titles(ruleset)[section]
    part = "Sideboard" if title == SECTIONS[Section.SIDEBOARD] else title
    return f"{part}: {kind.lower()}"


def changed(before: Sequence[CardGroup], after: Sequence[CardGroup]) -> dict[str, Any] | None:
    """Return the ``groups`` with a new row, the ``rows`` that differ in others, and the rest.

    A row that is gone has a count of 0. None if a row stands under another title.
    """
    known = {row.key for group in before for row in group.rows}
    rows: list[CardRow] = []
    grown, left = [], []
    for was, group in zip(before, after, strict=True):
        old, new = ({row.key: row for row in one.rows} for one in (was, group))
        added = new.keys() - old.keys()
        if added & known or not known:
            return None
        rows += [replace(row, count=0, problems=()) for key, row in old.items() if key not in new]
        if added:
            grown.append(group)
        elif old:
            left.append(group)
            rows += [row for key, row in new.items() if row != old[key]]
    return {"rows": rows, "groups": grown, "left": left}
