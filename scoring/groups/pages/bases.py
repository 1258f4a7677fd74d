"""What all pages of a playgroup show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from django.http import HttpRequest, HttpResponse

from coalition_site.lib.pages import Page
from coalition_site.lib.refusals import Refused

from ...models import Playgroup
from ...rules.formats import RULESETS
from ...rules.ruleset import Ruleset
from ...setlog.codec import read_state
from .. import queries

if TYPE_CHECKING:
    from ..queries import LiveSet


@dataclass(kw_only=True)
class GroupPage(Page):
    """A page of a playgroup; a problem on it is what was refused."""

    group: Playgroup
    refused: Refused | None = None
    problem: str = field(init=False)  # for templates, which read fields only

    def __post_init__(self) -> None:
        self.problem = str(self.refused or "")

    def respond(self, request: HttpRequest, status: int = 200) -> HttpResponse:
        return super().respond(request, status=422 if self.problem else status)


@dataclass(kw_only=True)
class LockedPage(GroupPage):
    """A page for ``who`` only, as in "its owners", which the visitor is not."""

    template: ClassVar[str] = "groups/locked.html"
    who: str


@dataclass(frozen=True)
class LiveTable:
    """A table at which a set is being played; points are None where the format gives no VP."""

    code: str
    since: datetime
    game: int | None
    ruleset: Ruleset
    players: Sequence[tuple[str, int | None]]


def live_table(game_set: LiveSet) -> LiveTable:
    state = read_state(game_set.state) if game_set.state else None
    names = [name for _, name in game_set.seating]
    ruleset = RULESETS[game_set.ruleset]
    points = [
        (state.players[seat].points if state and seat in state.players else 0)
        if ruleset.cap and state
        else None
        for seat in range(1, len(names) + 1)
    ]
    players = list(zip(names, points, strict=True))
    return LiveTable(game_set.code, game_set.created_at, game_set.game, ruleset, players)


@dataclass(kw_only=True)
class LivePage(GroupPage):
    """A page with the tables that are being played on top. One query."""

    template: ClassVar[str] = "groups/_playing.html"
    playing: Sequence[LiveTable] = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.playing = [live_table(game_set) for game_set in queries.live_sets(self.group)]
