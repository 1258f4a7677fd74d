"""What the ban lists say of a card today: since when, why, and where it was announced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType

from django.db.models import F, Q

from ..catalogue.known import KnownCard
from ..models import POOL, AnnouncementLine, BanEntry, BanList, Card, Status
from ..queries import RULE_FIELDS
from .page import announcement_address, deciding_entry
from .since import covers

A_DAY = timedelta(days=1)
NO_REASONS: Mapping[tuple[int, date], str] = MappingProxyType({})
LEGAL, NOT_LEGAL = "legal", "not_legal"


@dataclass(frozen=True)
class Standing:
    """What a ban list says of a card on a day.

    ``status`` is that of the entry that decides (``banned``, ``watched``, ``allowed``), else
    ``legal``, or ``not_legal`` for a card outside the pool. ``since`` is None if it was never
    different. ``group`` is the name of the group of cards that the entry is about, if any.
    """

    ban_list: BanList
    status: str
    since: date | None = None
    reason: str = ""
    group: str = ""
    announcement: str = ""

    @property
    def is_legal(self) -> bool:
        return self.status not in (Status.BANNED, NOT_LEGAL)


def card_standings(
    card: Card | KnownCard, ban_lists: Sequence[BanList], on: date
) -> list[Standing]:
    """Return what each of some ban lists says of a card. Three queries for all of them.

    Rules that ban without an entry, such as Leveler's, are the deck check's to know.
    """
    keys = {key for ban_list in ban_lists for key in (ban_list.pk, ban_list.base_id)}
    entries = _entries(card, [key for key in keys if key])
    reasons = _reasons_for_legal(card, ban_lists) if entries else {}
    return [of_entries(card, ban_list, entries, on, reasons) for ban_list in ban_lists]


def _entries(card: Card | KnownCard, ban_lists: Iterable[int]) -> list[BanEntry]:
    rules = [rule for rule, field in RULE_FIELDS.items() if getattr(card, field)]
    is_about = Q(card=card.pk) | Q(cards=card.pk) | Q(rule__in=rules)
    entries = BanEntry.objects.filter(is_about, ban_list__in=ban_lists)
    entries = entries.exclude(ends_on=F("starts_on")).distinct().order_by("starts_on", "pk")
    return list(entries.select_related("card", "ban_list").prefetch_related("cards"))


def _reasons_for_legal(
    card: Card | KnownCard, ban_lists: Iterable[BanList]
) -> dict[tuple[int, date], str]:
    """Return why lists took a card off, which no entry of theirs says."""
    lines = AnnouncementLine.objects.filter(
        card=card.pk,
        status=LEGAL,
        announcement__ban_list__in=[ban_list.pk for ban_list in ban_lists],
        announcement__published_at__isnull=False,
    )
    rows = lines.values_list("announcement__ban_list", "announcement__on", "reason")
    return {(ban_list, on): reason for ban_list, on, reason in rows}


def of_entries(
    card: Card | KnownCard,
    ban_list: BanList,
    all_entries: Iterable[BanEntry],
    on: date,
    reasons: Mapping[tuple[int, date], str] = NO_REASONS,
) -> Standing:
    """Return what a list says of a card on a day, by the entries that it ever had.

    ``reasons`` are why lists took the card off, by list and day.
    """
    lists = (ban_list.pk, ban_list.base_id)
    entries = [entry for entry in all_entries if entry.ban_list_id in lists and covers(entry, card)]
    entry = deciding_entry(entries, on, ban_list.pk)
    status = entry.status if entry else _without_entry(card)
    turn = _since(card, entries, on, ban_list.pk, status)
    since, changed = turn if turn else (None, None)
    return Standing(
        ban_list,
        status,
        since,
        entry.reason if entry else reasons.get((ban_list.pk, since), "") if since else "",
        entry.name if entry and entry.rule else "",
        announcement_address(changed.ban_list, since) if changed and since else "",
    )


def _since(
    card: Card | KnownCard, entries: Sequence[BanEntry], on: date, house: int, status: str
) -> tuple[date, BanEntry] | None:
    """Return the day on which a card got its status, with the entry that began or ended then."""
    moments = [(entry.starts_on, entry) for entry in reversed(entries)]
    moments += [(entry.ends_on, entry) for entry in entries if entry.ends_on]
    past = [moment for moment in moments if date.min < moment[0] <= on]
    for moment in sorted(past, key=lambda moment: moment[0], reverse=True):
        before = deciding_entry(entries, moment[0] - A_DAY, house)
        if (before.status if before else _without_entry(card)) != status:
            return moment
    return None


def _without_entry(card: Card | KnownCard) -> str:
    in_pool = card.in_pool if isinstance(card, KnownCard) else card.vintage in POOL
    return LEGAL if in_pool else NOT_LEGAL
