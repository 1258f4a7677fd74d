"""The history of ban lists: what decides about a card on a day, since when, and what changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q
from django.urls import reverse

from .. import queries
from ..catalogue.known import KnownCard
from ..checking.legality import ResolvedList
from ..models import POOL, TOOK_EFFECT, AnnouncementLine, BanEntry, BanList, Card, Status
from ..queries import RULE_FIELDS, precedence
from ..rules.deck import Code, Report
from ..rules.rulesets import RULESETS

LEGAL, NOT_LEGAL = "legal", "not_legal"
BARS = (Code.BANNED, Code.NOT_IN_POOL)

SubjectKey = tuple[int | None, str]  # the key of a card, or None and a rule or a name's key
Started = dict[tuple[int, SubjectKey], BanEntry]  # by list and subject


@dataclass(frozen=True)
class Standing:
    """What a ban list says of a card on a day; ``since`` is None if it was never different."""

    ban_list: BanList
    status: str
    since: date | None = None
    reason: str = ""
    group: str = ""
    announcement: str = ""

    @property
    def is_legal(self) -> bool:
        return self.status not in (Status.BANNED, NOT_LEGAL)


def history(ban_list: BanList) -> list[BanEntry]:
    """Return all entries ever on a list and its base list, by start. Two queries."""
    entries = BanEntry.objects.filter(TOOK_EFFECT, ban_list__in=ban_list.lists)
    entries = entries.select_related("card", "changed_by").prefetch_related("cards")
    return list(entries.order_by("starts_on", "pk"))


def address(ban_list: BanList, on: date) -> str:
    return reverse("announcement", args=[ban_list.key, on.isoformat()])


def subject_key(entry: BanEntry | AnnouncementLine) -> SubjectKey:
    return entry.card_id, entry.rule or entry.named_key


def is_in_force(entry: BanEntry, on: date) -> bool:
    return entry.starts_on <= on and (entry.ends_on is None or entry.ends_on > on)


def covers(entry: BanEntry, card: Card | KnownCard) -> bool:
    if field := RULE_FIELDS.get(entry.rule):
        return bool(getattr(card, field))
    return card.pk in (entry.card_id, *(named.pk for named in entry.cards.all()))


def deciding(entries: Iterable[BanEntry], on: date, house: int | None = None) -> BanEntry | None:
    return min(
        (entry for entry in entries if is_in_force(entry, on)),
        key=lambda entry: precedence(entry.status, entry.rule, is_house=entry.ban_list_id == house),
        default=None,
    )


def since(
    entries: Sequence[BanEntry],
    on: date,
    house: int | None,
    now: object,
    meaning: Callable[[BanEntry | None], object],
) -> tuple[date, BanEntry] | None:
    """Return since when the entries that cover a card mean what they do ``now``, None if always."""
    moments = [(entry.starts_on, entry) for entry in reversed(entries)]
    moments += [(entry.ends_on, entry) for entry in entries if entry.ends_on]
    for day, entry in sorted(moments, key=lambda moment: moment[0], reverse=True):
        is_past = date.min < day <= on
        if is_past and meaning(deciding(entries, day - timedelta(days=1), house)) != now:
            return day, entry
    return None


def standings(card: Card | KnownCard, ban_lists: Sequence[BanList], on: date) -> list[Standing]:
    """Rules that ban without an entry, such as Leveler's, are the deck check's to know."""
    lists = {key for ban_list in ban_lists for key in ban_list.lists}
    rules = [rule for rule, field in RULE_FIELDS.items() if getattr(card, field)]
    is_about = Q(card=card.pk) | Q(cards=card.pk) | Q(rule__in=rules)
    rows = BanEntry.objects.filter(TOOK_EFFECT, is_about, ban_list__in=lists).distinct()
    rows = rows.select_related("card", "ban_list").prefetch_related("cards")
    entries = list(rows.order_by("starts_on", "pk"))
    # No entry says why a list took the card off.
    off = AnnouncementLine.objects.filter(
        card=card.pk,
        status=LEGAL,
        announcement__ban_list__in=ban_lists,
        announcement__published_at__isnull=False,
    ).values_list("announcement__ban_list", "announcement__on", "reason")
    reasons = {(ban_list, day): reason for ban_list, day, reason in (off if entries else ())}
    return [standing(card, ban_list, entries, on, reasons) for ban_list in ban_lists]


def standing(
    card: Card | KnownCard,
    ban_list: BanList,
    all_entries: Iterable[BanEntry],
    on: date,
    reasons: Mapping[tuple[int, date], str],
) -> Standing:
    """Return what a list says; ``reasons`` are why lists took the card off, by list and day."""
    in_pool = card.in_pool if isinstance(card, KnownCard) else card.vintage in POOL

    def status(entry: BanEntry | None) -> str:
        return entry.status if entry else LEGAL if in_pool else NOT_LEGAL

    lists = ban_list.lists
    entries = [entry for entry in all_entries if entry.ban_list_id in lists and covers(entry, card)]
    entry = deciding(entries, on, ban_list.pk)
    turn = since(entries, on, ban_list.pk, status(entry), status)
    return Standing(
        ban_list,
        status(entry),
        turn and turn[0],
        entry.reason if entry else reasons.get((ban_list.pk, turn[0]), "") if turn else "",
        entry.name if entry and entry.rule else "",
        address(turn[1].ban_list, turn[0]) if turn else "",
    )


def barred(
    resolved: ResolvedList, report: Report, today: date, house: BanList | None = None
) -> dict[str, tuple[date, BanEntry]]:
    """Return since when and why a list keeps cards out of a deck, but those never legal."""
    names = {problem.card for problem in report.problems if problem.code in BARS}
    outside = {problem.card for problem in report.problems if problem.code == Code.NOT_IN_POOL}
    cards = [card for card in set(resolved.cards.values()) if card.name in names]
    ban_list = (house or queries.find_list(RULESETS[report.ruleset].format)) if cards else None
    entries = [
        entry for entry in (history(ban_list) if ban_list else ()) if entry.status != Status.WATCHED
    ]
    house_key, found = house.pk if house else None, {}
    for card in cards:
        of_card = [entry for entry in entries if covers(entry, card)]
        is_outside = card.name in outside

        def is_out(entry: BanEntry | None, is_outside: bool = is_outside) -> bool:
            return entry.status == Status.BANNED if entry else is_outside

        turn = since(of_card, today, house_key, True, is_out)
        ended = [entry for entry in of_card if entry.ends_on and entry.ends_on <= today]
        last = max(ended, key=lambda entry: entry.ends_on or date.min, default=None)
        if turn and (entry := deciding(of_card, today, house_key) or last):
            found[card.name] = turn[0], entry
    return found


def changes(entries: Iterable[BanEntry]) -> Iterator[tuple[date, Started, Started]]:
    """Yield each day with what begins and what ends on it, in order of the days."""
    days: dict[date, tuple[Started, Started]] = {}
    for entry in entries:
        key = entry.ban_list_id, subject_key(entry)
        days.setdefault(entry.starts_on, ({}, {}))[0][key] = entry
        if entry.ends_on:
            days.setdefault(entry.ends_on, ({}, {}))[1][key] = entry
    for on in sorted(days):
        yield on, *days[on]
