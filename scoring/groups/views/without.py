"""The board replayed without a card, for those who decide on bans."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request
from decks.catalogue import memory
from decks.models import NAME_MAX

from ...models import Playgroup, Seat, SetResult
from ...rules.formats import FORMATS, RULESETS, scores
from .. import leaderboard
from ..leaderboard import Wanted
from ..pages.owners import WithoutPage
from .decorators import replay_view


@require_safe
@replay_view
def without(request: Request, group: Playgroup) -> HttpResponse:
    """Show the board beside what it would be without the sets that had a deck with a card."""
    name = request.GET.get("card", "")[:NAME_MAX].strip()
    if not name:
        return WithoutPage(group=group).respond(request)
    catalogue = memory.CATALOGUE.now()
    card = catalogue.find([name]).get(name)
    if card is None:
        closest = catalogue.closest([name]).get(name, ())
        return WithoutPage(group=group, name=name, closest=closest).respond(request, status=404)
    return _page(group, card.name, card.pk).respond(request)


def _page(group: Playgroup, name: str, card: int) -> WithoutPage:
    format = RULESETS[group.ruleset].format
    had_card = Seat.objects.filter(deck__lines__card=card).values("game_set")
    keys = [ruleset.key for ruleset in FORMATS[format]]
    results = SetResult.objects.filter(
        player__playgroup=group, game_set__ruleset__in=keys, game_set__in=had_card
    )
    rows = leaderboard.board(group, Wanted(format=format)).rows
    replayed = leaderboard.without(format, rows, results)
    others = {row.player_id: row for row in replayed}
    return WithoutPage(
        group=group,
        name=name,
        is_known=True,
        sets=results.values("game_set").distinct().count(),
        scores=scores(format),
        rows=[(row, others.get(row.player_id)) for row in rows],
    )
