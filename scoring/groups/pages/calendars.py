"""What the page of a playgroup's calendar shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from .bases import GroupPage


@dataclass(kw_only=True)
class CalendarPage(GroupPage):
    """The calendar's address, "" where it is a secret that is not shown again.

    ``since`` is when the visitor's secret address was created.
    """

    template: ClassVar[str] = "groups/calendar.html"
    address: str
    since: datetime | None
    is_member: bool
