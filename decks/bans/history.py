"""The history of ban lists: what decides about a card on a day, since when, and what changed."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from coalition_site.lib.dates import day

from .. import queries
from ..catalogue.known import KnownCard
from ..decks.legality import ResolvedList
from ..models import (
    POOL,
    TOOK_EFFECT,
    Announced,
    Announcement,
    AnnouncementLine,
    BanEntry,
    BanList,
    Card,
    Legality,
    Status,
)
from ..queries import RULE_FIELDS, Ban, as_bans, precedence
from ..rules.deck import BARS, Code, Report
from ..rules.names import name_key
from ..rules.rulesets import LEVELER, RULESETS

LEGAL, NOT_LEGAL = Announced.LEGAL.value, "not_legal"
OUT = (Status.BANNED, NOT_LEGAL)
OFF = "off the list"
ORDER = {status: place for place, status in enumerate(Announced.values)}

SubjectKey = int | str  # the key of a card, or else a rule or a name's key
Reasons = Mapping[tuple[int, date, SubjectKey], str]  # why a list took a subject off on a day
Turned = defaultdict[date, dict[SubjectKey, BanEntry]]  # by day and subject


# --- entries ---
def entries_of(lists: Collection[int]) -> QuerySet[BanEntry]:
    """Return all entries ever on some lists, by start. Two queries."""
    entries = BanEntry.objects.filter(TOOK_EFFECT, ban_list__in=lists).order_by("starts_on", "pk")
    return entries.select_related("ban_list", "card", "changed_by").prefetch_related("cards")


def address(ban_list: BanList, on: date) -> str:
    return reverse("announcement", args=[ban_list.key, on.isoformat()])


def subject_key(row: BanEntry | AnnouncementLine) -> SubjectKey:
    return row.card_id or row.rule or row.named_key


def is_in_force(entry: BanEntry, on: date) -> bool:
    return entry.starts_on <= on and (entry.ends_on is None or entry.ends_on > on)


def covers(entry: BanEntry, card: Card | KnownCard) -> bool:
    if field := RULE_FIELDS.get(entry.rule):
        return bool(getattr(card, field))
    return card.pk in (entry.card_id, *(named.pk for named in entry.cards.all()))


def deciding(entries: Iterable[BanEntry], on: date) -> BanEntry | None:
    return min(
        (entry for entry in entries if is_in_force(entry, on)),
        key=lambda one: precedence(one.status, one.rule, is_house=bool(one.ban_list.base_id)),
        default=None,
    )


def since(
    entries: Sequence[BanEntry], on: date, unlisted: str, statuses: Collection[str]
) -> tuple[date, BanEntry] | None:
    """Return since when a card has one of these statuses, None if always; by all its entries."""
    turns = {entry.ends_on: entry for entry in reversed(entries) if entry.ends_on}
    turns |= {entry.starts_on: entry for entry in entries}
    for first in sorted(turns, reverse=True):
        if date.min < first <= on:
            before = deciding(entries, first - timedelta(days=1))
            if (before.status if before else unlisted) not in statuses:
                return first, turns[first]
    return None


# --- a card ---
@dataclass(frozen=True)
class Standing:
    """What a ban list says of a card on a day; ``since`` is None if it was never different."""

    ban_list: BanList
    status: str
    since: date | None = None
    reason: str = ""
    announcement: str = ""
    next: "Standing | None" = None  # what a planned change makes of it

    @property
    def is_legal(self) -> bool:
        return self.status not in OUT

    @property
    def planned(self) -> list["Standing"]:
        return [self.next, *self.next.planned] if self.next else []

    @property
    def course(self) -> list[object]:  # what it says now and later
        return [self.status, *((later.status, later.since) for later in self.planned)]


def standings(card: KnownCard, ban_lists: Sequence[BanList], on: date) -> list[Standing]:
    """Rules that ban without an entry, such as Leveler's, are the deck check's to know."""
    lists = {key for ban_list in ban_lists for key in ban_list.lists}
    rules = [rule for rule, field in RULE_FIELDS.items() if getattr(card, field)]
    is_about = Q(card=card.pk) | Q(cards=card.pk) | Q(rule__in=rules)
    entries = list(entries_of(lists).filter(is_about).distinct())
    off = Announcement.objects.filter(ban_list__in=lists, published_at__isnull=False)
    reasons = reasons_off(off if entries else (), card=card.pk)
    return [standing(card, ban_list, entries, on, reasons) for ban_list in ban_lists]


def standing(
    card: KnownCard,
    ban_list: BanList,
    all_entries: Iterable[BanEntry],
    on: date,
    reasons: Reasons,
) -> Standing:
    is_outside = ban_list.has_pool and not card.in_pool
    lists, unlisted = ban_list.lists, NOT_LEGAL if is_outside else LEGAL
    entries = [entry for entry in all_entries if entry.ban_list_id in lists and covers(entry, card)]
    entry = deciding(entries, on)
    status, later = entry.status if entry else unlisted, None
    days = {turn for one in entries for turn in (one.starts_on, one.ends_on) if turn}
    for turn in sorted(turn for turn in days if turn > on):
        then = deciding(entries, turn)
        if (then.status if then else unlisted) != status:
            later = standing(card, ban_list, entries, turn, reasons)
            break
    begun = since(entries, on, unlisted, [status])
    if begun is None:
        return Standing(ban_list, status, next=later)
    first, turned = begun
    reason = entry.reason if entry else reasons.get((turned.ban_list_id, first, card.pk), "")
    return Standing(ban_list, status, first, reason, address(turned.ban_list, first), later)


def barred(
    resolved: ResolvedList, report: Report, today: date, house: BanList | None = None
) -> dict[str, tuple[date, BanEntry]]:
    """Return since when and why a list keeps cards out of a deck, but those never legal."""
    names = {problem.card for problem in report.problems if problem.code in BARS}
    outside = {problem.card for problem in report.problems if problem.code == Code.NOT_IN_POOL}
    cards = [card for card in set(resolved.cards.values()) if card.name in names]
    format = RULESETS[report.ruleset].format
    ban_list = (house or queries.find_list(format)) if cards else None
    entries = entries_of(ban_list.lists if ban_list else ()).exclude(status=Status.WATCHED)
    kept_out = {}
    for card in cards:
        of_card = [entry for entry in entries if covers(entry, card)]
        is_ruled_out = _bans_unlisted(format, card.name, in_legacy=card.banned_in_legacy)
        unlisted = NOT_LEGAL if card.name in outside or is_ruled_out else LEGAL
        if turn := since(of_card, today, unlisted, OUT):
            begun = [entry for entry in of_card if entry.starts_on <= today]
            last = max(begun, key=lambda entry: entry.ends_on or date.max)
            kept_out[card.name] = turn[0], deciding(of_card, today) or last
    return kept_out


# --- a list ---
@dataclass(frozen=True)
class Listed:
    """A card or a group on a day; ``entry`` is None if it is no longer on the list."""

    name: str
    is_card: bool
    entry: BanEntry | None
    earlier: Sequence[BanEntry]
    cards: Sequence[str] = ()


def listed(entries: Iterable[BanEntry], on: date) -> list[Listed]:
    by_subject: dict[SubjectKey, list[BanEntry]] = {}
    for begun in entries:
        if begun.starts_on <= on:
            by_subject.setdefault(subject_key(begun), []).append(begun)
    rows = []
    for of_subject in by_subject.values():
        last, entry = of_subject[-1], deciding(of_subject, on)
        row = Listed(
            last.name,
            last.card_id is not None,
            entry,
            [one for one in reversed(of_subject) if one is not entry],
            sorted(card.name for card in entry.cards.all()) if entry else [],
        )
        rows.append(row)
    return sorted(rows, key=lambda row: name_key(row.name))


# --- announcements ---
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
        """
        >>> Change("Ox", True, "legal", "banned").words, Change("Ante", False, "legal").words
        ('Ox: legal, was banned', 'Ante: off the list')
        >>> Change("Ox", True, "banned", "banned").words
        'Ox: banned'
        """
        return f"{self.name}: {self.effect}"

    @property
    def effect(self) -> str:
        was = f", was {self.was}" if self.was and self.was != self.status else ""
        return f"{self.becomes}{was}"

    @property
    def becomes(self) -> str:
        return self.status if self.is_card or self.status != LEGAL else OFF


def change_of(row: BanEntry | AnnouncementLine, before: BanEntry | None = None) -> Change:
    was, has_page = before.status if before else "", row.card_id is not None
    cards = sorted(card.name for card in row.cards.all())
    return Change(row.name, not row.rule, row.status, was, row.reason, "", cards, has_page)


@dataclass(frozen=True)
class DayAnnounced:
    """All that a list's editors changed for a day; ``row`` is not saved if they wrote no words."""

    row: Announcement
    changes: Sequence[Change]
    announced_at: datetime
    is_first: bool = False

    @property
    def address(self) -> str:
        return address(self.row.ban_list, self.row.on)

    @property
    def is_planned(self) -> bool:
        return self.row.on > timezone.localdate()

    @property
    def day_before(self) -> date:
        return self.row.on - timedelta(days=1)

    @property
    def in_short(self) -> str:
        """How many cards and groups change, by status.

        >>> changes = [Change("Ox", True, "banned"), Change("Elk", True, "legal", "banned")]
        >>> DayAnnounced(Announcement(), changes, datetime(2026, 3, 1)).in_short
        '1 banned, 1 legal'
        """
        counts = Counter(change.becomes for change in self.changes)
        return ", ".join(f"{counts[word]} {word}" for word in (*ORDER, OFF) if counts[word])


