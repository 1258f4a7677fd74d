"""Decks judged for a day, and what the changes that are planned of a ban list will do to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from coalition_site.lib.dates import day

from .. import queries
from ..catalogue import memory
from ..catalogue.memory import BanLists
from ..models import BanList, Deck
from ..rules.deck import BARS, Problem, Report
from ..rules.fixes import Fix
from ..rules.names import name_key
from ..rules.rulesets import RULESETS, DeckRuleset
from . import building, legality
from .legality import ResolvedList


@dataclass(frozen=True)
class PlannedDay:
    """What changes for a deck on a day: ``hits`` are new problems, each with its reason and fixes.
    ``freed`` are the cards that are no problem any more."""

    on: date
    title: str
    hits: Sequence[tuple[Problem, str, Sequence[Fix]]]
    freed: Sequence[str]


def planned(
    resolved: ResolvedList,
    report: Report,
    lists: BanLists,
    house: BanList | None,
    on: date,
    chosen: str,
) -> list[PlannedDay]:
    """Return the days after one on which the verdict on a deck changes; ``report`` is the day's."""
    ruleset, found = RULESETS[report.ruleset], []
    for later in lists.days_after(ruleset.format, house, on):
        entries = lists.entries(ruleset.format, house, later)
        then = legality.judge(resolved, ruleset, entries, coalition_type=chosen)
        before, after = (
            {(problem.code, problem.card): problem for problem in one.problems}
            for one in (report, then)
        )
        freed = sorted({card for code, card in before.keys() - after.keys() if card})
        new = [after[key] for key in after if key not in before]
        if new or freed:
            title = f"Legal from {day(later)} on" if then.legal else f"From {day(later)} on"
            title = f"Legal until {day(later)}" if report.legal else title
            bans = legality.bans_of(resolved, ruleset, entries)
            named = (*bans.restricted.items(), *bans.banned.items())
            reasons = {name_key(name): ban.reason.rstrip(".") for name, ban in named}
            fixes = dict(building.fixes_of(resolved, then, chosen))
            hits = [(each, reasons.get(name_key(each.card or ""), ""), fixes[each]) for each in new]
            found.append(PlannedDay(later, title, hits, freed))
        report = then
    return found


def judged_decks(
    decks: Sequence[Deck], on: date, house: BanList | None = None, by: DeckRuleset | None = None
) -> list[dict[str, Any]]:
    """Return decks with the reports on their latest revisions; with ``by`` those of its format."""
    latest, lists = queries.latest_revisions(decks), memory.BAN_LISTS.now()
    read = dict(legality.read_all(latest.values()))
    rows = []
    for deck in decks:
        revision = latest[deck.pk]
        if by and by.format != RULESETS[revision.ruleset].format:
            continue
        ruleset, chosen = by or RULESETS[revision.ruleset], revision.coalition_type
        row: dict[str, Any] = {"deck": deck, "revision": revision, "ruleset": ruleset}
        rows.append(row)
        if resolved := read.get(revision):  # else its list can't be read
            entries = lists.entries(ruleset.format, house, on)
            report = legality.judge(resolved, ruleset, entries, coalition_type=chosen)
            hits = [each.message for each in report.problems if each.code in BARS]
            coming = planned(resolved, report, lists, house, on, chosen)
            row |= {"report": report, "hits": hits, "planned": coming}
    return rows
