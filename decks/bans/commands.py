"""Changing ban lists: the only writer of their entries, and what a change would do to decks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import dateformat, timezone

from coalition_site.lib.refusals import Refused

from .. import legality, queries
from ..legality import Read
from ..models import NAMED_RULES, BanEntry, BanList, Card, Deck, DeckRevision, Rule, Status
from ..queries import Ban
from ..rules import lists
from ..rules.entries import Unreadable
from ..rules.rulesets import RULESETS, LevelerDeck

Subject = Card | Rule
Change = Callable[[], object]


class BanRefused(Refused):
    """A change that would contradict what the list says already; the message is for the editor."""


def day(one: date) -> str:
    """Return a day in words.

    >>> day(date(2026, 3, 9))
    '9 March 2026'
    """
    return dateformat.format(one, "j F Y")


def said_of(ban_list: BanList, subject: Subject) -> QuerySet[BanEntry]:
    """Return all that a list itself ever said of a card or rule, but for what never took effect."""
    is_meant = Q(card=subject) if isinstance(subject, Card) else Q(rule=subject)
    never = Q(ends_on=F("starts_on"))
    return BanEntry.objects.filter(is_meant, ban_list=ban_list).exclude(never).order_by("starts_on")


def current(ban_list: BanList, subject: Subject, on: date) -> BanEntry | None:
    """Return what a list itself says of a card or rule on a day. One query."""
    going_on = Q(ends_on=None) | Q(ends_on__gt=on)
    return said_of(ban_list, subject).filter(going_on, starts_on__lte=on).first()


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
    """Let a list say something of a card or rule from a day on; what it said until then ends.

    What it says already goes on, with the new reason. ``cards`` are those of a rule that names
    them one by one.

    :raises BanRefused: if the list already says something later of it.
    """
    hold(ban_list)
    named = list(cards)
    _check_cards(subject, named)
    _check_is_latest(ban_list, subject, starts_on)
    before = current(ban_list, subject, starts_on)
    if before and before.status == status and set(before.cards.all()) == set(named):
        return _put(before, reason, None, by)
    if before:
        _put(before, before.reason, starts_on, by)
    entry = BanEntry.objects.create(
        ban_list=ban_list,
        card=subject if isinstance(subject, Card) else None,
        rule="" if isinstance(subject, Card) else subject,
        status=Status(status),
        reason=reason,
        starts_on=starts_on,
        changed_by=by,
    )
    entry.cards.set(named)
    return entry


@transaction.atomic
def amend(entry: BanEntry, reason: str, ends_on: date | None, by: User | None) -> BanEntry:
    """Change an entry's reason, or the day it ends on; None lets it go on.

    :raises BanRefused: if it would end before its start, or run into another entry.
    """
    hold(entry.ban_list)
    entry = BanEntry.objects.select_related("ban_list", "card").get(pk=entry.pk)
    if ends_on and ends_on < entry.starts_on:
        raise BanRefused(f"It starts on {day(entry.starts_on)}: it can't end before that.")
    if ends_on != entry.ends_on:
        _check_is_free(entry, ends_on)
    return _put(entry, reason, ends_on, by)


def end(entry: BanEntry, ends_on: date, by: User | None) -> BanEntry:
    """End an entry: it is in force until the day before.

    :raises BanRefused: if it would end before its start, or run into another entry.
    """
    return amend(entry, entry.reason, ends_on, by)


def hold(ban_list: BanList) -> None:
    """Keep others from changing the list until this transaction ends."""
    BanList.objects.select_for_update().get(pk=ban_list.pk)


def _put(entry: BanEntry, reason: str, ends_on: date | None, by: User | None) -> BanEntry:
    entry.reason, entry.ends_on, entry.changed_by = reason, ends_on, by
    entry.save(update_fields=["reason", "ends_on", "changed_by", "changed_at"])
    return entry


def _check_cards(subject: Subject, named: list[Card]) -> None:
    if subject in NAMED_RULES and not named:
        raise BanRefused(f"Name the cards: {subject.label} has none of its own.")
    if named and subject not in NAMED_RULES:
        raise BanRefused("Only a rule that names cards one by one has a list of cards.")


def _check_is_latest(ban_list: BanList, subject: Subject, starts_on: date) -> None:
    """Refuse to change what a list said before something it says, or stopped saying, later on."""
    last = said_of(ban_list, subject).last()
    if last and last.starts_on > starts_on:
        raise BanRefused(
            f"The list already says something later: {last}, from {day(last.starts_on)} on. "
            f"Start on that day or later, or end that entry first."
        )
    # A planned end may still be put aside; one that came is history.
    if last and last.ends_on and starts_on < last.ends_on <= timezone.localdate():
        raise BanRefused(f"{last} ended on {day(last.ends_on)}: start on that day or later.")


def _check_is_free(entry: BanEntry, ends_on: date | None) -> None:
    """Refuse an end that would have the entry in force beside another one of its subject."""
    others = said_of(entry.ban_list, entry.subject).exclude(pk=entry.pk)
    beside = others.filter(Q(ends_on=None) | Q(ends_on__gt=entry.starts_on))
    if ends_on:
        beside = beside.filter(starts_on__lt=ends_on)
    met = beside.first()
    if met and ends_on != entry.starts_on:
        raise BanRefused(f"It would run into another entry: {met}, from {day(met.starts_on)} on.")


# --- what a change does to registered decks ---
def what_breaks(ban_list: BanList, change: Change, on: date) -> list[Deck]:
    """Return the registered decks, by name, that a change makes illegal on a day.

    The change is made and taken back again. Each deck's latest revision is judged by the list of
    its own format, so a house's changes break none.
    """
    rulesets = {key: one for key, one in RULESETS.items() if one.format == ban_list.format}
    judged_by = next(iter(rulesets.values()))
    before = legality.read_bans(judged_by, on)
    with _taken_back():
        change()
        after = legality.read_bans(judged_by, on)
    touched = set(map(_meaning, before)) ^ set(map(_meaning, after))
    revisions = list(_revisions_with(touched, rulesets)) if touched else []
    return [
        revision.deck
        for revision, found in _read(revisions)
        if _is_broken(revision, found, before, after)
    ]


def _meaning(said: Ban) -> Ban:
    """Return an entry without what no verdict depends on."""
    return replace(said, reason="", since=date.min)


@contextmanager
def _taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _revisions_with(touched: Iterable[Ban], rulesets: Iterable[str]) -> QuerySet[DeckRevision]:
    """Return the latest revisions of the decks in which there is a card of some entries."""
    meant = Q(lines__card__in=frozenset().union(*(one.cards for one in touched)))
    for field in {one.field for one in touched if one.field}:
        meant |= Q(**{f"lines__card__{field}": True})
    latest = DeckRevision.objects.filter(deck=OuterRef("deck")).order_by("-number")
    return (
        DeckRevision.objects.filter(meant, ruleset__in=rulesets)
        .filter(pk=Subquery(latest.values("pk")[:1]))
        .select_related("deck")
        .order_by("deck__name", "deck")
        .distinct()
    )


def _read(revisions: Iterable[DeckRevision]) -> Iterator[tuple[DeckRevision, Read]]:
    """Yield revisions with their lists, the cards of all looked up at once.

    Lists that can't be read are left out: they never were legal.
    """
    read = {}
    for revision in revisions:
        is_leveler = isinstance(RULESETS[revision.ruleset], LevelerDeck)
        with suppress(Unreadable):
            read[revision] = lists.read(revision.text, sub_decks=is_leveler)
    cards = queries.find_cards({one.name for found in read.values() for one in found.entries})
    for revision, found in read.items():
        names = {one.name for one in found.entries} & cards.keys()
        yield revision, Read(found, {name: cards[name] for name in names}, {})


def _is_broken(revision: DeckRevision, found: Read, before: list[Ban], after: list[Ban]) -> bool:
    ruleset, asked = RULESETS[revision.ruleset], revision.coalition_type or None

    def is_legal(bans: list[Ban]) -> bool:
        return legality.judge(found, ruleset, bans, coalition_type=asked).legal

    return is_legal(before) and not is_legal(after)


# --- a whole list at once ---
@dataclass(frozen=True)
class Said:
    """What a list is to say of a card or rule."""

    subject: Subject
    status: str
    reason: str
    cards: tuple[Card, ...] = ()

    @property
    def name(self) -> str:
        return str(self.subject) if isinstance(self.subject, Card) else self.subject.label

    @property
    def content(self) -> tuple[str, str, frozenset[int]]:
        """What changes when it says something else."""
        return self.status, self.reason, frozenset(card.pk for card in self.cards)


def said_on(ban_list: BanList, on: date) -> dict[Subject, tuple[BanEntry, Said]]:
    """Return what a list itself says on a day, without what it stands on. Two queries."""
    found = queries.in_force(ban_list, on).filter(ban_list=ban_list)
    found = found.select_related("ban_list", "card").prefetch_related("cards")
    return {
        one.subject: (one, Said(one.subject, one.status, one.reason, tuple(one.cards.all())))
        for one in found
    }


def last_change(ban_list: BanList, until: date) -> date:
    """Return the day of the last change of a list itself, ``until`` if there was none."""
    return max((one for one in _changed_on(ban_list) if one <= until), default=until)


def _changed_on(ban_list: BanList) -> list[date]:
    entries = ban_list.entries.exclude(ends_on=F("starts_on"))
    pairs = entries.values_list("starts_on", "ends_on")
    return [one for pair in pairs for one in pair if one]


@transaction.atomic
def bring(ban_list: BanList, wanted: Iterable[Said], on: date, by: User | None) -> list[str]:
    """Let a list say just this from a day on, and return its changes in words.

    :raises BanRefused: if the list has later changes. Nothing is changed.
    """
    hold(ban_list)
    _check_is_newest(ban_list, on)
    before, told = said_on(ban_list, on), []
    for said in wanted:
        _, was = before.pop(said.subject, (None, None))
        if was and was.content == said.content:
            continue
        ban(ban_list, said.subject, said.status, said.reason, on, by, said.cards)
        told.append(_told(said, was))
    for entry, was in before.values():
        end(entry, on, by)
        told.append(f"- {was.name} (was {was.status})")
    return sorted(told, key=lambda line: ("+~-".index(line[0]), line))


def _check_is_newest(ban_list: BanList, on: date) -> None:
    newest = max(_changed_on(ban_list), default=on)
    if newest > on:
        raise BanRefused(
            f"It is of {day(on)}, and there are later changes, the last one on "
            f"{day(newest)}: load a newer one"
        )


def _told(said: Said, was: Said | None) -> str:
    if was is None:
        return f"+ {said.name} {said.status}"
    if was.status != said.status:
        return f"~ {said.name} {said.status} (was {was.status})"
    what = "another reason" if was.reason != said.reason else "other cards"
    return f"~ {said.name} {said.status}, with {what}"