def announcements(ban_list: BanList) -> list[DayAnnounced]:
    """Return all announcements of a list, the latest day first. Five queries at most."""
    rows = {row.on: row for row in published(ban_list)}
    reasons, entries = reasons_off(rows.values()), entries_of(ban_list.lists)
    starts, ends = Turned(dict), Turned(dict)
    for entry in entries:
        if entry.ban_list_id == ban_list.pk:
            starts[entry.starts_on][subject_key(entry)] = entry
            if entry.ends_on:
                ends[entry.ends_on][subject_key(entry)] = entry
    days: list[DayAnnounced] = []
    for on in sorted({*starts, *ends, *rows}):
        started, ended = starts[on], ends[on]
        changed = []
        for key, entry in started.items():
            before = ended.get(key)
            change = change_of(entry, before)
            # A ban that was taken back on the day on which it changed goes on as it was.
            if not before or replace(change, was="") != change_of(before):
                changed.append(change)
        gone = [entry for key, entry in ended.items() if key not in started]
        in_force = [entry for entry in entries if is_in_force(entry, on)] if gone else []
        bans = as_bans(in_force, ban_list.pk, on)
        for entry in gone:
            off = replace(change_of(entry, entry), status=LEGAL, cards=())
            reason = reasons.get((ban_list.pk, on, subject_key(entry)), "")
            note = still_barred(entry.card, ban_list, bans) if entry.card else ""
            changed.append(replace(off, reason=reason, note=note))
        if not (changed or on in rows):
            continue
        title = f"Changes of {day(on)}" if days else "The first list"
        row = rows.get(on) or Announcement(ban_list=ban_list, on=on, title=title, version=0)
        stamps = [entry.changed_at for entry in (*started.values(), *ended.values())]
        # Ending an entry stamps it anew, but what was announced of a past day is no newer.
        begun = datetime.combine(on, time.min, timezone.get_default_timezone())
        at, changed = row.published_at or min(begun, max(stamps)), sorted(changed, key=place)
        days.append(DayAnnounced(row, changed, at, is_first=not days))
    return days[::-1]


