"""The pages of announcements: their history, each of them, and the drafts of editors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from django.http import HttpRequest, HttpResponse

from coalition_site.lib.dates import day
from coalition_site.lib.pages import Page
from coalition_site.lib.refusals import Refused

from ..bans.announced import Change, DayAnnounced
from ..bans.forms import statuses
from ..bans.plan import Plan
from ..models import NAMED_RULES, Announcement, BanList, Deck, Rule
from ..record import Playgroup


@dataclass(kw_only=True)
class ListPage(Page):
    """A page of a ban list; ``problem`` is what was refused, ``problems`` in detail."""

    ban_list: BanList
    refused: Refused | None = None
    day: Callable[[date], str] = day
    problem: str = field(init=False)
    problems: Sequence[str] = field(init=False)
    closest: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        self.problem = str(self.refused or "")
        self.problems = getattr(self.refused, "problems", ())
        self.closest = getattr(self.refused, "closest", ())

    def respond(self, request: HttpRequest, status: int = 200) -> HttpResponse:
        return super().respond(request, status=422 if self.problem else status)


@dataclass(kw_only=True)
class AnnouncementsPage(ListPage):
    """All announcements of a list, and to its editors their drafts.

    ``playgroups`` are those whose boards the editors of a format's list may replay without a card.
    """

    template: ClassVar[str] = "decks/announcements.html"
    announcements: Sequence[DayAnnounced]
    may_edit: bool
    drafts: Sequence[Announcement]
    playgroups: Sequence[Playgroup]


@dataclass(kw_only=True)
class AnnouncementPage(ListPage):
    """What was announced for a day; the neighbours are the announcements before and after it."""

    template: ClassVar[str] = "decks/announcement.html"
    announced: DayAnnounced
    before: DayAnnounced | None
    after: DayAnnounced | None
    may_edit: bool


@dataclass(kw_only=True)
class WordsPage(ListPage):
    """The words of a draft to be, or of a published announcement (``announced``)."""

    template: ClassVar[str] = "decks/announcement_words.html"
    typed: Mapping[str, str]
    announced: DayAnnounced | None = None
    version: int = 0


@dataclass(frozen=True)
class Broken:
    """The decks that a draft makes illegal; only ``mine`` are named, each with its games.

    ``games`` counts the games of all of them.
    """

    mine: Sequence[tuple[Deck, int]]
    others: int
    games: int


@dataclass(frozen=True)
class Corrected:
    """What a draft for a day in the past changes of it: how many days, and whose boards.

    ``others`` counts the playgroups that the editor may not find.
    """

    days: int
    boards: Sequence[Playgroup]
    others: int


@dataclass(frozen=True)
class Line:
    """A line of a draft: what it changes, and what its editor should know."""

    key: int
    rule: str
    change: Change
    reason: str
    problem: str
    note: str


@dataclass(kw_only=True)
class DraftPage(ListPage):
    """A draft: its lines, what they would do, and the forms to change and publish it.

    ``typed`` is the refused form, whose address is called ``sent``. ``joins`` is what the list
    has already announced for that day. ``also`` are decks that break by a planned change anyway.
    """

    template: ClassVar[str] = "decks/draft.html"
    draft: Announcement
    lines: Sequence[Line]
    plan: Plan
    broken: Broken
    also: Broken
    today: date
    corrected: Corrected | None
    joins: DayAnnounced | None
    typed: Mapping[str, str]
    sent: str
    saved: Sequence[str] = ()
    statuses: Sequence[tuple[str, str]] = field(init=False)
    rules: Sequence[tuple[str, str]] = tuple(Rule.choices)
    named_rules: Sequence[str] = NAMED_RULES

    def __post_init__(self) -> None:
        super().__post_init__()
        self.statuses = statuses(self.ban_list)
