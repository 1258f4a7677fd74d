"""Changing ban lists: the only writer of their entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from coalition_site.lib.dates import day
from coalition_site.lib.refusals import Refused

from ..models import (
    NAMED_RULES,
    BanEntry,
    BanList,
    Card,
    NamedCard,
    Status,
    Subject,
    columns_of,
    name_of,
)


class BanRefused(Refused):
    """A change that contradicts what is already on the list; the message is for the editor."""


def entries_of(ban_list: BanList, subject: Subject) -> QuerySet[BanEntry]:
    """Return all entries for a card or rule on a list itself, oldest first.

    Entries that never took effect, because they end on the day they start, are left out.
    """
    never = Q(ends_on=F("starts_on"))
    entries = BanEntry.objects.filter(_is_about(subject), ban_list=ban_list).exclude(never)
    return entries.order_by("starts_on")


def _is_about(subject: Subject) -> Q:
    if isinstance(subject, NamedCard):
        return Q(named_key=subject.key)
    return Q(card=subject) if isinstance(subject, Card) else Q(rule=subject)


def current(ban_list: BanList, subject: Subject, on: date) -> BanEntry | None:
    """Return the entry for a card or rule on a list itself that is in force on a day. One query."""
    not_ended = Q(ends_on=None) | Q(ends_on__gt=on)
    return entries_of(ban_list, subject).filter(not_ended, starts_on__lte=on).first()


@transaction.atomic
def ban(
    ban_list: BanList,
    subject: Subject,
    status: str,
    reason: str,
    starts_on: date,
    by: User | None,
    cards: Iterable[Card] = (),
) -> BanEntry:
    """Add an entry for a card or rule, in force from a day on, and end the entry before it.

    An equal entry in force stays, with the new reason and without an end. ``cards`` are those of a
    rule that names its cards.

    :raises BanRefused: if the list already has a later entry for the card or rule.
    """
    lock(ban_list)
    named = list(cards)
    _check_fits(ban_list, subject, status)
    _check_cards(subject, named)
    _check_is_latest(ban_list, subject, starts_on)
    before = current(ban_list, subject, starts_on)
    if before and before.status == status and set(before.cards.all()) == set(named):
        return _update(before, reason, None, by)
    if before:
        _update(before, before.reason, starts_on, by)
    entry = BanEntry.objects.create(
        ban_list=ban_list,
        **columns_of(subject),
        status=Status(status),
        reason=reason,
        starts_on=starts_on,
        changed_by=by,
    )
    entry.cards.set(named)
    return entry


@transaction.atomic
def amend(entry: BanEntry, reason: str, ends_on: date | None, by: User | None) -> BanEntry:
    """Change an entry's reason, or the day on which it ends; None means no end.

    :raises BanRefused: if it would end before it starts, or overlap with another entry.
    """
    lock(entry.ban_list)
    entry = BanEntry.objects.select_related("ban_list", "card").get(pk=entry.pk)
    if ends_on and ends_on < entry.starts_on:
        raise BanRefused(f"It starts on {day(entry.starts_on)}: it can't end before that.")
    if ends_on != entry.ends_on:
        _check_no_overlap(entry, ends_on)
    return _update(entry, reason, ends_on, by)


def end(entry: BanEntry, ends_on: date, by: User | None) -> BanEntry:
    """End an entry: the day before is the last on which it is in force.

    :raises BanRefused: if it would end before it starts, or overlap with another entry.
    """
    return amend(entry, entry.reason, ends_on, by)


def lock(ban_list: BanList) -> None:
    """Lock the list against other changes until the current transaction ends."""
    # NO KEY: a house list that refers to it may be created meanwhile.
    BanList.objects.select_for_update(no_key=True).get(pk=ban_list.pk)


def _update(entry: BanEntry, reason: str, ends_on: date | None, by: User | None) -> BanEntry:
    entry.reason, entry.ends_on, entry.changed_by = reason, ends_on, by
    entry.save(update_fields=["reason", "ends_on", "changed_by", "changed_at"])
    return entry


def _check_fits(ban_list: BanList, subject: Subject, status: str) -> None:
    """Refuse what only lists of names have, and on these what they never have."""
    if ban_list.is_by_name != isinstance(subject, NamedCard):
        raise BanRefused(f"{name_of(subject)} can't be on the list of {ban_list}.")
    if status not in statuses(ban_list):
        raise BanRefused(f"The list of {ban_list} can't say {status} of a card.")


def statuses(ban_list: BanList) -> Sequence[str]:
    """Return what an entry of a list can say of a card."""
    if ban_list.is_by_name:
        return (Status.BANNED, Status.RESTRICTED)
    return (Status.BANNED, Status.WATCHED, Status.ALLOWED)


def _check_cards(subject: Subject, named: list[Card]) -> None:
    if subject in NAMED_RULES and not named:
        raise BanRefused(f"Choose the cards that {name_of(subject)} covers.")
    if named and subject not in NAMED_RULES:
        raise BanRefused("Only Depictions and Named cards take a list of cards.")


def _check_is_latest(ban_list: BanList, subject: Subject, starts_on: date) -> None:
    if problem := why_not_after(entries_of(ban_list, subject).last(), starts_on):
        raise BanRefused(problem)


def why_not_after(last: BanEntry | None, starts_on: date) -> str:
    """Return why no entry can start on a day, "" if it can; ``last`` is the latest entry."""
    if last and last.starts_on > starts_on:
        return (
            f"The list already has a later entry: {last}, from {day(last.starts_on)} on. "
            f"Start on that day or later, or end that entry first."
        )
    # An end in the future may still be dropped; an end in the past is history.
    if last and last.ends_on and starts_on < last.ends_on <= timezone.localdate():
        return f"{last} ended on {day(last.ends_on)}: start on that day or later."
    return ""


def _check_no_overlap(entry: BanEntry, ends_on: date | None) -> None:
    """Refuse an end that would leave two entries for the same card or rule in force at once."""
    others = entries_of(entry.ban_list, entry.subject).exclude(pk=entry.pk)
    later = others.filter(Q(ends_on=None) | Q(ends_on__gt=entry.starts_on))
    if ends_on:
        later = later.filter(starts_on__lt=ends_on)
    other = later.first()
    if other and ends_on != entry.starts_on:
        raise BanRefused(
            f"It would overlap with another entry: {other}, from {day(other.starts_on)} on."
        )
