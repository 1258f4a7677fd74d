"""Drafting announcements, and publishing them. Two editors never overwrite each other's work."""

from collections.abc import Collection
from datetime import date
from uuid import UUID

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from coalition_site.lib.dates import day

from ..models import Announced, Announcement, AnnouncementLine, BanList, columns_of
from . import commands, plan
from .announced import published
from .commands import BanRefused, EntryContent, content_of
from .forms import TEXT_MAX

LINES_MAX = 1000
GONE = "This draft was published with another announcement, or discarded."


class DraftChanged(BanRefused):
    pass


def create(
    ban_list: BanList, on: date, title: str, text: str, by: User, tap_id: UUID
) -> Announcement:
    words = {"ban_list": ban_list, "on": on, "title": title, "text": text, "changed_by": by}
    return Announcement.objects.get_or_create(tap_id=tap_id, defaults=words)[0]


# Each change of a draft raises DraftChanged if another editor changed it after ``version``.
@transaction.atomic
def save_words(
    draft: Announcement, version: int, by: User, *, on: date, title: str, text: str
) -> None:
    if (draft.on, draft.title, draft.text) == (on, title, text):
        return
    _count_up(draft, version, by)
    Announcement.objects.filter(pk=draft.pk).update(on=on, title=title, text=text)


@transaction.atomic
def put_lines(
    draft: Announcement, version: int, by: User, contents: Collection[EntryContent]
) -> None:
    """Add lines to a draft, or replace its lines about the same cards and groups."""
    lines = {line.subject: line for line in plan.lines_of(draft)}
    said = {subject: content_of(line).comparable for subject, line in lines.items()}
    changed = [each for each in contents if said.get(each.subject) != each.comparable]
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


def _count_up(draft: Announcement, version: int, by: User) -> None:
    """Count a change of a draft; nobody else's can come between this and the end of it."""
    unchanged = Announcement.objects.filter(pk=draft.pk, version=version, published_at=None)
    if unchanged.update(version=F("version") + 1, changed_by=by, changed_at=timezone.now()):
        return
    now = Announcement.objects.select_related("changed_by").filter(pk=draft.pk).first()
    if now is None:
        raise DraftChanged(GONE)
    if now.published_at:
        raise DraftChanged("This draft was published meanwhile.")
    # A login name stays private.
    name = (now.changed_by.get_full_name() if now.changed_by else "") or "Another editor"
    who, where = ("You", " in another window") if now.changed_by == by else (name, "")
    raise DraftChanged(
        f"{who} changed this draft meanwhile{where}. It is shown as it is now, and what you typed "
        f"is not saved yet: look at the draft, then save again."
    )


@transaction.atomic
def publish(
    draft: Announcement, seen: str, by: User, *, agrees_to_past: bool = False
) -> Announcement:
    """``seen`` is the fingerprint of the plan that its editor agreed to.

    :raises BanRefused: if it can't be published, or would now do something else.
    """
    commands.lock(draft.ban_list)
    try:
        draft.refresh_from_db()
    except Announcement.DoesNotExist:
        raise DraftChanged(GONE) from None
    if draft.published_at:
        return draft  # the same tap again
    planned = plan.make(draft)
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
    for step in planned.steps:
        if step.change:
            _apply(draft, step.line, by)
    return _join(draft, by)


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
    of_day = published(draft.ban_list).filter(on=draft.on).first()
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
    for line in plan.lines_of(draft):
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
    row = published(ban_list).filter(on=on).first()
    if row and (row.title, row.text) == (title, text):
        return
    if (row.version if row else 0) != version:
        raise DraftChanged(
            "Another editor changed these words meanwhile. They are shown above as they are now, "
            "and yours are not saved yet: look at them, then save again."
        )
    row = row or Announcement(ban_list=ban_list, on=on, version=0, published_at=timezone.now())
    row.title, row.text, row.version, row.changed_by = title, text, version + 1, by
    row.save()
