"""What stands beside the pad on a wide screen: the latest events and the standings of the set."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ..models import GameSet
from ..pages import log as show
from ..pages import standings
from ..play import queries
from .tables import scorekeeper_view

EVENTS = 12


@require_safe
@scorekeeper_view
def desk(request: Request, game_set: GameSet) -> HttpResponse:
    """Show the latest events of the latest game, and the standings."""
    played = queries.games(game_set)
    lines, podium = [], []
    if played:
        rows = queries.rows(played[-1])
        latest = range(max(len(rows) - EVENTS, 0) + 1, len(rows) + 1)
        lines = show.log_lines(game_set, played[-1], rows, {}, latest)
    if played and game_set.rules.is_ranked:
        podium = standings.podium(game_set, queries.set_state(game_set, played))
    shown = {"code": game_set.code, "lines": lines, "podium": podium}
    return render(request, "scoring/_desk.html", shown)
