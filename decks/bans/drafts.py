"""Drafting announcements, what they would do, and publishing them.

Two editors never overwrite each other's work.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from coalition_site.lib.dates import day

from .. import queries, record
from ..decks import legality
from ..models import (
    NAMED_RULES,
    Announced,
    Announcement,
    AnnouncementLine,
    BanEntry,
    BanList,
    Deck,
    DeckRevision,
    columns_of,
)
from ..queries import Ban, as_bans
from ..rules.names import name_key
from ..rules.rulesets import RULESETS
from . import commands, history
from .commands import BanRefused, EntryContent, content_of
from .forms import TEXT_MAX
from .history import Change, place

LINES_MAX = 1000
Bans = Sequence[Ban]
GONE = "This draft was published with another announcement, or discarded."


def create(
    ban_list: BanList, on: date, title: str, text: str, by: User, tap_id: UUID
) -> Announcement:
    """:raises BanRefused: if another editor changed the draft that the same tap made before."""
    words: dict[str, Any] = {"on": on, "title": title, "text": text}
    draft, is_new = Announcement.objects.get_or_create(
        tap_id=tap_id, defaults={"ban_list": ban_list, "changed_by": by, **words}
    )
    if is_new:
        return draft
    if draft.changed_by != by:
        raise BanRefused(
            "Another editor changed this draft meanwhile: open it, and change it there."
        )
    # The answer was lost, and the form may have been changed since.
    save_words(draft, draft.version, by, **words)
    draft.refresh_from_db()
    return draft


# Each change of a draft raises BanRefused if another editor changed it after ``version``.
@transaction.atomic
def save_words(
    draft: Announcement, version: int, by: User, *, on: date, title: str, text: str
) -> None:
    if (draft.on, draft.title, draft.text) != (on, title, text):
        _count_up(draft, version, by, on=on, title=title, text=text)


@transaction.atomic
def put_lines(
    draft: Announcement, version: int, by: User, contents: Collection[EntryContent]
) -> None:
    """Add lines to a draft, or replace its lines about the same cards and groups."""
    lines = {line.subject: line for line in lines_of(draft)}
    before = set(map(content_of, lines.values()))
    changed = [content for content in contents if content not in before]
    if not changed:
        return
    if len({*lines, *(content.subject for content in contents)}) > LINES_MAX:
        raise BanRefused(f"An announcement has {LINES_MAX} lines at most. Make two of it.")
    _count_up(draft, version, by)
    for content in changed:
        line = lines.get(content.subject) or AnnouncementLine(
            announcement=draft, **columns_of(content.subject)
        )
        line.status, line.reason = content.status, content.reason
        line.save()
        if content.cards or content.subject in lines:
            line.cards.set(content.cards)


@transaction.atomic
def remove_line(draft: Announcement, version: int, by: User, key: int) -> None:
    line = draft.lines.filter(pk=key)
    if line.exists():
        _count_up(draft, version, by)
        line.delete()


@transaction.atomic
def discard(draft: Announcement, version: int, by: User) -> None:
    _count_up(draft, version, by)
    Announcement.objects.filter(pk=draft.pk).delete()


def _count_up(draft: Announcement, version: int, by: User, **words: Any) -> None:
    """Count a change of a draft; nobody else's can come between this and the end of it."""
    as_seen = Announcement.objects.filter(pk=draft.pk, version=version, published_at=None)
    if as_seen.update(version=F("version") + 1, changed_by=by, changed_at=timezone.now(), **words):
        return
    now = Announcement.objects.select_related("changed_by").filter(pk=draft.pk).first()
    if now is None:
        raise BanRefused(GONE)
    if now.published_at:
        raise BanRefused("This draft was published meanwhile.")
    # A login name stays private.
    name = (now.changed_by.get_full_name() if now.changed_by else "") or "Another editor"
    who, where = ("You", " in another window") if now.changed_by == by else (name, "")
    raise BanRefused(
        f"{who} changed this draft meanwhile{where}. It is shown as it is now, and what you typed "
        f"is not saved yet: look at the draft, then save again."
    )


