"""Changing ban lists: the only writer of their entries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from coalition_site.lib.dates import day
from coalition_site.lib.refusals import Refused

from .. import queries
from ..models import (
    NAMED_RULES,
    TOOK_EFFECT,
    AnnouncementLine,
    BanEntry,
    BanList,
    Card,
    NamedCard,
    Status,
    Subject,
    columns_of,
    name_of,
)

OF_CARDS = (Status.BANNED, Status.WATCHED, Status.ALLOWED)
BY_NAME = (Status.BANNED, Status.RESTRICTED, Status.ALLOWED)


class BanRefused(Refused):
    """A change that contradicts what is already on the list; the message is for the editor."""


@dataclass(frozen=True)
class EntryContent:
    subject: Subject
    status: str
    reason: str
    cards: frozenset[Card] = frozenset()

    @property
    def name(self) -> str:
        return name_of(self.subject)


def content_of(row: BanEntry | AnnouncementLine) -> EntryContent:
    return EntryContent(row.subject, row.status, row.reason, frozenset(row.cards.all()))


def _entries_of(ban_list: BanList, subject: Subject) -> QuerySet[BanEntry]:
    about = columns_of(subject)
    del about["named"]  # its key finds every spelling
    return ban_list.entries.filter(TOOK_EFFECT, **about).order_by("starts_on")


def current(ban_list: BanList, subject: Subject, on: date) -> BanEntry | None:
    not_ended = Q(ends_on=None) | Q(ends_on__gt=on)
    return _entries_of(ban_list, subject).filter(not_ended, starts_on__lte=on).first()


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
    """An equal entry in force stays, with the new reason. With its status its planned end stays.

    :raises BanRefused: if the list already has a later entry for the card or rule.
    """
    lock(ban_list)
    named = list(cards)
    _check_fits(ban_list, subject, status, named)
    if problem := why_not_after(_entries_of(ban_list, subject).last(), starts_on):
        raise BanRefused(problem)
    before = current(ban_list, subject, starts_on)
    ends_on = before.ends_on if before and before.status == status else None
    if before and before.status == status and set(before.cards.all()) == set(named):
        return _update(before, reason, ends_on, by)
    if before:
        _update(before, before.reason, starts_on, by)
    entry = BanEntry.objects.create(
        ban_list=ban_list,
        **columns_of(subject),
        status=Status(status),
        reason=reason,
        starts_on=starts_on,
        ends_on=ends_on,
        changed_by=by,
    )
    entry.cards.set(named)
    return entry


@transaction.atomic
def amend(entry: BanEntry, reason: str, ends_on: date | None, by: User | None) -> BanEntry:
    """:raises BanRefused: if it would end before it starts, or overlap with another entry."""
    lock(entry.ban_list)
    entry = BanEntry.objects.select_related("ban_list", "card").get(pk=entry.pk)
    if ends_on and ends_on < entry.starts_on:
        raise BanRefused(f"It starts on {day(entry.starts_on)}: it can't end before that.")
    if ends_on not in (entry.ends_on, entry.starts_on):
        others = _entries_of(entry.ban_list, entry.subject).exclude(pk=entry.pk)
        overlapping = others.filter(Q(ends_on=None) | Q(ends_on__gt=entry.starts_on))
        if ends_on:
            overlapping = overlapping.filter(starts_on__lt=ends_on)
        if other := overlapping.first():
            raise BanRefused(
                f"It would overlap with another entry: {other}, from {day(other.starts_on)} on."
            )
    return _update(entry, reason, ends_on, by)


def end(entry: BanEntry, ends_on: date, by: User | None) -> BanEntry:
    """End an entry as ``amend`` does: the day before is the last on which it is in force."""
    return amend(entry, entry.reason, ends_on, by)


def lock(ban_list: BanList) -> None:
    # NO KEY: a house list that refers to it may be created meanwhile.
    BanList.objects.select_for_update(no_key=True).get(pk=ban_list.pk)


def _update(entry: BanEntry, reason: str, ends_on: date | None, by: User | None) -> BanEntry:
    entry.reason, entry.ends_on, entry.changed_by = reason, ends_on, by
    entry.save(update_fields=["reason", "ends_on", "changed_by", "changed_at"])
    return entry


def _check_fits(ban_list: BanList, subject: Subject, status: str, cards: Sequence[Card]) -> None:
    name = name_of(subject)
    if ban_list.is_by_name != isinstance(subject, NamedCard):
        raise BanRefused(f"{name} can't be on the list of {ban_list}.")
    if status not in (BY_NAME if ban_list.is_by_name else OF_CARDS):
        raise BanRefused(f"The list of {ban_list} can't say {status} of a card.")
    if subject in NAMED_RULES and not cards:
        raise BanRefused(f"Choose the cards that {name} covers.")
    if cards and subject not in NAMED_RULES:
        raise BanRefused("Only Depictions and Named cards take a list of cards.")


def why_not_after(last: BanEntry | None, starts_on: date) -> str:
    if last and last.starts_on > starts_on:
        return (
            f"The list already has a later entry: {last}, from {day(last.starts_on)} on. "
            f"Start on that day or later, or end that entry first."
        )
    # An end in the future may still be dropped; an end in the past is history.
    if last and last.ends_on and starts_on < last.ends_on <= timezone.localdate():
        return f"{last} ended on {day(last.ends_on)}: start on that day or later."
    return ""


# --- all entries at once ---
def entries_on(ban_list: BanList, on: date) -> dict[Subject, EntryContent]:
    entries = queries.in_force(ban_list, on).filter(ban_list=ban_list)
    contents = map(content_of, entries.select_related("card").prefetch_related("cards"))
    return {content.subject: content for content in contents}


def last_change(ban_list: BanList, until: date) -> date:
    return max((on for on in _change_days(ban_list) if on <= until), default=until)


def _change_days(ban_list: BanList) -> list[date]:
    entries = ban_list.entries.filter(TOOK_EFFECT).values_list("starts_on", "ends_on")
    return [on for days in entries for on in days if on]


@transaction.atomic
def replace_entries(
    ban_list: BanList, wanted: Iterable[EntryContent], on: date, by: User | None
) -> list[str]:
    """Make a list have exactly these entries from a day on; return the changes in words.

    :raises BanRefused: if the list has later changes. Nothing is changed.
    """
    lock(ban_list)
    newest = max(_change_days(ban_list), default=on)
    if newest > on:  # an old file must not undo what came after it
        raise BanRefused(
            f"this list is of {day(on)}, but the site's list was changed later, last on "
            f"{day(newest)}: load a newer file"
        )
    before, changes = entries_on(ban_list, on), []
    for content in wanted:
        was = before.pop(content.subject, None)
        if was == content:
            continue
        ban(ban_list, content.subject, content.status, content.reason, on, by, content.cards)
        if was is None:
            changes.append(f"+ {content.name} {content.status}")
        elif was.status != content.status:
            changes.append(f"~ {content.name} {content.status} (was {was.status})")
        else:
            what = "another reason" if was.reason != content.reason else "other cards"
            changes.append(f"~ {content.name} {content.status}, with {what}")
    for subject, was in before.items():
        if entry := current(ban_list, subject, on):
            end(entry, on, by)
        changes.append(f"- {was.name} (was {was.status})")
    return sorted(changes, key=lambda line: ("+~-".index(line[0]), line))
