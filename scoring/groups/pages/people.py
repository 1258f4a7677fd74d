"""The people of a playgroup: players, members, claims, merges, and who sat at a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from coalition_site.lib.pages import Page

from ...models import Claim, Membership, Player, Playgroup, Seat
from ...models.people import Role
from ..merging import Merging
from ..queries import Person
from .bases import GroupPage

Choices = Sequence[tuple[str, str]]


@dataclass(kw_only=True)
class PeoplePage(GroupPage):
    """Everybody who plays here or is a member, as much of it as the visitor may know.

    ``claimed`` are the keys of the players that the visitor claims, ``typed`` is what was typed
    into a form that was refused.
    """

    template: ClassVar[str] = "groups/people.html"
    people: Sequence[Person]
    guests: Sequence[Person]
    belongs: bool
    members: Sequence[Membership]
    claims: Sequence[Claim]
    claimed: Collection[int]
    open_invitations: bool
    has_player: bool
    typed: Mapping[str, str]
    roles: Choices = tuple(Role.choices)


@dataclass(kw_only=True)
class ChoosePage(GroupPage):
    """The players whom a new member may be; ``is_invited``: no owner has to confirm it.

    ``claimed`` are the keys of those that the member claims already.
    """

    template: ClassVar[str] = "groups/choose.html"
    players: Sequence[Player]
    claimed: Collection[int]
    is_invited: bool


@dataclass(kw_only=True)
class EditPlayerPage(GroupPage):
    """What owners can change about a player; ``into`` is the player it is merged into."""

    template: ClassVar[str] = "groups/player_edit.html"
    player: Player
    person: Person | None
    into: Player | None
    others: Sequence[Player]
    typed: Mapping[str, str]


@dataclass(kw_only=True)
class MergePage(GroupPage):
    """What a merge would do."""

    template: ClassVar[str] = "groups/merge.html"
    merging: Merging


@dataclass(kw_only=True)
class TakePage(Page):
    """The playgroups into which a set can be taken, and who sat at its table.

    ``now`` is its playgroup, ``shown`` the same if the visitor may see it; ``group`` is the
    chosen playgroup, if any. ``known`` are names to offer for the seats.
    """

    template: ClassVar[str] = "groups/take.html"
    code: str
    now: Playgroup | None
    shown: Playgroup | None
    groups: Sequence[Playgroup]
    group: Playgroup | None
    seats: Sequence[tuple[Seat, str]]
    known: Sequence[str]
    may_take_out: bool
    problem: str