# --- what publishing a draft would do; nothing is written ---
@dataclass
class Step:
    """What a line does to its subject's entry in force; ``change`` is None if that is nothing."""

    line: AnnouncementLine
    was: BanEntry | None
    change: Change | None = None
    problem: str = ""
    note: str = ""
    saved: set[Deck] = field(default_factory=set)  # decks that play it, as last saved
    brought: set[Deck] = field(default_factory=set)  # and as they were brought to tables


@dataclass(frozen=True)
class Plan:
    """What a draft would do."""

    steps: Sequence[Step]
    problems: Sequence[str]
    changes: Sequence[Step]
    # Of the saved decks that play what changes: those that become illegal ("decks"), by a planned
    # change ("also"), are illegal ("already"), or come "back".
    fates: Mapping[str, Sequence[Deck]]
    lost: Collection[int]  # keys of the revisions that become illegal, and were brought
    # They have a card of which the list of the draft's day would say something else.
    concerned: QuerySet[DeckRevision]
    fingerprint: str


def lines_of(draft: Announcement) -> QuerySet[AnnouncementLine]:
    return draft.lines.select_related("card").prefetch_related("cards")


def plan(draft: Announcement) -> Plan:
    ban_list, today = draft.ban_list, timezone.localdate()
    entries = history.entries_of(ban_list.lists)
    steps = [_step(draft, line, entries) for line in lines_of(draft)]
    changing = sorted(filter(attrgetter("change"), steps), key=lambda step: place(step.change))
    replaced = {step.was for step in changing}
    new = [step.line for step in changing if step.line.status != Announced.LEGAL]

    def lists_on(on: date) -> tuple[Bans, Bans]:
        old = [entry for entry in entries if history.is_in_force(entry, on)]
        kept = [entry for entry in old if entry not in replaced]
        return as_bans(old, ban_list.pk, on), as_bans([*kept, *new], ban_list.pk, on)

    before, after = lists_on(max(draft.on, today))
    for step in steps:
        step.note = f"{step.note} {_note(step, ban_list, before, after)}".strip()
    fates, lost = _fates(ban_list, changing, before, after, lists_on(today))
    effects = [(repr(step.change), step.problem) for step in steps]
    broken = [deck.pk for deck in (*fates["decks"], *fates["also"])]
    seen = (draft.pk, draft.version, effects, broken)
    return Plan(
        steps,
        [step.problem for step in steps if step.problem],
        changing,
        fates,
        lost,
        concerned=_revisions_between(ban_list, *lists_on(draft.on)),
        fingerprint=salted_hmac("decks.announcement", repr(seen)).hexdigest(),
    )


def _step(draft: Announcement, line: AnnouncementLine, entries: Iterable[BanEntry]) -> Step:
    about = draft.ban_list_id, history.subject_key(line)
    own = [entry for entry in entries if (entry.ban_list_id, history.subject_key(entry)) == about]
    was = next((entry for entry in own if history.is_in_force(entry, draft.on)), None)
    change = history.change_of(line, was)
    if line.status == Announced.LEGAL:
        no_entry = "" if was else "It has no entry already."
        return Step(line, was, change if was else None, note=no_entry)
    if line.rule in NAMED_RULES and not change.cards:
        return Step(line, was, problem=f"{line.name}: name the cards that it covers.")
    if problem := commands.why_not_after(own[-1] if own else None, draft.on):
        return Step(line, was, problem=f"{line.name}: {problem}")
    if was is None or was.status != line.status:
        dropped = was and was.ends_on
        note = f"Its planned end on {day(dropped)} is dropped." if dropped else ""
        return Step(line, was, change, note=note)
    if content_of(was) == content_of(line):
        return Step(line, was, note="The list says so already.")
    return Step(line, was, change, note="Only the reason or its cards change.")


