"""Drafts and their lines, for tests."""

from datetime import date
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from decks.bans import drafts
from decks.bans.commands import EntryContent
from decks.models import Announcement, BanList, Card, Rule

from ..lists import TODAY, coalition

Said = dict[str, str | tuple[str, str]]  # a card or rule, and its status, perhaps with a reason


def draft(by: User, on: date = TODAY, /, ban_list: BanList | None = None, **words: Any) -> Any:
    """Return a new draft."""
    given = {"title": "Spring", "text": "", **words}
    return drafts.create(ban_list or coalition(), on, by=by, tap_id=uuid4(), **given)


def say(to: Announcement, by: User, said: Said) -> None:
    """Put lines into a draft as it is now."""
    to.refresh_from_db()
    contents = []
    for name, status in said.items():
        subject = Rule(name) if name in Rule.values else Card.objects.get(name=name)
        status, reason = (status, "") if isinstance(status, str) else status
        contents.append(EntryContent(subject, status, reason))
    drafts.put_lines(to, to.version, by, contents)
    to.refresh_from_db()


def publish(to: Announcement, by: User, **agreed: bool) -> Announcement:
    """Publish a draft as its editor sees it."""
    fingerprint = drafts.plan(to).fingerprint
    return drafts.publish(to, fingerprint, by, **{"without_reason": True, **agreed})


def announce(by: User, on: date, said: Said, **words: Any) -> Announcement:
    """Draft and publish an announcement, on whatever day."""
    new = draft(by, on, **words)
    say(new, by, said)
    return publish(new, by, agrees_to_past=True)
