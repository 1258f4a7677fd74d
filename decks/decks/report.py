"""A deck list and its report as templates show them: its rows, its cards by kind, its figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from ..catalogue.known import KnownCard
from ..rules.building import NAMES, OTHER
from ..rules.cards import card_types
from ..rules.deck import Report
from ..rules.entries import LEVELS, Entry, Section
from ..rules.fixes import best_types, is_unparted
from ..rules.mana import COLORS
from ..rules.rulesets import NO_END, RULESETS, ConspiracyDeck, DeckRuleset
from .legality import ResolvedList

POOL = {Section.MAIN: "Deck", Section.SIDEBOARD: "Rest of the pool"}
SECTIONS = {Section.SIDEBOARD: "Hero and sideboard", Section.MAIN: "Main deck"} | {
    level: NAMES[level].capitalize() for level in LEVELS
}
# By card type: the first of these on a card's front is its kind. On pages lands come last.
KINDS = {
    "Creature": "Creatures",
    "Land": "Lands",
    "Planeswalker": "Planeswalkers",
    "Battle": "Battles",
    "Instant": "Instants",
    "Sorcery": "Sorceries",
    "Artifact": "Artifacts",
    "Enchantment": "Enchantments",
}
HERO, OTHERS, UNKNOWN, BY_NAME = "Hero", "Other cards", "Unknown cards", "Cards"
TITLES = (HERO, *sorted(KINDS.values(), key="Lands".__eq__), OTHERS, UNKNOWN)
# Keywords that elsewhere give a leader company, or a deck a companion (000 has neither).
COMPANY = ("Partner", "Friends forever", "Choose a background", "Doctor's companion", "Companion")
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

    @property
    def kind(self) -> str:
        if self.is_hero or not self.card:
            return HERO if self.is_hero else UNKNOWN
        types = card_types(self.card.type_line.partition(" // ")[0])
        return next((title for type, title in KINDS.items() if type in types), OTHERS)


@dataclass(frozen=True)
class CardGroup:
    """The cards of a kind in a ``part`` of a deck, both by their titles."""

    part: str
    title: str
    rows: Sequence[CardRow] = ()

    @property
    def key(self) -> str:
        return f"g{crc32(f'{self.part}:{self.title}'.encode()):x}"


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
        facts = (entry.line, entry.count, name, entry.section, is_hero)
        rows.append(CardRow(*facts, printing=entry.printing, card=card, problems=here))
    return rows


# --- the report ---
def judged_list(resolved: ResolvedList, report: Report) -> dict[str, Any]:
    ruleset, rows = RULESETS[report.ruleset], card_rows(resolved, report)
    titles = _titles(ruleset)
    sections = {titles[at]: [row for row in rows if row.section is at] for at in titles}
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
        "hero": hero,
        "without_effect": [word for word in COMPANY if hero and word in hero.keywords.split(",")],
        "art": hero.pictures[0] if hero and hero.pictures else None,
    }


def _titles(ruleset: DeckRuleset) -> Mapping[Section, str]:
    if isinstance(ruleset, ConspiracyDeck):
        return POOL
    return {Section.MAIN: "Cards"} if ruleset.by_name else SECTIONS


# --- figures ---
def _figures(rows: Sequence[CardRow], report: Report, ruleset: DeckRuleset) -> dict[str, Any]:
    library = {"coalition": "Main deck", "conspiracy": "Deck"}.get(ruleset.format, "All sub-decks")
    # Figures of what a card costs leave out lands; a card of two colours counts for both.
    values, colours, kinds = Counter[int](), Counter[str](), Counter[str]()
    for row in rows:
        if not row.card or row.section is Section.SIDEBOARD:
            continue
        kinds[row.kind] += row.count
        if not row.card.is_land:
            values[min(int(row.card.mana_value), CURVE_TOP)] += row.count
            for symbol in COLORS.keys() & set(row.card.mana_cost) or {"C"}:
                colours[symbol] += row.count
    counts = []  # of what, how many, of how many, and whether that is wrong
    for key, count in report.counts.items():
        low, high = ruleset.sizes[Section(key)]
        title = _titles(ruleset)[Section(key)]
        counts.append((title, count, _size(low, high), not low <= count <= high))
    return {
        "counts": counts,
        "curve": [values[value] for value in range(CURVE_TOP + 1)],
        "colours": [(symbol, colours[symbol]) for symbol in (*COLORS, "C") if colours[symbol]],
        "kinds": [(title, kinds[title]) for title in TITLES if kinds[title]],
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
    titles, kinds = _titles(ruleset), (BY_NAME,) if ruleset.by_name else TITLES
    groups: dict[tuple[str, str], list[CardRow]] = {
        (part, kind): [] for part in titles.values() for kind in kinds
    }
    for row in rows.values():
        part = titles[Section.SIDEBOARD if row.is_hero else row.section]
        groups[part, BY_NAME if ruleset.by_name else row.kind].append(row)
    for of_kind in groups.values():
        of_kind.sort(key=lambda row: (row.card.mana_value if row.card else 0, row.name))
    return [CardGroup(*where, of_kind) for where, of_kind in groups.items()]


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
