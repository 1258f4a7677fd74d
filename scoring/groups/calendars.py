"""A playgroup's evenings as a calendar, and the secret addresses by which members follow it."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

from django.utils import timezone
from icalendar import Calendar, Event, vText

from coalition_site.lib.keys import key_hash

from ..models import CalendarLink, Evening, Membership, Playgroup

EVENINGS_MAX = 200
PLANNED = timedelta(hours=3)  # of an evening without a clock, or of which nobody knows the end
REFRESH = timedelta(hours=6)


def calendar(group: Playgroup, site: str) -> bytes:
    """Return the latest evenings as an iCalendar file; ``site`` begins its addresses. One query."""
    file = Calendar()
    file.add("prodid", "-//Coalition table//EN")
    file.add("version", "2.0")
    file.add("name", vText(group.name))
    file.add("x-wr-calname", vText(group.name))
    file.add("refresh-interval", REFRESH)
    for evening in group.evenings.order_by("-starts_at", "-number")[:EVENINGS_MAX]:
        file.add_component(_event(evening, group, site))
    written: bytes = file.to_ical()
    return written


def _event(evening: Evening, group: Playgroup, site: str) -> Event:
    address = f"{site}/g/{group.code}/evenings/{evening.number}/"
    event = Event()
    event.add("uid", f"{group.code}-{evening.number}@{urlsplit(site).hostname}")
    event.add("dtstamp", evening.created_at)
    event.add("dtstart", evening.starts_at)
    event.add("dtend", evening.ended_at or evening.starts_at + _length(evening))
    event.add("summary", vText(f"{evening.name} ({group.name})"))
    event.add("url", address)
    event.add("description", vText(f"{_rounds(evening)}\n{address}"))
    return event


def _length(evening: Evening) -> timedelta:
    """Return how long an evening is planned to be: the time of its rounds, at least three hours."""
    minutes = (evening.minutes or 0) * evening.rounds_planned
    return max(timedelta(minutes=minutes), PLANNED)


def _rounds(evening: Evening) -> str:
    rounds = evening.rounds_planned
    each = f" of {evening.minutes} minutes" if evening.minutes else ""
    return f"{rounds} round{'s' * (rounds != 1)}{each}"


def create_link(membership: Membership, key: str) -> None:
    """Give a member a secret address; an earlier one stops working."""
    CalendarLink.objects.update_or_create(
        membership=membership, defaults={"key_hash": key_hash(key), "created_at": timezone.now()}
    )


def revoke_link(membership: Membership) -> None:
    """Make a member's secret address stop working."""
    CalendarLink.objects.filter(membership=membership).delete()


def membership(group: Playgroup, user_key: int | None) -> Membership | None:
    """Return an account's membership with its secret address, if there is one. One query."""
    own = Membership.objects.select_related("calendar_link")
    return own.filter(playgroup=group, user=user_key).first()


def group_with_link(key: str) -> Playgroup | None:
    """Return the playgroup that a secret address leads to, while its member may sign in."""
    links = CalendarLink.objects.select_related("membership__playgroup")
    link = links.filter(key_hash=key_hash(key), membership__user__is_active=True).first()
    return link.membership.playgroup if link else None
