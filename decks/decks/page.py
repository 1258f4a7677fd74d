"""What the pages of a deck and of checking a list show to all who look."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.utils import timezone

from coalition_site.lib.dates import day

from ..bans.history import barred
from ..catalogue import memory
from ..models import BanEntry, BanList, DeckRevision
from ..reading.writers import write_archidekt, write_arena, write_moxfield, write_mtgo
from ..rules.deck import BARS, Report
from ..rules.rulesets import RULESETS
from . import building, legality
from .planned import planned
from .report import by_kind, card_rows, judged_list

SITES: Mapping[str, Callable[..., str]] = {
    "Moxfield": write_moxfield,
    "Archidekt": write_archidekt,
    "Arena": write_arena,
    "MTGO": write_mtgo,
}
SHOWN_MAX = 100  # revisions that are remembered, of 200 kB each at most


def remembered_revision(revision: DeckRevision, house: BanList | None, on: date) -> dict[str, Any]:
    """Return what all see of a revision on a day, once worked out until cards or bans change."""
    remembered = memory.CATALOGUE.now().shown
    today = timezone.localdate()
    key = (revision.pk, revision.state, house and house.pk, on, today, memory.BAN_LISTS.now())
    shown: dict[str, Any] | None = remembered.get(key)
    if shown is None:
        if len(remembered) >= SHOWN_MAX:
            remembered.clear()
        shown = remembered[key] = show_revision(revision, house, on)
    return shown


def show_revision(revision: DeckRevision, house: BanList | None, on: date) -> dict[str, Any]:
    own, chosen = RULESETS[revision.ruleset], revision.coalition_type
    resolved = legality.read_saved(revision.text, own)
    lists = memory.BAN_LISTS.now()
    bans = lists.entries(own.format, house, on)
    reports = {
        ruleset: legality.judge(resolved, ruleset, bans, coalition_type=chosen)
        for ruleset in RULESETS.values()
        if ruleset.format == own.format
    }
    report = reports[own]
    rows = card_rows(resolved, report)
    split = {row.name for row in rows if row.card and row.card.layout == "split"}
    return {
        "judged": judged_list(resolved, report),
        "today": timezone.localdate(),
        "legalities": list(reports.items()),
        "since": _illegal_since(report, barred(resolved, report, on, house), revision),
        "planned": planned(resolved, report, lists, house, on, chosen),
        "groups": by_kind(resolved, report),
        "is_empty": not resolved.deck_list.entries,
        # No other site takes cards that are in no catalogue.
        "copies": []
        if own.by_name
        else [(site, write(rows, split)) for site, write in SITES.items()],
        "drawn": {},  # what readers see of it, by how they look at cards
        "fixes": building.fixes_of(resolved, report, chosen),
    }


def _illegal_since(
    report: Report, barred: Mapping[str, tuple[date, BanEntry]], revision: DeckRevision
) -> tuple[str, list[tuple[str, date, BanEntry]]] | None:
    if not barred:
        return None
    # Since when a deck has other problems is not known.
    is_only_bans = all(each.code in BARS and each.card in barred for each in report.problems)
    first = min(since for since, _ in barred.values())
    title = "Kept out by the ban list:"
    if is_only_bans and first > timezone.localtime(revision.created_at).date():
        since = "from" if first > timezone.localdate() else "since"
        title = f"Illegal {since} {day(first)}, legal before:"
    elif is_only_bans:
        title = "Illegal since it was saved:"
    return title, [(name, *barred[name]) for name in sorted(barred)]
