"""The rules that players ask about during a game, what matters now first."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from .. import access
from ..models import GameSet
from ..pages import additions, board
from ..play import queries
from .guide import place_of, way_back
from .tables import viewer_view


@require_safe
@viewer_view
def answers(request: Request, game_set: GameSet) -> HttpResponse:
    """Show the answers of a format during a game."""
    played = queries.games(game_set)
    of_format = additions.of(game_set)
    if not played or not of_format.has_answers:
        raise Http404
    place = place_of(request, "score" if access.may_score(request, game_set) else "watch")
    shown = {
        "code": game_set.code,
        "game_set": game_set,
        "ruleset": game_set.rules,
        "group": access.visible_group(request, game_set),
        "groups": of_format.answers(board.read(game_set, played[-1])),
        "place": place,
        "back": way_back(place, game_set.code),
    }
    return render(request, "scoring/answers.html", shown)