def _note(step: Step, ban_list: BanList, before: Bans, after: Bans) -> str:
    card = step.line.card
    if card and step.line.status == Announced.LEGAL:
        barred = history.still_barred(card, ban_list, after)
        return barred and f"{barred} To exempt it, say that it is allowed."
    if card and step.change and not step.change.was:
        deciding = next((ban for ban in before if ban.covers(card)), None)
        if deciding and deciding.status == step.line.status == Announced.BANNED:
            return f"It is banned already: {deciding.reason.rstrip('.') or 'by another entry'}."
    return ""


def _fates(
    ban_list: BanList,
    steps: Sequence[Step],
    before: Bans,
    after: Bans,
    today: tuple[Bans, Bans],
) -> tuple[dict[str, list[Deck]], set[int]]:
    """Note at the steps who plays them, too. Of a house list only decks of its tables count."""
    revisions = _revisions_between(ban_list, before, after)
    if ban_list.base_id:
        revisions = revisions.filter(deck__revisions__seats__game_set__playgroup__house=ban_list)
    fates: dict[str, list[Deck]] = {"decks": [], "also": [], "already": [], "back": []}
    brought, lost = set(record.brought(revisions).values_list("pk", flat=True)), set[int]()
    last = set(revisions.filter(queries.is_latest()).values_list("pk", flat=True))
    bans = [(step, as_bans([step.line], ban_list.pk, date.min)[0]) for step in steps]
    by_name = revisions.select_related("deck").order_by("deck__name", "deck")
    shown = [revision for revision in by_name if revision.pk in last | brought]
    for revision, resolved in legality.read_all(shown):
        deck, ruleset = revision.deck, RULESETS[revision.ruleset]
        names = {name_key(entry.name) for entry in resolved.deck_list.entries} - {""}
        keys = {card.pk for card in resolved.cards.values()}
        for step, ban in bans:
            is_flagged = ban.field and any(map(ban.covers, resolved.cards.values()))
            if is_flagged or ban.named in names or not keys.isdisjoint(ban.cards):
                step.saved |= {deck} if revision.pk in last else set()
                step.brought |= {deck} if revision.pk in brought else set()
        chosen = revision.coalition_type
        judge = partial(legality.judge, resolved, ruleset, coalition_type=chosen)
        was_legal, is_legal = (judge(bans).legal is not False for bans in (before, after))
        if was_legal and not is_legal and revision.pk in brought:
            lost.add(revision.pk)
        if revision.pk not in last or (was_legal and is_legal):
            continue
        if was_legal != is_legal:
            fates["back" if is_legal else "decks"].append(deck)
        elif judge(today[0]).legal and not judge(today[1]).legal:
            fates["also"].append(deck)
        else:
            fates["already"].append(deck)
    return fates, lost


def _revisions_between(ban_list: BanList, before: Bans, after: Bans) -> QuerySet[DeckRevision]:
    """Return the revisions of decks with a card of which two lists say something else."""
    # No verdict depends on the reason and date of an entry.
    old, new = (
        {replace(ban, reason="", since=date.min) for ban in bans} for bans in (before, after)
    )
    changed = old ^ new
    rulesets = [key for key, rules in RULESETS.items() if rules.format == ban_list.format]
    is_covered = Q(lines__card__in={card for ban in changed for card in ban.cards})
    for flag in {ban.field for ban in changed if ban.field}:
        is_covered |= Q(**{f"lines__card__{flag}": True})
    if any(ban.named for ban in changed):  # only the text of a list has names
        is_covered |= Q(ruleset__in=[key for key in rulesets if RULESETS[key].by_name])
    return DeckRevision.objects.filter(is_covered, ruleset__in=rulesets).distinct()


