"""What the pages show of a deck, worked out for templates that know no rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.utils import timezone

from .bans.commands import day
from .bans.since import BARS, Barred
from .legality import ResolvedList
from .models import Card, DeckRevision, Status
from .queries import Places
from .rules.deck import OutOfPlace, Problem, Report
from .rules.entries import LEVELS, Entry, Section
from .rules.rulesets import RULESETS, CoalitionDeck, DeckRuleset
from .rules.writers import Line, write_arena, write_moxfield, write_mtgo

SECTIONS = {
    Section.SIDEBOARD: "Hero and sideboard",
    Section.MAIN: "Main deck",
    **{section: f"Sub-deck {level}" for level, section in enumerate(LEVELS, 1)},
}
KINDS = (("is_creature", "Creatures"), ("is_land", "Lands"), ("", "Other spells"))
UNKNOWN = "Unknown cards"
TYPES_SHOWN = 12
CURVE_TOP = 7  # higher mana values share a bar with this one
PLOT = 84  # height of the curve's plot, in the units of its SVG
SITES = (("Moxfield", write_moxfield), ("Arena", write_arena), ("MTGO", write_mtgo))
ProblemsAt = Mapping[tuple[int | None, str | None], Sequence[Problem]]  # by line and card name


@dataclass(frozen=True)
class Verdict:
    """The banner on top of a report; ``look`` is a CSS class."""

    look: str
    icon: str
    title: str
    words: str


@dataclass(frozen=True)
class CardRow:
    """A line of a deck list; ``number`` is its number in the text."""

    number: int
    count: int
    name: str
    cost: str
    is_hero: bool
    problems: Sequence[Problem]


@dataclass(frozen=True)
class BadRow:
    """A line that could not be read, as its player wrote it."""

    number: int
    text: str
    problems: Sequence[Problem]


@dataclass(frozen=True)
class Count:
    """A number of cards; ``of`` is the size that is needed, "" if any number is fine."""

    what: str
    count: int
    of: str = ""
    wrong: bool = False


@dataclass(frozen=True)
class Bar:
    """A bar of the mana curve, in the units of its SVG."""

    label: str
    count: int
    x: int
    height: int


@dataclass(frozen=True)
class CardGroup:
    """Cards under the same heading; ``count`` counts copies."""

    title: str
    count: int
    rows: Sequence[CardRow]


@dataclass(frozen=True)
class IllegalSince:
    """Which cards of a deck its ban list keeps out, a sentence for each."""

    title: str
    sentences: Sequence[str]


class ReportContext(TypedDict):
    """What the templates ``_report``, ``_types`` and ``_curve`` need."""

    report: Report
    ruleset: DeckRuleset
    verdict: Verdict
    sections: list[tuple[str, list[CardRow]]]
    bad_lines: list[BadRow]
    types: list[OutOfPlace]
    counts: list[Count]
    curve: list[Bar]
    drawn: str


def report_context(resolved: ResolvedList, report: Report) -> ReportContext:
    """Return a report as pages show it: the verdict, what to fix, and the list itself."""
    problems = _problems_at(report)
    ruleset = RULESETS[report.ruleset]
    return {
        "report": report,
        "ruleset": ruleset,
        "verdict": _verdict(report),
        "sections": _sections(resolved, report, problems),
        "bad_lines": [
            BadRow(bad.line, bad.text, problems.get((bad.line, None), ()))
            for bad in resolved.deck_list.bad_lines
        ],
        "types": _types_to_show(report),
        "counts": _counts(resolved, report),
        "curve": curve(resolved),
        "drawn": _drawn(ruleset),
    }


def _problems_at(report: Report) -> ProblemsAt:
    problems: dict[tuple[int | None, str | None], list[Problem]] = {}
    for problem in report.problems:
        problems.setdefault((problem.line, problem.card), []).append(problem)
    return problems


def _verdict(report: Report) -> Verdict:
    count = len(report.problems)
    if not report.legal:
        title = f"Not legal: {count} problem{'s' * (count > 1)}"
        return Verdict(
            "bad", "no", title, "See below what to fix. The lines in question are marked."
        )
    words = "Three sub-decks without duplicates."
    if report.hero:
        words = f"Your hero is {report.hero}, and the coalition type is {report.coalition_type}."
    return Verdict("good", "yes", "Legal", words)


def _types_to_show(report: Report) -> list[OutOfPlace]:
    """Return the types to choose from, best fit first.

    A hero with every creature type offers too many of them to list.
    """
    best = sorted(report.out_of_place, key=lambda option: (option.count, option.type))
    chosen = [option for option in best[TYPES_SHOWN:] if option.type == report.coalition_type]
    return best[:TYPES_SHOWN] + chosen


def _sections(
    resolved: ResolvedList, report: Report, problems: ProblemsAt
) -> list[tuple[str, list[CardRow]]]:
    rows: dict[Section, list[CardRow]] = {}
    for entry in resolved.deck_list.entries:
        rows.setdefault(entry.section, []).append(_row(resolved, report, entry, problems))
    return [(title, rows[section]) for section, title in SECTIONS.items() if section in rows]


def _row(resolved: ResolvedList, report: Report, entry: Entry, problems: ProblemsAt) -> CardRow:
    card = resolved.cards.get(entry.name)
    name = card.name if card else entry.name
    return CardRow(
        number=entry.line,
        count=entry.count,
        name=name,
        cost=card.mana_cost if card else "",
        is_hero=card is not None and card.name == report.hero,
        problems=problems.get((entry.line, name), ()),
    )


def _counts(resolved: ResolvedList, report: Report) -> list[Count]:
    ruleset = RULESETS[report.ruleset]
    counts = []
    for key, count in report.counts.items():
        low, high = wanted(ruleset, Section(key))
        of = str(low) if low == high else f"{low} to {high}"
        counts.append(Count(SECTIONS[Section(key)], count, of, not low <= count <= high))
    for field, title in KINDS[:2]:
        cards = sum(count for count, card in _drawn_cards(resolved) if getattr(card, field))
        counts.append(Count(f"{title}, {_drawn(ruleset).lower()}", cards))
    return counts


def _drawn_cards(resolved: ResolvedList) -> Iterator[tuple[int, Card]]:
    """Yield the known cards that can be drawn in a game, with counts: no sideboard, no hero."""
    for entry in resolved.deck_list.entries:
        if entry.name in resolved.cards and entry.section is not Section.SIDEBOARD:
            yield entry.count, resolved.cards[entry.name]


def _drawn(ruleset: DeckRuleset) -> str:
    return "Main deck" if isinstance(ruleset, CoalitionDeck) else "All sub-decks"


def wanted(ruleset: DeckRuleset, section: Section) -> tuple[int, int]:
    """Return how many cards a section should have, at least and at most.

    >>> wanted(RULESETS["coalition-2026"], Section.SIDEBOARD)
    (1, 15)
    """
    if isinstance(ruleset, CoalitionDeck):
        if section is Section.MAIN:
            return ruleset.main, ruleset.main
        return ruleset.sideboard_min, ruleset.sideboard_max
    size = ruleset.sub_decks[LEVELS.index(section)]
    return size, size


def curve(resolved: ResolvedList) -> list[Bar]:
    """Return the mana curve without lands; the highest bar is ``PLOT`` high."""
    values: Counter[int] = Counter()
    for count, card in _drawn_cards(resolved):
        if not card.is_land:
            values[min(int(card.mana_value), CURVE_TOP)] += count
    highest = max(values.values(), default=1)
    return [
        Bar(
            label=f"{value}+" if value == CURVE_TOP else str(value),
            count=values[value],
            x=6 + 39 * value,
            height=round(PLOT * values[value] / highest),
        )
        for value in range(CURVE_TOP + 1)
    ]


def by_kind(resolved: ResolvedList, report: Report) -> list[CardGroup]:
    """Return a deck as people read it: the hero, then the cards of each section by kind."""
    groups: dict[str, list[CardRow]] = {}
    problems = _problems_at(report)
    for entry in resolved.deck_list.entries:
        title = _group(entry, resolved.cards.get(entry.name), report)
        groups.setdefault(title, []).append(_row(resolved, report, entry, problems))
    order = [_title(section, kind) for section in SECTIONS for _, kind in KINDS]
    return [
        CardGroup(title, sum(row.count for row in groups[title]), groups[title])
        for title in ("Hero", *order, UNKNOWN)
        if title in groups
    ]


def _group(entry: Entry, card: Card | None, report: Report) -> str:
    if card is None:
        return UNKNOWN
    if card.name == report.hero:
        return "Hero"
    return _title(entry.section, kind_of(card))


def kind_of(card: Card) -> str:
    """Return the heading under which a list shows a card."""
    return next(title for field, title in KINDS if not field or getattr(card, field))


def _title(section: Section, kind: str) -> str:
    if section is Section.MAIN:
        return kind
    part = "Sideboard" if section is Section.SIDEBOARD else SECTIONS[section]
    return f"{part}: {kind.lower()}"


def exports(resolved: ResolvedList, report: Report) -> list[tuple[str, str]]:
    """Return the list in the format of each of the other sites, by the site's name."""
    lines = list(_lines(resolved, report))
    return [(site, write(lines)) for site, write in SITES]


