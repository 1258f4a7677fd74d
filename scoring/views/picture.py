"""The picture of a set, for previews of its link and to be sent around."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from .. import access
from ..models import GameSet
from ..pictures import answers
from ..pictures.sets import of_set
from ..play import queries
from .tables import viewer_view


@require_safe
@viewer_view
def picture(request: Request, game_set: GameSet) -> HttpResponse:
    group = access.visible_group(request, game_set)
    return answers.answer(request, of_set(game_set, queries.games(game_set), group))