def published(ban_list: BanList) -> QuerySet[Announcement]:
    return ban_list.announcements.exclude(published_at=None)


def reasons_off(announcements: Collection[Announcement], **about: Any) -> Reasons:
    # No entry says why a subject lost its entry.
    lines = AnnouncementLine.objects.filter(announcement__in=announcements, status=LEGAL, **about)
    return {
        (line.announcement.ban_list_id, line.announcement.on, subject_key(line)): line.reason
        for line in lines.select_related("announcement")
    }


def place(change: Change | None) -> tuple[int, str]:
    return (ORDER[change.status], name_key(change.name)) if change else (len(ORDER), "")


def still_barred(card: Card, ban_list: BanList, bans: Sequence[Ban]) -> str:
    """Return why a card without an entry of its own can't be played all the same, "" if it can."""
    deciding = next((ban for ban in bans if ban.covers(card)), None)
    if deciding and deciding.status == Announced.BANNED:
        return f"It stays banned: {deciding.reason.rstrip('.') or 'by another entry'}."
    if deciding and deciding.status == Announced.ALLOWED:
        return ""
    if ban_list.has_pool and card.vintage not in POOL:
        return "It stays illegal: it is not in the card pool."
    is_ruled_out = _bans_unlisted(
        ban_list.format, card.name, in_legacy=card.legacy == Legality.BANNED
    )
    return "It is banned all the same, by the rules of Leveler." if is_ruled_out else ""


def _bans_unlisted(format: str, name: str, *, in_legacy: bool) -> bool:
    return format == LEVELER.format and (in_legacy or name in LEVELER.banned)
