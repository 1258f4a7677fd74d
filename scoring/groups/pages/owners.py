"""A playgroup's settings, ban list, invitations and seasons, and creating a playgroup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from django.contrib.messages.storage.base import Message
from django.forms import Form

from coalition_site.lib.pages import Page
from decks.models import BanEntry

from ...models import Import, Invitation, Playgroup, Season
from ...models.people import Role
from ..forms.bans import STATUSES
from ..forms.owners import INVITED_MAX, CreateForm, SeasonForm, SettingsForm
from ..leaderboard import Row
from .bases import GroupPage
from .people import Choices


@dataclass(kw_only=True)
class GroupsPage(Page):
    """The visitor's playgroups and the public ones, an import, and a form for a new playgroup.

    ``form`` is the form that was sent, ``fields`` the form for a new playgroup with what was typed.
    """

    template: ClassVar[str] = "groups/groups.html"
    form: Form
    fields: CreateForm
    groups: Sequence[Playgroup]
    public: Sequence[Playgroup]
    importing: Import | None


@dataclass(kw_only=True)
class ImportPage(Page):
    """How far an import is, or why it failed."""

    template: ClassVar[str] = "groups/import.html"
    row: Import
    problem: str = ""


@dataclass(kw_only=True)
class SettingsPage(GroupPage):
    template: ClassVar[str] = "groups/settings.html"
    form: SettingsForm
    messages: Iterable[Message] = ()


@dataclass(kw_only=True)
class BansPage(GroupPage):
    """A playgroup's own ban list: entries in force or to come, and those that ended."""

    template: ClassVar[str] = "groups/bans.html"
    typed: Mapping[str, str]
    today: date
    standing: Sequence[BanEntry]
    ended: Sequence[BanEntry]
    statuses: Choices = STATUSES


@dataclass(kw_only=True)
class WithoutPage(GroupPage):
    """The board as it is, and as it would be without the sets that had a deck with a card.

    ``rows`` pairs each player's row with the other one, None where no set is left.
    """

    template: ClassVar[str] = "groups/without.html"
    name: str = ""
    is_known: bool = False
    closest: Sequence[str] = ()
    sets: int = 0
    scores: bool = True
    rows: Sequence[tuple[Row, Row | None]] = ()


@dataclass(kw_only=True)
class InvitationsPage(GroupPage):
    """A playgroup's invitations; ``link`` and its QR code are of an invitation just created."""

    template: ClassVar[str] = "groups/invitations.html"
    invitations: Sequence[Invitation]
    now: datetime
    link: str
    qr: str
    typed: Mapping[str, str]
    roles: Choices = tuple(Role.choices)
    most: int = INVITED_MAX


@dataclass(kw_only=True)
class JoinPage(Page):
    """The playgroup that an invitation opens, and the role there; or why it is closed."""

    template: ClassVar[str] = "groups/join.html"
    group: Playgroup | None = None
    invitation: Invitation | None = None
    role: str = ""
    may_sign_up: bool = False
    problem: str = ""


@dataclass(kw_only=True)
class SeasonsPage(GroupPage):
    """A playgroup's seasons; ``season`` is what the form changes, None for a new season."""

    template: ClassVar[str] = "groups/seasons.html"
    form: SeasonForm
    season: Season | None
    seasons: Sequence[Season]
