"""A ban list on a day, as its page and the API show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from coalition_site.lib.dates import day

from .. import queries
from ..models import BanEntry, BanList, Card, Legality, Status
from ..queries import RULE_FIELDS
from ..rules.names import name_key
from ..rules.rulesets import RULESETS, DeckRuleset, LevelerDeck
from . import history
from .history import Started, SubjectKey

IN_GROUPS_MAX = 20  # cards listed as banned with a group


@dataclass(frozen=True)
class PageEntry:
    """A card or a group of cards on the page; ``entry`` is None if it is no longer on the list.

    ``announcement`` is the address of what was announced when the entry began.
    """

    name: str
    entry: BanEntry | None
    earlier: Sequence[BanEntry]
    is_house: bool = False
    announcement: str = ""

    @property
    def is_card(self) -> bool:
        """Whether it is a card of the catalogue, which has a page."""
        return (self.entry or self.earlier[0]).card_id is not None

    @property
    def since(self) -> str:
        return day(self.entry.starts_on) if self.entry else ""

    @property
    def until(self) -> str:
        return day(self.entry.ends_on) if self.entry and self.entry.ends_on else ""

    @property
    def cards(self) -> list[str]:
        return sorted(card.name for card in self.entry.cards.all()) if self.entry else []

    @property
    def editor(self) -> str:
        """The full name of whoever changed it last; a login name stays private."""
        by = self.entry.changed_by if self.entry else None
        return by.get_full_name() if by else ""

    def is_called(self, key: str) -> bool:
        return any(key in name_key(name) for name in (self.name, *self.cards))


@dataclass(frozen=True)
class DayOfChanges:
    """What changed on a day; ``first`` sums up the first day of a list instead."""

    on: date
    is_planned: bool
    lines: list[str]
    first: str

    @property
    def day(self) -> str:
        return day(self.on)


def page_entries(ban_list: BanList, entries: Iterable[BanEntry], on: date) -> list[PageEntry]:
    """Return all cards and groups that have been on the list up to a day, by name."""
    by_subject: dict[SubjectKey, list[BanEntry]] = {}
    for entry in entries:
        if entry.starts_on <= on:
            by_subject.setdefault(history.subject_key(entry), []).append(entry)
    rows = [_page_entry(ban_list, of_subject, on) for of_subject in by_subject.values()]
    return sorted(rows, key=lambda row: name_key(row.name))


def _page_entry(ban_list: BanList, entries: list[BanEntry], on: date) -> PageEntry:
    deciding = history.deciding(entries, on, ban_list.pk)
    earlier = [entry for entry in reversed(entries) if entry is not deciding]
    is_house = bool(deciding and ban_list.base_id and deciding.ban_list_id == ban_list.pk)
    is_own = deciding is None or deciding.ban_list_id == ban_list.pk
    of = ban_list if is_own or ban_list.base is None else ban_list.base
    address = history.address(of, deciding.starts_on) if deciding else ""
    return PageEntry(entries[-1].name, deciding, earlier, is_house, address)


def banned_in_groups(query: str, entries: Iterable[BanEntry], on: date) -> list[tuple[str, str]]:
    """Return cards whose name contains a text and that a group bans, with the group. One query.

    They have no entries of their own, but whoever looks for them must not think them legal.
    """
    in_force = [entry for entry in entries if history.is_in_force(entry, on)]
    rules = {RULE_FIELDS[entry.rule]: entry.name for entry in in_force if _bans_by_field(entry)}
    if not rules:
        return []
    has_field = Q()
    for name in rules:
        has_field |= Q(**{name: True})
    # A card's own entry takes precedence over its group.
    own = [entry.card.pk for entry in in_force if entry.card and entry.status != Status.WATCHED]
    cards = Card.objects.filter(has_field, key__contains=name_key(query)).exclude(pk__in=own)
    return [(card.name, _groups(card, rules)) for card in cards.order_by("key")[:IN_GROUPS_MAX]]


def _bans_by_field(entry: BanEntry) -> bool:
    return entry.status == Status.BANNED and entry.rule in RULE_FIELDS


def _groups(card: Card, rules: dict[str, str]) -> str:
    return ", ".join(label for field, label in rules.items() if getattr(card, field))


def banned_by_rules(ban_list: BanList, on: date, key: str) -> list[tuple[str, list[str]]]:
    """Return the cards that are illegal in a format without any entry, by the rule that says so.

    Cards with an entry in force that day are left out, and cards whose name does not contain
    ``key``. Legacy's bans are known for today only. Two queries, for Leveler alone.
    """
    levelers = [rules for rules in rulesets(ban_list) if isinstance(rules, LevelerDeck)]
    return [part for ruleset in levelers for part in _banned_by(ruleset, ban_list, on, key)]


def rulesets(ban_list: BanList) -> list[DeckRuleset]:
    return [rules for rules in RULESETS.values() if rules.format == ban_list.format]


def _banned_by(
    ruleset: LevelerDeck, ban_list: BanList, on: date, key: str
) -> Iterator[tuple[str, list[str]]]:
    is_banned = Q(legacy=Legality.BANNED) | Q(name__in=ruleset.banned)
    cards = list(Card.objects.filter(is_banned))
    bans = queries.bans(cards, queries.read_bans(ban_list, on))
    in_legacy = {card.name for card in cards} - ruleset.banned
    for title, names in (
        (f"Banned in {ruleset.name}", ruleset.banned),
        (f"Banned in Legacy, and so in {ruleset.name} too", in_legacy),
    ):
        left = {name for name in names if key in name_key(name)} - {*bans.banned} - bans.allowed
        if left:
            yield title, sorted(left, key=name_key)


# --- what changed ---
def changes(entries: Sequence[BanEntry], today: date) -> list[DayOfChanges]:
    """Return the days with changes, newest first; the first day only has a summary."""
    days: list[DayOfChanges] = []
    for on, started, ended in history.changes(entries):
        first = "" if days else count([*started.values(), *ended.values()])
        days.append(DayOfChanges(on, on > today, _lines(started, ended), first))
    return days[::-1]


def _lines(started: Started, ended: Started) -> list[str]:
    lines = [(2, f"− {entry.name}") for key, entry in ended.items() if key not in started]
    for key, entry in started.items():
        was = ended.get(key)
        what = f"{entry.name} {entry.status}"
        if was is None:
            lines.append((0, f"+ {what}"))
        else:
            lines.append((1, f"~ {what}{', renewed' if was.status == entry.status else ''}"))
    return [line for _, line in sorted(lines, key=lambda item: (item[0], name_key(item[1])))]


def count(entries: Iterable[BanEntry]) -> str:
    """Return how many cards there are, by status, and how many groups, in words."""
    entries = list(entries)
    statuses = [entry.status for entry in entries if not entry.rule]
    cards, groups = len(statuses), len(entries) - len(statuses)
    by_status = [f"{statuses.count(name)} {name}" for name in Status.values if name in statuses]
    details = f" ({', '.join(by_status)})" if by_status else ""
    if not entries:
        return "nothing"
    if not groups:
        return f"{cards} card{'s' * (cards != 1)}{details}"
    return (
        f"{cards} card{'s' * (cards != 1)}{details}"
        f" and {groups} group{'s' * (groups != 1)} of cards"
    )
