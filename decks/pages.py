"""What the pages show of a deck, worked out for templates that know no rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils import timezone

from .bans.commands import day
from .bans.since import BARS, Barred
from .legality import Read
from .models import Card, DeckRevision, Status
from .queries import Places
from .rules.deck import Problem, Report
from .rules.entries import LEVELS, Entry, Section
from .rules.rulesets import RULESETS, CoalitionDeck, DeckRuleset
from .rules.writers import Line, write_arena, write_moxfield, write_mtgo

SECTIONS = {
    Section.SIDEBOARD: "Hero and sideboard",
    Section.MAIN: "Main deck",
    **{section: f"Sub-deck {level}" for level, section in enumerate(LEVELS, 1)},
}
KINDS = (("is_creature", "Creatures"), ("is_land", "Lands"), ("", "Other spells"))
CURVE_TOP = 7  # mana values from here on stand in one bar
PLOT = 84  # height of the curve's plot, in its own units
SITES = (("Moxfield", write_moxfield), ("Arena", write_arena), ("MTGO", write_mtgo))
Told = dict[tuple[int | None, str | None], list[Problem]]  # by line and card


def judged(found: Read, report: Report) -> dict[str, Any]:
    """Return a report as the page shows it: the verdict, what to mend, and the list itself."""
    told = _told(report)
    return {
        "report": report,
        "ruleset": RULESETS[report.ruleset],
        "verdict": _verdict(report),
        "sections": _sections(found, report, told),
        "bad_lines": [
            {"number": bad.line, "text": bad.text, "problems": told.get((bad.line, None), [])}
            for bad in found.deck_list.bad_lines
        ],
        "types": [
            {
                "type": one.type,
                "count": one.count,
                "cards": one.cards,
                "chosen": one.type == report.coalition_type,
            }
            for one in _worth_showing(report)
        ],
        "counts": _counts(found, report),
        "curve": curve(found),
        "drawn": _drawn(RULESETS[report.ruleset]),
    }


def _told(report: Report) -> Told:
    told: Told = {}
    for problem in report.problems:
        told.setdefault((problem.line, problem.card), []).append(problem)
    return told


def _verdict(report: Report) -> dict[str, str]:
    count = len(report.problems)
    if report.legal:
        led = f"{report.hero} leads, the coalition type is {report.coalition_type}."
        words = led if report.hero else "Three sub-decks, one of each card."
        return {"look": "good", "icon": "yes", "title": "Legal", "words": words}
    return {
        "look": "bad",
        "icon": "no",
        "title": f"Not legal: {count} problem{'s' * (count > 1)}",
        "words": "What to mend stands below, and in each line.",
    }


TYPES_SHOWN = 12


def _worth_showing(report: Report) -> list[Any]:
    """Return the types to choose from, the best first; a hero of every type offers too many."""
    best = sorted(report.out_of_place, key=lambda one: (one.count, one.type))
    chosen = [one for one in best[TYPES_SHOWN:] if one.type == report.coalition_type]
    return best[:TYPES_SHOWN] + chosen


def _sections(found: Read, report: Report, told: Told) -> list[tuple[str, list[dict[str, Any]]]]:
    rows: dict[Section, list[dict[str, Any]]] = {}
    for entry in found.deck_list.entries:
        rows.setdefault(entry.section, []).append(_row(found, report, entry, told))
    return [(title, rows[section]) for section, title in SECTIONS.items() if section in rows]


def _row(found: Read, report: Report, entry: Entry, told: Told) -> dict[str, Any]:
    card = found.cards.get(entry.name)
    name = card.name if card else entry.name
    return {
        "number": entry.line,
        "count": entry.count,
        "name": name,
        "cost": card.mana_cost if card else "",
        "is_hero": card is not None and card.name == report.hero,
        "problems": told.get((entry.line, name), ()),
    }


def _counts(found: Read, report: Report) -> list[dict[str, Any]]:
    ruleset = RULESETS[report.ruleset]
    counts = []
    for key, count in report.counts.items():
        low, high = wanted(ruleset, Section(key))
        of = str(low) if low == high else f"{low} to {high}"
        is_wrong = not low <= count <= high
        counts.append({"what": SECTIONS[Section(key)], "count": count, "of": of, "wrong": is_wrong})
    for field, title in KINDS[:2]:
        cards = sum(count for count, card in _played_from(found) if getattr(card, field))
        what = f"{title}, {_drawn(ruleset).lower()}"
        counts.append({"what": what, "count": cards, "of": "", "wrong": False})
    return counts


def _played_from(found: Read) -> Iterator[tuple[int, Card]]:
    """Yield the known cards that are drawn in a game, with their counts: no sideboard, no hero."""
    for entry in found.deck_list.entries:
        if entry.name in found.cards and entry.section is not Section.SIDEBOARD:
            yield entry.count, found.cards[entry.name]


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


def curve(found: Read) -> list[dict[str, Any]]:
    """Return the bars of the mana values drawn, lands left out; heights of ``PLOT`` at most."""
    values: Counter[int] = Counter()
    for count, card in _played_from(found):
        if not card.is_land:
            values[min(int(card.mana_value), CURVE_TOP)] += count
    highest = max(values.values(), default=1)
    return [
        {
            "label": f"{value}+" if value == CURVE_TOP else str(value),
            "count": values[value],
            "x": 6 + 39 * value,
            "height": round(PLOT * values[value] / highest),
        }
        for value in range(CURVE_TOP + 1)
    ]


def by_kind(found: Read, report: Report) -> list[tuple[str, int, list[dict[str, Any]]]]:
    """Return a deck's list as people read one: the hero, then each section's cards by kind."""
    groups: dict[str, list[dict[str, Any]]] = {}
    told = _told(report)
    for entry in found.deck_list.entries:
        group = _group(entry, found.cards.get(entry.name), report)
        groups.setdefault(group, []).append(_row(found, report, entry, told))
    order = [_title(section, kind) for section in SECTIONS for _, kind in KINDS]
    titles = ["Hero", *order, "Not known"]
    return [
        (title, sum(row["count"] for row in groups[title]), groups[title])
        for title in titles
        if title in groups
    ]


def _group(entry: Entry, card: Card | None, report: Report) -> str:
    if card is None:
        return "Not known"
    if card.name == report.hero:
        return "Hero"
    return _title(entry.section, kind_of(card))


def kind_of(card: Card) -> str:
    """Return the kind under which a list shows a card."""
    return next(title for field, title in KINDS if not field or getattr(card, field))


def _title(section: Section, kind: str) -> str:
    if section is Section.MAIN:
        return kind
    return (
        f"Sideboard: {kind.lower()}"
        if section is Section.SIDEBOARD
        else f"{SECTIONS[section]}: {kind.lower()}"
    )


def copies_out(found: Read, report: Report) -> list[tuple[str, str]]:
    """Return the list as each of the other sites takes it."""
    lines = list(_lines(found, report))
    return [(site, write(lines)) for site, write in SITES]


def _lines(found: Read, report: Report) -> Iterable[Line]:
    for entry in found.deck_list.entries:
        card = found.cards.get(entry.name)
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
) -> dict[str, Any] | None:
    """Return which cards of a deck its ban list keeps out, and since when the deck is illegal.

    A day is told only where the list is all that is wrong: who knows since when other faults are.
    """
    if not barred:
        return None
    is_sure = all(one.code in BARS and one.card in barred for one in report.problems)
    first = min(one.since for one in barred.values())
    title = "Kept out by the ban list:"
    if is_sure and first > timezone.localtime(revision.created_at).date():
        title = f"Illegal since {day(first)}, legal before:"
    elif is_sure:
        title = "Illegal since it was saved:"
    return {"title": title, "told": [_told_barred(barred[name]) for name in sorted(barred)]}


def _told_barred(barred: Barred) -> str:
    name, entry, since = barred.card.name, barred.entry, day(barred.since)
    if entry.status == Status.ALLOWED:
        return f"{name} has not been allowed since {since}: its exemption ended."
    again = " again" if entry.starts_on < barred.since else ""
    reason = entry.reason or (entry.name if entry.rule else "")
    why = f": {reason.rstrip('.')}" if reason else ""
    return f"{name} has been banned{again} since {since}{why}."


def changes(before: Places, now: Places) -> list[str]:
    """Return what one revision changed of another, in words.

    >>> changes(Counter({("Elf", "main"): 4}), Counter({("Ox", "sideboard"): 1}))
    ['−4 Elf', '+1 Ox (sideboard)']
    """
    return [
        f"{'+' if now[place] > before[place] else '−'}{abs(now[place] - before[place])} {place[0]}"
        + ("" if place[1] == Section.MAIN else f" ({place[1]})")
        for place in sorted({*before, *now})
        if now[place] != before[place]
    ]
