"""What stands beside the pad on a wide screen: the latest events and the standings of the set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.pages import Page
from coalition_site.lib.requests import Request

from ..models import Game, GameSet
from ..pages import log as show
from ..pages import standings
from ..play import queries
from .tables import scorekeeper_view

EVENTS = 12


@dataclass(kw_only=True)
class DeskPage(Page):
    """A piece of the scorekeeper's page, which asks for it where there is room."""

    template: ClassVar[str] = "scoring/_desk.html"
    code: str
    lines: Sequence[show.LogLine]
    podium: Sequence[standings.Place]


@require_safe
@scorekeeper_view
def desk(request: Request, game_set: GameSet) -> HttpResponse:
    """Show the latest events of the latest game, and the standings."""
    played = queries.games(game_set)
    is_ranked = played and game_set.rules.is_ranked
    page = DeskPage(
        code=game_set.code,
        lines=_latest(game_set, played[-1]) if played else [],
        podium=standings.podium(game_set, queries.set_state(game_set, played)) if is_ranked else [],
    )
    return page.respond(request)


def _latest(game_set: GameSet, game: Game) -> Sequence[show.LogLine]:
    rows = queries.rows(game)
    shown = range(max(len(rows) - EVENTS, 0) + 1, len(rows) + 1)
    return show.log_lines(game_set, game, rows, {}, shown)
