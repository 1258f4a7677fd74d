"""A deck as people read it: cards in groups under headings, and what a tap has changed of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from ..catalogue.known import KnownCard
from ..checking.legality import ResolvedList
from ..rules.deck import Report
from ..rules.entries import Section
from ..rules.rulesets import CONSPIRACY, RULESETS
from .report import KINDS, POOL, SECTIONS, CardRow, card_row, problems_by_place, section_titles

UNKNOWN, BY_NAME = "Unknown cards", "Cards"


@dataclass(frozen=True)
class CardGroup:
    """Cards under the same heading; ``count`` counts copies."""

    title: str
    count: int
    rows: Sequence[CardRow]

    @property
    def key(self) -> str:
        """The id of the group on a page."""
        return f"g{crc32(self.title.encode()):x}"


@dataclass(frozen=True)
class Changed:
    """What a tap has changed of a list: rows, and whole groups for rows that are new in them.

    Of the groups that are ``left`` as they are, only how many cards they have is put anew.
    """

    rows: Sequence[CardRow]
    groups: Sequence[CardGroup]
    left: Sequence[CardGroup]


def by_kind(resolved: ResolvedList, report: Report) -> list[CardGroup]:
    """Return a deck as people read it: the hero, then the cards of each section by kind."""
    groups: dict[str, list[CardRow]] = {}
    for row, card in _rows(resolved, report):
        groups.setdefault(_group(row.section, card, report), []).append(row)
    return [
        CardGroup(title, sum(row.count for row in groups[title]), groups[title])
        for title in group_titles(report)
        if title in groups
    ]


def group_titles(report: Report) -> list[str]:
    """Return the titles of the groups that a list may have, in order."""
    sections = section_titles(RULESETS[report.ruleset])
    kinds = [_title(section, kind, report) for section in sections for _, kind in KINDS]
    return ["Hero", *kinds, UNKNOWN, BY_NAME]


def _rows(resolved: ResolvedList, report: Report) -> Iterable[tuple[CardRow, KnownCard | None]]:
    """Return a row for each card in a section, though its copies stand on several lines."""
    problems = problems_by_place(report)
    rows: dict[str, tuple[CardRow, KnownCard | None]] = {}
    for entry in resolved.deck_list.entries:
        row = card_row(resolved, report, entry, problems)
        if row.key in rows:
            first = rows[row.key][0]
            row = replace(
                first,
                count=first.count + row.count,
                problems=[*first.problems, *row.problems],
            )
        rows[row.key] = row, resolved.cards.get(entry.name)
    return rows.values()


def _group(section: Section, card: KnownCard | None, report: Report) -> str:
    if card is None:
        return BY_NAME if RULESETS[report.ruleset].by_name else UNKNOWN
    if card.name == report.hero:
        return "Hero"
    return _title(section, kind_of(card), report)


def kind_of(card: KnownCard) -> str:
    """Return the heading under which a list shows a card."""
    return next(title for field, title in KINDS if not field or getattr(card, field))


def _title(section: Section, kind: str, report: Report) -> str:
    if section is Section.MAIN:
        return kind
    if report.ruleset == CONSPIRACY.key:
        return f"{POOL[section]}: {kind.lower()}"
    part = "Sideboard" if section is Section.SIDEBOARD else SECTIONS[section]
    return f"{part}: {kind.lower()}"


def changed(before: Sequence[CardGroup], after: Sequence[CardGroup]) -> Changed | None:
    """Return what changed: the groups with a new row, and in the others the rows that differ.

    A row that is gone has a count of 0. None if there was no list, or if a row stands under another
    title.
    """
    old, new = _by_key(before), _by_key(after)
    if not old or any(old[key][0] != title for key, (title, _) in new.items() if key in old):
        return None
    grown = {title for key, (title, _) in new.items() if key not in old}
    gone = [replace(row, count=0, problems=()) for key, (_, row) in old.items() if key not in new]
    rows = [
        row
        for key, (title, row) in new.items()
        if title not in grown and _shown(row) != _shown(old[key][1])
    ]
    emptied = {group.title for group in before} - {group.title for group in after}
    return Changed(
        rows=gone + rows,
        groups=[group for group in after if group.title in grown],
        left=[group for group in after if group.title not in grown]
        + [CardGroup(title, 0, ()) for title in sorted(emptied)],
    )


def _by_key(groups: Iterable[CardGroup]) -> dict[str, tuple[str, CardRow]]:
    return {row.key: (group.title, row) for group in groups for row in group.rows}


def _shown(row: CardRow) -> tuple[int, list[str]]:
    return row.count, [problem.message for problem in row.problems]
