"""A deck list and its report as templates show them: its rows, its cards by kind, its figures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from ..catalogue.known import KnownCard
from ..checking.legality import ResolvedList
from ..rules.building import OTHER
from ..rules.deck import Problem, Report
from ..rules.entries import LEVELS, Section
from ..rules.fixes import is_unparted
from ..rules.rulesets import (
    CONSPIRACY,
    NO_END,
    RULESETS,
    ConspiracyDeck,
    DeckRuleset,
    sizes,
)

POOL = {Section.MAIN: "Deck", Section.SIDEBOARD: "Rest of the pool"}
SECTIONS = {
    Section.SIDEBOARD: "Hero and sideboard",
    Section.MAIN: "Main deck",
    **{section: f"Sub-deck {level}" for level, section in enumerate(LEVELS, 1)},
}
KINDS = (("is_creature", "Creatures"), ("is_land", "Lands"), ("", "Other spells"))
UNKNOWN, BY_NAME = "Unknown cards", "Cards"
COLOURS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}
WORDS = COLOURS | {"C": "Colourless"}
TYPES_SHOWN = 12
CURVE_TOP = 7  # higher mana values share the bar of this value

Drawn = Sequence[tuple[int, KnownCard]]  # the cards that can be drawn in a game, with counts


@dataclass(frozen=True)
class CardRow:
    """Copies of a card in a section; ``number`` is that of their first line in the text."""

    number: int
    count: int
    name: str
    card: KnownCard | None
    section: Section
    is_hero: bool
    problems: Sequence[Problem]

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

    @property
    def count(self) -> int:
        return sum(row.count for row in self.rows)


# --- the report ---
def judged_list(resolved: ResolvedList, report: Report) -> dict[str, Any]:
    ruleset = RULESETS[report.ruleset]
    rows: dict[Section, list[CardRow]] = {}
    for row in _rows(resolved, report):
        rows.setdefault(row.section, []).append(row)
    library = {"coalition": "Main deck", "conspiracy": "Deck"}.get(ruleset.format, "All sub-decks")
    drawn = [
        (entry.count, resolved.cards[entry.name])
        for entry in resolved.deck_list.entries
        if entry.name in resolved.cards and entry.section is not Section.SIDEBOARD
    ]
    # Figures of what a card costs leave out lands; a card of two colours counts for both.
    values, colours = Counter[int](), Counter[str]()
    for count, card in drawn:
        if not card.is_land:
            values[min(int(card.mana_value), CURVE_TOP)] += count
            for symbol in COLOURS.keys() & set(card.mana_cost) or {"C"}:
                colours[symbol] += count
    # A hero with every creature type offers too many of them to list: the best fit come first.
    types = sorted(report.out_of_place, key=lambda option: (option.count, option.type))
    chosen = [option for option in types[TYPES_SHOWN:] if option.type == report.coalition_type]
    heroes = (card for card in resolved.cards.values() if card.name == report.hero)
    pictures = next((card.pictures for card in heroes), ())
    return {
        "report": report,
        "ruleset": ruleset,
        "sections": [
            (title, rows[part]) for part, title in _titles(ruleset).items() if part in rows
        ],
        "bad_lines": [
            (bad, [one for one in report.problems if (one.line, one.card) == (bad.line, None)])
            for bad in resolved.deck_list.bad_lines
        ],
        "left_out": resolved.deck_list.left_out,
        "types": types[:TYPES_SHOWN] + chosen,
        "counts": _counts(report, ruleset, drawn, library.lower()),
        "curve": [values[value] for value in range(CURVE_TOP + 1)],
        "colours": [(word, colours[symbol]) for symbol, word in WORDS.items() if colours[symbol]],
        "library": library,
        "is_unparted": is_unparted(report),
        "as_of": resolved.as_of,
        "art": pictures[0] if pictures and pictures[0].art else None,
    }


def _rows(resolved: ResolvedList, report: Report) -> Iterator[CardRow]:
    problems: dict[tuple[int | None, str | None], list[Problem]] = {}
    for problem in report.problems:
        problems.setdefault((problem.line, problem.card), []).append(problem)
    for entry in resolved.deck_list.entries:
        card = resolved.cards.get(entry.name)
        name = card.name if card else entry.name
        is_hero = card is not None and name == report.hero
        here = problems.get((entry.line, name), ())
        yield CardRow(entry.line, entry.count, name, card, entry.section, is_hero, here)


def _titles(ruleset: DeckRuleset) -> Mapping[Section, str]:
    if isinstance(ruleset, ConspiracyDeck):
        return POOL
    return {Section.MAIN: "Cards"} if ruleset.by_name else SECTIONS


# --- figures ---
def _counts(
    report: Report, ruleset: DeckRuleset, drawn: Drawn, library: str
) -> list[tuple[str, int, str, bool]]:
    """Return numbers of cards: of what, how many, of how many, and whether that is wrong."""
    counts = []
    for key, count in report.counts.items():
        low, high = sizes(ruleset)[Section(key)]
        title = _titles(ruleset)[Section(key)]
        counts.append((title, count, _size(low, high), not low <= count <= high))
    for field, title in KINDS[:2]:
        cards = sum(count for count, card in drawn if getattr(card, field))
        counts.append((f"{title}, {library}", cards, "", False))
    return counts


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
    for row in _rows(resolved, report):
        if first := rows.get(row.key):
            count, problems = first.count + row.count, [*first.problems, *row.problems]
            row = replace(first, count=count, problems=problems)
        rows[row.key] = row
    ruleset = RULESETS[report.ruleset]
    kinds = [_kind(section, kind, report) for section in _titles(ruleset) for _, kind in KINDS]
    groups: dict[str, list[CardRow]] = {title: [] for title in ("Hero", *kinds, UNKNOWN, BY_NAME)}
    for row in rows.values():
        title = BY_NAME if ruleset.by_name else UNKNOWN
        if row.is_hero:
            title = "Hero"
        elif row.card:
            kind = next(kind for field, kind in KINDS if not field or getattr(row.card, field))
            title = _kind(row.section, kind, report)
        groups[title].append(row)
    return [CardGroup(title, of_kind) for title, of_kind in groups.items()]


def _kind(section: Section, kind: str, report: Report) -> str:
    if section is Section.MAIN:
        return kind
    if report.ruleset == CONSPIRACY.key:
        return f"{POOL[section]}: {kind.lower()}"
    part = "Sideboard" if section is Section.SIDEBOARD else SECTIONS[section]
    return f"{part}: {kind.lower()}"


def changed(before: Sequence[CardGroup], after: Sequence[CardGroup]) -> dict[str, Any] | None:
    """Return the ``groups`` with a new row, the ``rows`` that differ in others, and the rest.

    A row that is gone has a count of 0. None if a row stands under another title.
    """
    old, new = (
        {row.key: (group.title, row) for group in groups for row in group.rows}
        for groups in (before, after)
    )
    if not old or any(old[key][0] != title for key, (title, _) in new.items() if key in old):
        return None
    grown = {title for key, (title, _) in new.items() if key not in old}
    gone = [replace(row, count=0, problems=()) for key, (_, row) in old.items() if key not in new]
    rows = [
        row
        for key, (title, row) in new.items()
        if title not in grown and _shown(row) != _shown(old[key][1])
    ]
    filled = {title for title, _ in (*old.values(), *new.values())}
    return {
        "rows": gone + rows,
        "groups": [group for group in after if group.title in grown],
        "left": [group for group in after if group.title in filled - grown],
    }


def _shown(row: CardRow) -> tuple[int, list[str]]:
    return row.count, [problem.message for problem in row.problems]