def _lines(resolved: ResolvedList, report: Report) -> Iterator[Line]:
    for entry in resolved.deck_list.entries:
        card = resolved.cards.get(entry.name)
        name = card.name if card else entry.name
        is_split = card is not None and card.layout == "split"
        yield Line(
            entry.count,
            name,
            name.split(" // ")[0],
            entry.section,
            name == report.hero,
            is_split,
        )


def illegal_since(
    report: Report, barred: Mapping[str, Barred], revision: DeckRevision
) -> IllegalSince | None:
    """Return which cards of a deck its ban list keeps out, and since when the deck is illegal.

    The title gives a day only if the ban list is all that is wrong: since when a deck has other
    problems is not known.
    """
    if not barred:
        return None
    is_only_bans = all(
        problem.code in BARS and problem.card in barred for problem in report.problems
    )
    first = min(card.since for card in barred.values())
    title = "Kept out by the ban list:"
    if is_only_bans and first > timezone.localtime(revision.created_at).date():
        title = f"Illegal since {day(first)}, legal before:"
    elif is_only_bans:
        title = "Illegal since it was saved:"
    return IllegalSince(title, [_barred_sentence(barred[name]) for name in sorted(barred)])


def _barred_sentence(barred: Barred) -> str:
    name, entry, since = barred.card.name, barred.entry, day(barred.since)
    if entry.status == Status.ALLOWED:
        return f"{name} has not been allowed since {since}: its exemption ended."
    again = " again" if entry.starts_on < barred.since else ""
    reason = entry.reason or (entry.name if entry.rule else "")
    why = f": {reason.rstrip('.')}" if reason else ""
    return f"{name} has been banned{again} since {since}{why}."


def changes(before: Places, now: Places) -> list[str]:
    """Return what changed from a revision to the next, in words.

    >>> changes(Counter({("Elf", "main"): 4}), Counter({("Ox", "sideboard"): 1}))
    ['−4 Elf', '+1 Ox (sideboard)']
    """
    return [
        f"{'+' if now[place] > before[place] else '−'}{abs(now[place] - before[place])} {place[0]}"
        + ("" if place[1] == Section.MAIN else f" ({place[1]})")
        for place in sorted({*before, *now})
        if now[place] != before[place]
    ]
