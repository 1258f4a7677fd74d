"""A player's page: sums, charts, opponents, heroes and types, other playgroups, and all sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup, SetResult
from ...pages.wording import format_name
from ...pictures import answers
from ...rules.formats import scores
from .. import course, elsewhere, meetings, pictures, statistics
from ..leaderboard import Row
from ..pages.statistics import PlayerPage
from .decorators import group_view
from .formats import chosen_format
from .paging import page_number

if TYPE_CHECKING:
    from ..statistics import FoundPlayer


@require_safe
@group_view
def player(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a player's statistics; redirect to the player into whom this player is merged."""
    player = _find(request, group, pk)
    if player.merged_into_id:
        return redirect("player", group.code, player.merged_into_id)
    page = _page(request, group, player)
    if request.user.is_authenticated and access.belongs(request, group):
        page.may_claim, page.claimed = not player.is_taken, player.is_claimed
    return page.respond(request)


def _page(request: Request, group: Playgroup, player: FoundPlayer) -> PlayerPage:
    rows = statistics.sums_by_format(player)
    format = chosen_format(request, group, rows)
    opponents = meetings.opponents(player, format)
    latest, records = statistics.course(player, format)
    row = rows.get(format) or Row(player.pk, player.name)
    row.form = latest
    heroes, types = statistics.heroes_and_types(player)
    return PlayerPage(
        group=group,
        player=player,
        row=row,
        formats=[(key, format_name(key)) for key in rows],
        format=format,
        scores=scores(format),
        curve=course.per_game(latest) if scores(format) else course.won_share(latest),
        records=records,
        streak=latest[-1].streak or 0 if latest else 0,
        chart=course.chart(latest),
        best=meetings.best(opponents),
        worst=meetings.worst(opponents),
        heroes=heroes,
        types=types,
        evenings=statistics.evenings(player),
        elsewhere=elsewhere.others(player, group, request.user.pk),
        page=statistics.page(SetResult.objects.filter(player=player), page_number(request)),
        picture=pictures.of_player(group, player, row, format).versioned,
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
    row.form, _ = statistics.course(player, format)
    return answers.answer(request, pictures.of_player(group, player, row, format))


def _find(request: Request, group: Playgroup, pk: int) -> FoundPlayer:
    player = statistics.find_player(group, pk, request.user.pk)
    if player is None:
        raise Http404("There is no such player in this playgroup.")
    return player
