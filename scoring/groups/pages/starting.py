"""The home page, and the page on which a table is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from coalition_site.lib.pages import Page

from ...forms.tables import StartForm
from ...models import Playgroup
from ...pages.guides import Guide
from ...pages.standings import Summary
from ...rules.ruleset import Ruleset
from .bases import LiveTable


@dataclass(frozen=True)
class Again:
    """A set whose people can sit down again by one tap; ``names`` are as they sat.

    Of a draft, that is another draft.
    """

    code: str
    names: Sequence[str]
    ruleset: str
    is_draft: bool


@dataclass(frozen=True)
class HomeGroup:
    """A playgroup of the visitor's account, and the tables at which something is played there."""

    group: Playgroup
    may_score: bool
    playing: Sequence[LiveTable]


@dataclass(kw_only=True)
class HomePage(Page):
    """What a visitor is likely to want: ``open`` tables that this browser keeps score of, its
    account's playgroups, and the latest finished set, which can be played ``again``; whoever
    ``may_seat`` the players of a draft gets its tables instead.

    ``earlier`` are the other finished sets. ``guides`` are of all formats.
    """

    template: ClassVar[str] = "scoring/home.html"
    open: Sequence[Summary]
    groups: Sequence[HomeGroup]
    last: Summary | None
    again: Again | None
    may_seat: bool
    earlier: Sequence[Summary]
    guides: Sequence[Guide]


@dataclass(kw_only=True)
class StartPage(Page):
    """The form that starts a table, for a playgroup or for a quick table.

    ``sizes`` are how many can play, and ``size`` is chosen, as the form sends it. ``seats`` have
    their number, shield and name; ``known`` are people to tick, and ``more`` are
    names to complete. ``again`` is the latest set. ``guides`` are of all formats, and ``guide``
    is that of the chosen ``format``. ``usual`` is the key of a ruleset; ``unfolds`` shows the
    options.
    """

    template: ClassVar[str] = "scoring/start.html"
    form: StartForm
    problem: str
    group: Playgroup | None
    known: Sequence[str]
    more: Sequence[str]
    again: Again | None
    sizes: Sequence[int]
    size: str
    seats: Sequence[tuple[int, str, str]]
    guides: Sequence[Guide]
    guide: Guide | None
    format: str
    rulesets: Sequence[Ruleset]
    usual: str
    chosen: Ruleset
    unfolds: bool
    starter: str
