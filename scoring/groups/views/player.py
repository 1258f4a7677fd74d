"""A player's page: sums, rating, opponents, heroes and types, and all sets."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ... import access
from ...models import Player, Playgroup, SetResult
from ...pages.board import format_name
from ...pictures import answers
from ...rules.formats import scores
from .. import course, pictures, queries, statistics
from ..leaderboard import Row
from ..pages.statistics import PlayerPage
from .decorators import group_view
from .paging import page_number


@require_safe
@group_view
def player(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a player's statistics; redirect to the player into whom this player is merged."""
    player = get_object_or_404(Player, playgroup=group, pk=pk)
    if player.merged_into_id:
        return redirect("player", group.code, player.merged_into_id)
    player.playgroup = group
    page = _page(request, group, player)
    if request.user.is_authenticated and access.belongs(request, group):
        page.may_claim = queries.may_claim(player, request.user.pk)
        page.claimed = queries.has_claimed(player, request.user.pk)
    return page.respond(request)


def _page(request: Request, group: Playgroup, player: Player) -> PlayerPage:
    results = SetResult.objects.filter(player=player)
    rows = statistics.sums_by_format(player)
    format = _format(request, group, rows)
    opponents = statistics.opponents(player, format)
    row = _row(player, rows, format)
    return PlayerPage(
        group=group,
        player=player,
        row=row,
        formats=[(key, format_name(key)) for key in rows],
        format=format,
        scores=scores(format),
        chart=course.chart(row.form),
        best=statistics.best(opponents),
        worst=statistics.worst(opponents),
        heroes=statistics.players_totals_by(player, "hero"),
        types=statistics.players_totals_by(player, "coalition_type"),
        page=statistics.page(results, page_number(request)),
        picture=pictures.of_player(group, player, row, format).versioned,
    )


def _row(player: Player, rows: Mapping[str, Row], format: str) -> Row:
    """Return a player's sums in a format, with the latest results. One query."""
    row = rows.get(format) or Row(player.pk, player.name)
    row.form = statistics.rated_results(player, format)
    return row


def _format(request: Request, group: Playgroup, rows: Collection[str]) -> str:
    """Return the requested format, or the playgroup's; if that was not played, any that was."""
    wanted = (request.GET.get("format", ""), group.format, *rows)
    return next((format for format in wanted if format in rows), group.format)


@require_safe
@group_view
def picture(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    """Show a player as a picture; redirect to that of the player into whom this one is merged."""
    player = get_object_or_404(Player, playgroup=group, pk=pk)
    if player.merged_into_id:
        return redirect("player_picture", group.code, player.merged_into_id)
    rows = statistics.sums_by_format(player)
    format = _format(request, group, rows)
    subject = pictures.of_player(group, player, _row(player, rows, format), format)
    return answers.answer(request, subject)
