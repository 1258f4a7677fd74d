"""A player's page: sums, charts, opponents, heroes and types, other playgroups, and all sets."""

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup, SetResult
from ...pages import charts
from ...pages.wording import format_name
from ...pictures import answers
from ...results import ratings
from ...rules.formats import scores
from .. import meetings, pictures, statistics
from ..forms.board import chosen_format, page_number
from ..leaderboard import Row
from ..pages.bases import group_page, live_tables
from .decorators import group_view

OPPONENTS_MAX = 5  # the best, and as many of the worst

if TYPE_CHECKING:
    from ..statistics import FoundPlayer


@require_safe
@group_view
def player(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a player's statistics; redirect to the player into whom this player is merged."""
    player = _find(request, group, pk)
    if player.merged_into_id:
        return redirect("player", group.code, player.merged_into_id)
    rows = statistics.sums_by_format(player)
    format = chosen_format(request, group, rows)
    opponents = meetings.opponents(player, format)
    latest, records = statistics.rating_chart(player, format)
    row = rows.get(format) or Row(player.pk, player.name)
    row.form = latest
    own = SetResult.objects.filter(player=player)
    heroes, types = statistics.heroes_and_types(own)
    may_claim = request.user.is_authenticated and access.belongs(request, group)
    return group_page(
        request,
        "groups/player.html",
        group,
        playing=live_tables(group),
        player=player,
        row=row,
        formats=[(key, format_name(key)) for key in rows],
        format=format,
        scores=scores(format),
        curve=charts.curve(latest, in_points=scores(format)),
        mean_of=charts.MEAN_OF,
        records=records,
        streak=latest[-1].streak or 0 if latest else 0,
        chart=charts.rating_curve(latest),
        rated=ratings.PROVISIONAL,
        best=[one for one in opponents if one.difference > 0][:OPPONENTS_MAX],
        worst=[one for one in reversed(opponents) if one.difference < 0][:OPPONENTS_MAX],
        enough=meetings.ENOUGH,
        heroes=heroes,
        types=types,
        evenings=statistics.evenings(player),
        other_groups=statistics.other_groups(player, group, request.user.pk),
        page=statistics.page(own, page_number(request)),
        picture=pictures.of_player(group, player, row, format).versioned,
        may_claim=may_claim and not player.is_taken,
        claimed=may_claim and player.is_claimed,
    )


@require_safe
@group_view
def picture(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a player as a picture; redirect to that of the player into whom this one is merged."""
    player = _find(request, group, pk)
    if player.merged_into_id:
        return redirect("player_picture", group.code, player.merged_into_id)
    rows = statistics.sums_by_format(player)
    format = chosen_format(request, group, rows)
    row = rows.get(format) or Row(player.pk, player.name)
    row.form, _ = statistics.rating_chart(player, format)
    return answers.answer(request, pictures.of_player(group, player, row, format))


def _find(request: Request, group: Playgroup, pk: int) -> "FoundPlayer":
    player = statistics.find_player(group, pk, request.user.pk)
    if player is None:
        raise Http404("There is no such player in this playgroup.")
    return player
