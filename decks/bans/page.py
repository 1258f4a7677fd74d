"""What the page of a ban list says: one reading of the whole history, the rest is sorting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import F, Q

from .. import queries
from ..models import BanEntry, BanList, Card, Legality, Status
from ..queries import RULE_FIELDS, precedence
from ..rules.names import name_key
from ..rules.rulesets import RULESETS, LevelerDeck
from .commands import day

MEANT_MAX = 20  # cards that are told to be in a group

Subject = tuple[int | None, str]


@dataclass(frozen=True)
class Shown:
    """A card or a group of cards on the page; ``entry`` is None when it is on the list no more."""

    name: str
    entry: BanEntry | None
    earlier: Sequence[BanEntry]
    is_house: bool = False

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
        """Who changed it last, by a person's name: half of a login is nobody's business."""
        by = self.entry and self.entry.changed_by
        return by.get_full_name() if by else ""

    def is_called(self, key: str) -> bool:
        return any(key in name_key(name) for name in (self.name, *self.cards))


def history(ban_list: BanList) -> list[BanEntry]:
    """Return all that a list, and the one it stands on, ever said, by start. Two queries."""
    lists = [key for key in (ban_list.pk, ban_list.base_id) if key]
    found = BanEntry.objects.filter(ban_list__in=lists).exclude(ends_on=F("starts_on"))
    found = found.select_related("card", "changed_by").prefetch_related("cards")
    return list(found.order_by("starts_on", "pk"))


def subject(entry: BanEntry) -> Subject:
    return entry.card_id, entry.rule


def is_in_force(entry: BanEntry, on: date) -> bool:
    return entry.starts_on <= on and (entry.ends_on is None or entry.ends_on > on)


def counting(said: Iterable[BanEntry], on: date, house: int | None = None) -> BanEntry | None:
    """Return the entry that counts on a day, of those that mean one card; of a house first."""
    return min(
        (one for one in said if is_in_force(one, on)),
        key=lambda one: precedence(one.status, one.rule, is_house=one.ban_list_id == house),
        default=None,
    )


def shown(ban_list: BanList, entries: Iterable[BanEntry], on: date) -> list[Shown]:
    """Return each card and group that was ever on the list by a day, by name."""
    by_subject: dict[Subject, list[BanEntry]] = {}
    for entry in entries:
        if entry.starts_on <= on:
            by_subject.setdefault(subject(entry), []).append(entry)
    found = [_shown(ban_list, said, on) for said in by_subject.values()]
    return sorted(found, key=lambda one: name_key(one.name))


def _shown(ban_list: BanList, said: list[BanEntry], on: date) -> Shown:
    counts = counting(said, on, ban_list.pk)
    earlier = [one for one in reversed(said) if one is not counts]
    is_house = bool(counts and ban_list.base_id and counts.ban_list_id == ban_list.pk)
    return Shown(said[-1].name, counts, earlier, is_house)


def meant(query: str, entries: Iterable[BanEntry], on: date) -> list[tuple[str, str]]:
    """Return cards by a part of their name that a group bans, each with it. One query.

    Whoever looks for such a card must not take it for a free one, since it has no entry.
    """
    in_force = [entry for entry in entries if is_in_force(entry, on)]
    rules = {RULE_FIELDS[one.rule]: one.name for one in in_force if _bans_by_mark(one)}
    own = [one.card_id for one in in_force if one.card and one.status != Status.WATCHED]
    if not rules:
        return []
    marked = Q()
    for field in rules:
        marked |= Q(**{field: True})
    cards = Card.objects.filter(marked, key__contains=name_key(query)).exclude(pk__in=own)
    return [(card.name, _groups(card, rules)) for card in cards.order_by("key")[:MEANT_MAX]]


def _bans_by_mark(entry: BanEntry) -> bool:
    return entry.status == Status.BANNED and entry.rule in RULE_FIELDS


def _groups(card: Card, rules: dict[str, str]) -> str:
    return ", ".join(label for field, label in rules.items() if getattr(card, field))


def banned_by_rules(ban_list: BanList, on: date, key: str) -> list[tuple[str, list[str]]]:
    """Return by the rule that bans them the cards that a deck can't have without any entry.

    Without those of which the list itself says something on that day, and those whose name has no
    ``key`` in it. What Legacy bans is known of today only. Two queries, for Leveler alone.
    """
    ruled = [
        one
        for one in RULESETS.values()
        if one.format == ban_list.format and isinstance(one, LevelerDeck)
    ]
    return [part for ruleset in ruled for part in _banned_by(ruleset, ban_list, on, key)]


def _banned_by(
    ruleset: LevelerDeck, ban_list: BanList, on: date, key: str
) -> Iterator[tuple[str, list[str]]]:
    is_meant = Q(legacy=Legality.BANNED) | Q(name__in=ruleset.banned)
    cards = list(Card.objects.filter(is_meant))
    said = queries.bans(cards, queries.read_bans(ban_list, on))
    in_legacy = {card.name for card in cards} - ruleset.banned
    for title, names in (
        (f"Banned in {ruleset.name}", ruleset.banned),
        (f"Banned in Legacy, so in {ruleset.name} too", in_legacy),
    ):
        left = {name for name in names if key in name_key(name)} - {*said.banned} - said.allowed
        if left:
            yield title, sorted(left, key=name_key)


# --- what changed ---
def changes(entries: Sequence[BanEntry], today: date) -> list[dict[str, Any]]:
    """Return what changed, the latest day first; the first day only as numbers."""
    moments = [(one.starts_on, True, one) for one in entries]
    moments += [(one.ends_on, False, one) for one in entries if one.ends_on]
    moments.sort(key=lambda moment: moment[0])
    days = [
        {"on": on, "day": day(on), "is_planned": on > today, "lines": _lines(list(changed))}
        for on, changed in groupby(moments, key=lambda moment: moment[0])
    ]
    if days:
        days[0]["first"] = count([one for on, _, one in moments if on == days[0]["on"]])
    return days[::-1]


def _lines(changed: Sequence[tuple[date, bool, BanEntry]]) -> list[str]:
    begun = {_kept(one): one for _, begins, one in changed if begins}
    ended = {_kept(one): one for _, begins, one in changed if not begins}
    lines = [(2, f"− {one.name}") for key, one in ended.items() if key not in begun]
    for key, entry in begun.items():
        was = ended.get(key)
        what = f"{entry.name} {entry.status}"
        if was is None:
            lines.append((0, f"+ {what}"))
        else:
            lines.append((1, f"~ {what}{', said anew' if was.status == entry.status else ''}"))
    return [line for _, line in sorted(lines, key=lambda one: (one[0], name_key(one[1])))]


def _kept(entry: BanEntry) -> tuple[int, Subject]:
    """A house and what it stands on change each for itself."""
    return entry.ban_list_id, subject(entry)


def count(entries: Iterable[BanEntry]) -> str:
    """Return how many cards there are, by what is said of them, and groups, in words."""
    found = list(entries)
    statuses = [one.status for one in found if one.card]
    cards, groups = len(statuses), len(found) - len(statuses)
    told = [f"{statuses.count(one)} {one}" for one in Status.values if one in statuses]
    said = f" ({', '.join(told)})" if told else ""
    return (
        f"{cards} card{'s' * (cards != 1)}{said} and {groups} group{'s' * (groups != 1)} of cards"
    )
