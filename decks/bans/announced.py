"""The history of a ban list as announcements: what changed on each day, and why."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.db.models import QuerySet
from django.utils import timezone

from coalition_site.lib.dates import day

from ..models import POOL, Announced, Announcement, AnnouncementLine, BanEntry, BanList, Card
from ..queries import Ban, as_bans
from ..rules.names import name_key
from . import history

OFF = "off the list"
ORDER = {status: place for place, status in enumerate(Announced.values)}


@dataclass(frozen=True)
class Change:
    """What a day does to a card or a group; ``was`` is its status before, "" if it had none."""

    name: str
    is_card: bool
    status: str
    was: str = ""
    reason: str = ""
    note: str = ""
    cards: Sequence[str] = ()
    has_page: bool = False

    @property
    def words(self) -> str:
        """What changes, in a line.

        >>> Change("Ox", True, "legal", "banned").words, Change("Ante", False, "legal").words
        ('Ox: legal, was banned', 'Ante: off the list')
        """
        return f"{self.name}: {self.effect}"

    @property
    def effect(self) -> str:
        was = f", was {self.was}" if self.was and self.was != self.status else ""
        return f"{self.becomes}{was}"

    @property
    def becomes(self) -> str:
        return self.status if self.is_card or self.status != Announced.LEGAL else OFF


def change_of(row: BanEntry | AnnouncementLine, was: str = "") -> Change:
    cards = sorted(card.name for card in row.cards.all())
    has_page = row.card_id is not None
    return Change(row.name, not row.rule, row.status, was, row.reason, "", cards, has_page)


@dataclass(frozen=True)
class DayAnnounced:
    """All that a list's editors changed for a day; ``row`` are their words for it, if any."""

    ban_list: BanList
    on: date
    changes: Sequence[Change]
    announced_at: datetime
    row: Announcement | None = None
    is_first: bool = False

    @property
    def title(self) -> str:
        if self.row:
            return self.row.title
        return "The first list" if self.is_first else f"Changes of {day(self.on)}"

    @property
    def text(self) -> str:
        return self.row.text if self.row else ""

    @property
    def address(self) -> str:
        return history.address(self.ban_list, self.on)

    @property
    def is_planned(self) -> bool:
        return self.on > timezone.localdate()

    @property
    def in_short(self) -> str:
        """How many cards and groups change, by status.

        >>> changes = [Change("Ox", True, "banned"), Change("Elk", True, "legal", "banned")]
        >>> DayAnnounced(BanList(), date(2026, 3, 9), changes, datetime(2026, 3, 1)).in_short
        '1 banned, 1 legal'
        """
        counts = Counter(change.becomes for change in self.changes)
        return ", ".join(f"{counts[word]} {word}" for word in (*ORDER, OFF) if counts[word])


def announcements(ban_list: BanList) -> list[DayAnnounced]:
    """Return all announcements of a list, the latest day first. Five queries at most."""
    rows = {row.on: row for row in published(ban_list)}
    # No entry says why a subject lost its entry.
    off = AnnouncementLine.objects.filter(
        announcement__in=rows.values(), status=Announced.LEGAL
    ).select_related("announcement")
    reasons = {(line.announcement.on, history.subject_key(line)): line.reason for line in off}
    entries = history.history(ban_list)
    own = [entry for entry in entries if entry.ban_list_id == ban_list.pk]
    by_day = {on: (started, ended) for on, started, ended in history.changes(own)}
    days: list[DayAnnounced] = []
    for on in sorted({*by_day, *rows}):
        started, ended = by_day.get(on, ({}, {}))
        changes = [
            change_of(entry, ended[key].status if key in ended else "")
            for key, entry in started.items()
        ]
        gone = [entry for key, entry in ended.items() if key not in started]
        bans = bans_on(ban_list, entries, on) if gone else []
        for entry in gone:
            reason = reasons.get((on, history.subject_key(entry)), "")
            note = still_barred(entry.card, bans) if entry.card else ""
            change = replace(change_of(entry, entry.status), status=Announced.LEGAL, cards=())
            changes.append(replace(change, reason=reason, note=note))
        row = rows.get(on)
        stamps = [entry.changed_at for entry in (*started.values(), *ended.values())]
        at = (row and row.published_at) or max(stamps)
        days.append(DayAnnounced(ban_list, on, in_order(changes), at, row, is_first=not days))
    return days[::-1]


def find(ban_list: BanList, on: date) -> DayAnnounced | None:
    return next((found for found in announcements(ban_list) if found.on == on), None)


def published(ban_list: BanList) -> QuerySet[Announcement]:
    return ban_list.announcements.exclude(published_at=None)


def in_order(changes: Iterable[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: (ORDER[change.status], name_key(change.name)))


def bans_on(
    ban_list: BanList,
    entries: Iterable[BanEntry],
    on: date,
    lines: Iterable[AnnouncementLine] = (),
) -> list[Ban]:
    """Return the entries in force on a day, and lines as if they were; see ``queries.as_bans``."""
    in_force = [entry for entry in entries if history.is_in_force(entry, on)]
    return as_bans([*in_force, *lines], ban_list.pk, on)


def still_barred(card: Card, bans: Sequence[Ban]) -> str:
    """Return why a card without an entry of its own can't be played all the same, "" if it can."""
    deciding = next((ban for ban in bans if ban.covers(card)), None)
    if deciding and deciding.status == Announced.BANNED:
        return f"It stays banned: {deciding.reason.rstrip('.') or 'by another entry'}."
    if card.vintage not in POOL and not (deciding and deciding.status == Announced.ALLOWED):
        return "It stays illegal: it is not in the card pool."
    return ""
