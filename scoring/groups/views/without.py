"""The board replayed without a card, for those who decide on bans."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request
from decks.catalogue import memory
from decks.models import NAME_MAX

from ...models import Playgroup, Seat, SetResult
from ...rules.formats import FORMATS, RULESETS, scores
from .. import leaderboard
from ..leaderboard import Wanted
from ..pages.bases import group_page
from .decorators import replay_view

TEMPLATE = "groups/without.html"


@require_safe
@replay_view
def without(request: Request, group: Playgroup) -> HttpResponse:
    name = request.GET.get("card", "")[:NAME_MAX].strip()
    if not name:
        return group_page(request, TEMPLATE, group, name="")
    catalogue = memory.CATALOGUE.now()
    card = catalogue.find([name]).get(name)
    if card is None:
        closest = catalogue.closest([name]).get(name, ())
        return group_page(request, TEMPLATE, group, status=404, name=name, closest=closest)
    format = RULESETS[group.ruleset].format
    had_card = Seat.objects.filter(deck__lines__card=card.pk).values("game_set")
    keys = [ruleset.key for ruleset in FORMATS[format]]
    results = SetResult.objects.filter(
        player__playgroup=group, game_set__ruleset__in=keys, game_set__in=had_card
    )
    rows = leaderboard.board(group, Wanted(format=format)).rows
    replayed = leaderboard.without(format, rows, results)
    others = {row.player_id: row for row in replayed}
    # Each player's row beside the other one, None where no set is left.
    return group_page(
        request,
        TEMPLATE,
        group,
        name=card.name,
        is_known=True,
        sets=results.values("game_set").distinct().count(),
        scores=scores(format),
        rows=[(row, others.get(row.player_id)) for row in rows],
    )