# --- publishing ---
@transaction.atomic
def publish(
    draft: Announcement,
    seen: str,
    by: User,
    *,
    agrees_to_past: bool = False,
    reason: str = "",
    without_reason: bool = False,
) -> Announcement:
    """``seen`` is the fingerprint of the plan that its editor agreed to.

    ``reason`` is that of all lines that have none.

    :raises BanRefused: if it can't be published, or would now do something else.
    """
    commands.lock(draft.ban_list)
    try:
        # Locked, or a line that another editor adds now would be announced without an entry.
        draft.refresh_from_db(from_queryset=Announcement.objects.select_for_update())
    except Announcement.DoesNotExist:
        raise BanRefused(GONE) from None
    if draft.published_at:
        return draft  # the same tap again
    planned = plan(draft)
    if planned.problems:
        raise BanRefused(planned.problems[0])
    if not planned.changes:
        raise BanRefused("Nothing would change. Add a card, or change what is said of one.")
    if planned.fingerprint != seen:
        raise BanRefused(
            "The list, this draft or the saved decks changed since you looked. Look at what it "
            "does now, then publish it."
        )
    if draft.on < timezone.localdate() and not agrees_to_past:
        raise BanRefused(
            f"{day(draft.on)} is past: the list of the days since then would change too. Tick "
            f"that you mean it, or choose another day."
        )
    for line in (step.line for step in planned.changes):
        if not (line.reason or reason or draft.text or without_reason):
            raise BanRefused("Why? Write a reason for what has none, or tick that it needs none.")
        line.reason = line.reason or reason
        line.save(update_fields=["reason"])
        _apply(draft, line, by)
    published = _join(draft, by)
    record.announce(published)
    return published


def _apply(draft: Announcement, line: AnnouncementLine, by: User) -> None:
    ban_list, on = draft.ban_list, draft.on
    was = commands.current(ban_list, line.subject, on)
    if line.status == Announced.LEGAL:
        if was:
            commands.end(was, on, by)
        return
    entry = commands.ban(ban_list, line.subject, line.status, line.reason, on, by, line.cards.all())
    if was and was.pk == entry.pk and was.reason:
        # The reason is replaced: the log of the admin keeps it.
        words = f"Its reason was: {was.reason}"
        LogEntry.objects.log_actions(by.pk, [was], CHANGE, words, single_object=True)


def _join(draft: Announcement, by: User) -> Announcement:
    of_day = history.published(draft.ban_list).filter(on=draft.on).first()
    if of_day is None:
        draft.published_at, draft.changed_by = timezone.now(), by
        draft.save(update_fields=["published_at", "changed_by", "changed_at"])
        return draft
    text = "\n\n".join(filter(None, (of_day.text, draft.title, draft.text)))
    if len(text) > TEXT_MAX:
        raise BanRefused(
            f"“{of_day.title}” is announced for that day already, and the words of both are too "
            f"long together: {TEXT_MAX} characters at most. Shorten these, or choose another day."
        )
    for line in lines_of(draft):
        of_day.lines.filter(card=line.card, rule=line.rule, named_key=line.named_key).delete()
    draft.lines.update(announcement=of_day)
    of_day.text, of_day.version, of_day.changed_by = text, of_day.version + 1, by
    of_day.save(update_fields=["text", "version", "changed_by", "changed_at"])
    draft.delete()
    return of_day


@transaction.atomic
def save_published_words(
    ban_list: BanList, on: date, version: int, by: User, *, title: str, text: str
) -> None:
    """Change the title and the reasons of an announcement; ``version`` is 0 if it had none."""
    commands.lock(ban_list)
    row = history.published(ban_list).filter(on=on).first()
    if row and (row.title, row.text) == (title, text):
        return
    if (row.version if row else 0) != version:
        raise BanRefused(
            "Another editor changed these words meanwhile. They are shown above as they are now, "
            "and yours are not saved yet: look at them, then save again."
        )
    if row is None:
        days = history.announcements(ban_list)
        announced_at = next(one.announced_at for one in days if one.row.on == on)
        row = Announcement(ban_list=ban_list, on=on, version=0, published_at=announced_at)
    row.title, row.text, row.version, row.changed_by = title, text, version + 1, by
    row.save()
