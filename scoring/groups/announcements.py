"""The words of a playgroup's announcements in its document: what they change are its house bans."""

from __future__ import annotations

from typing import Any

from coalition_site.lib.untrusted import Node
from decks.bans.announced import published
from decks.bans.forms import REASON_MAX, TEXT_MAX
from decks.models import TITLE_MAX, Announced, Announcement, AnnouncementLine, BanList, Rule

from .document import read_card, read_day, read_time


def written_announcements(house: BanList) -> list[dict[str, Any]]:
    """Return the announcements of a list, without drafts. Two queries."""
    rows = published(house)
    lines = AnnouncementLine.objects.filter(announcement__in=rows, status=Announced.LEGAL)
    reasons: dict[int, list[AnnouncementLine]] = {}
    for line in lines.exclude(reason="").select_related("card").order_by("pk"):
        reasons.setdefault(line.announcement_id, []).append(line)
    return [
        {
            "day": row.on.isoformat(),
            "title": row.title,
            "text": row.text,
            "published_at": str(row.published_at and row.published_at.isoformat()),
            "why_legal": [_written_line(line) for line in reasons.get(row.pk, [])],
        }
        for row in rows
    ]


def _written_line(line: AnnouncementLine) -> dict[str, Any]:
    return {
        "card": line.card.name if line.card else None,
        "rule": line.rule or None,
        "reason": line.reason,
    }


def import_announcement(node: Node, house: BanList) -> None:
    """Store an announcement of a document."""
    fields = node.fields("day title text published_at why_legal")
    on = read_day(fields["day"])
    if house.announcements.filter(on=on).exists():
        raise node.refuse("there is another announcement of that day")
    announcement = house.announcements.create(
        on=on,
        title=fields["title"].text(TITLE_MAX),
        text=fields["text"].text(TEXT_MAX, lines=True) if fields["text"].value else "",
        published_at=read_time(fields["published_at"]),
    )
    for item in fields["why_legal"].items(may_be_empty=True):
        _import_line(item, announcement)


def _import_line(node: Node, announcement: Announcement) -> None:
    fields = node.fields("card rule reason")
    card = None if fields["card"].value is None else read_card(fields["card"])
    rule = "" if card else fields["rule"].one_of(Rule.values)
    if announcement.lines.filter(card=card, rule=rule).exists():
        raise node.refuse("stands here twice")
    reason = fields["reason"].text(REASON_MAX, lines=True)
    announcement.lines.create(card=card, rule=rule, status=Announced.LEGAL, reason=reason)
