"""Reading and replacing all entries of a ban list at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from coalition_site.lib.dates import day

from .. import queries
from ..models import BanEntry, BanList, Card, Subject, name_of
from .commands import BanRefused, ban, end, lock


@dataclass(frozen=True)
class EntryContent:
    """What an entry says about a card or rule, without its days."""

    subject: Subject
    status: str
    reason: str
    cards: tuple[Card, ...] = ()

    @property
    def name(self) -> str:
        return name_of(self.subject)

    @property
    def comparable(self) -> tuple[str, str, frozenset[int]]:
        """Equal for two contents that say the same about a subject."""
        return self.status, self.reason, frozenset(card.pk for card in self.cards)


def entries_on(ban_list: BanList, on: date) -> dict[Subject, tuple[BanEntry, EntryContent]]:
    """Return the entries of a list itself, without its base list, on a day. Two queries."""
    entries = queries.in_force(ban_list, on).filter(ban_list=ban_list)
    return {
        entry.subject: (entry, _content(entry))
        for entry in entries.select_related("ban_list", "card").prefetch_related("cards")
    }


def _content(entry: BanEntry) -> EntryContent:
    return EntryContent(entry.subject, entry.status, entry.reason, tuple(entry.cards.all()))


def last_change(ban_list: BanList, until: date) -> date:
    """Return the day of the last change of a list itself, ``until`` if there was none."""
    return max((on for on in _change_days(ban_list) if on <= until), default=until)


def _change_days(ban_list: BanList) -> list[date]:
    entries = ban_list.entries.exclude(ends_on=F("starts_on"))
    pairs = entries.values_list("starts_on", "ends_on")
    return [on for pair in pairs for on in pair if on]


@transaction.atomic
def replace_entries(
    ban_list: BanList, wanted: Iterable[EntryContent], on: date, by: User | None
) -> list[str]:
    """Make a list have exactly these entries from a day on; return the changes in words.

    :raises BanRefused: if the list has later changes. Nothing is changed.
    """
    lock(ban_list)
    _check_is_newest(ban_list, on)  # an old file must not undo what came after it
    before, changes = entries_on(ban_list, on), []
    for content in wanted:
        _, was = before.pop(content.subject, (None, None))
        if was and was.comparable == content.comparable:
            continue
        ban(ban_list, content.subject, content.status, content.reason, on, by, content.cards)
        changes.append(_change(content, was))
    for entry, was in before.values():
        end(entry, on, by)
        changes.append(f"- {was.name} (was {was.status})")
    return sorted(changes, key=lambda line: ("+~-".index(line[0]), line))


def _check_is_newest(ban_list: BanList, on: date) -> None:
    newest = max(_change_days(ban_list), default=on)
    if newest > on:
        raise BanRefused(
            f"this list is of {day(on)}, but the site's list was changed later, last on "
            f"{day(newest)}: load a newer file"
        )


def _change(content: EntryContent, was: EntryContent | None) -> str:
    if was is None:
        return f"+ {content.name} {content.status}"
    if was.status != content.status:
        return f"~ {content.name} {content.status} (was {was.status})"
    what = "another reason" if was.reason != content.reason else "other cards"
    return f"~ {content.name} {content.status}, with {what}"
