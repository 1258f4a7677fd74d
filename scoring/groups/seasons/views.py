"""A playgroup's seasons: their winners, final tables and awards, and what owners change."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.qr import render_qr
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from coalition_site.lib.texts import sort_key

from ...models import Playgroup, Season, SeasonPlace
from ...pictures import answers, charts
from ...rules.formats import scores
from .. import pictures, queries
from ..bases import group_page
from ..board.columns import BoardForm, columns, ordered
from ..board.leaderboard import LISTED, Filters, Row, leaderboard, ranked_by
from ..decorators import group_view, owner_view, takes_form, takes_posts
from ..fields import DayField, NameField
from ..settings import commands as settings
from . import closing
from . import rows as season_rows
from .rows import SeasonRow

TEMPLATE = "groups/season.html"
LEFT_OUT = ("first", "last")  # columns for which a season's table has no room


class SeasonForm(forms.Form):
    name = NameField("Give the season a name.")
    starts_on = DayField("The first day")
    ends_on = DayField("The last day")


@require_safe
@group_view
def seasons(request: Request, group: Playgroup) -> HttpResponse:
    seasons = list(queries.seasons_with_tables(group))
    return group_page(
        request,
        "groups/archive.html",
        group,
        finishes=finishes(group, seasons),
        listed=LISTED,
    )


def finishes(group: Playgroup, seasons: Sequence[Season]) -> list[dict[str, Any]]:
    """Return the winners of each season: of its final table, or as it stands."""
    # A query, and two for each season without a final table: the one that goes on, as a rule.
    rows: dict[int, list[Row]] = {season.pk: [] for season in seasons}
    for season in seasons:
        if not closing.table_of(season) and season.starts_on <= queries.today(group):
            days = Filters(format=group.format, first=season.starts_on, last=season.ends_on)
            rows[season.pk] = leaderboard(group, days).rows
    # Of final tables: who came first, and who is without a rank.
    places = SeasonPlace.objects.filter(Q(rank=1) | Q(rank=None), table__season__playgroup=group)
    placed = places.select_related("table", "player").order_by("pk")
    for place in sorted(placed, key=lambda place: sort_key(place.player.name)):
        rows[place.table.season_id].append(season_rows.kept_row(place))
    return [
        {
            "season": season,
            "first": first_ranked(rows[season.pk]),
            "is_over": closing.is_over(season),
            "is_played": bool(rows[season.pk]),
            "scores": scores(table.format if (table := closing.table_of(season)) else group.format),
        }
        for season in seasons
    ]


def first_ranked(rows: Iterable[Any]) -> list[Any]:
    return [row for row in rows if row.rank == 1]


def season_page(
    request: Request, group: Playgroup, pk: int, refused: Refused | None = None
) -> HttpResponse:
    season, format, rows, now = _read(group, pk)
    data = {"season": str(pk), "sort": request.GET.get("sort", "")}
    form = BoardForm(data, seasons=[season], today=queries.today(group), format=format)
    shown: dict[str, Any] = {
        "season": season,
        "table": closing.table_of(season),
        "is_over": closing.is_over(season),
        "format": format,
        "form": form,
        "address": request.build_absolute_uri(reverse("season", args=[group.code, pk])),
        "listed": LISTED,
    }
    if not form.is_valid():
        return group_page(request, TEMPLATE, group, refused, 422, **shown)
    is_corrected = season_rows.is_corrected(rows, now)
    raced = [(row.name, row.by_day, row.rank) for row in now]
    return group_page(
        request,
        TEMPLATE,
        group,
        refused,
        **shown,
        scores=scores(format),
        columns={key: title for key, title in columns(format).items() if key not in LEFT_OUT},
        column=form.column or ranked_by(format),
        rows=ordered(rows, form.column),
        first=first_ranked(rows),
        awards=season_rows.awards(rows, "set" if scores(format) else "game"),
        is_corrected=is_corrected,
        now=now if is_corrected else (),
        first_now=first_ranked(now) if is_corrected else (),
        chart=charts.race_of_days(raced, in_points=scores(format)),
        picture=pictures.of_season(season, format, rows, now).versioned,
    )


def _read(group: Playgroup, pk: int) -> tuple[Season, str, list[SeasonRow], list[SeasonRow]]:
    """Return a season, its format, the rows of its final table, if any, and those of now."""
    season = get_object_or_404(queries.seasons_with_tables(group), pk=pk)
    season.playgroup = group
    table = closing.table_of(season)
    format = table.format if table else group.format
    now = season_rows.rows_now(season, format)
    return season, format, season_rows.kept_rows(table) if table else now, now


@require_safe
@group_view
def picture(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    return answers.answer(request, pictures.of_season(*_read(group, pk)))


season = require_safe(group_view(season_page))


@takes_posts(owner_view, season_page)
def close(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    closing.close_again(get_object_or_404(queries.seasons_with_tables(group), pk=pk))
    return redirect("season", group.code, pk)


@require_safe
@group_view
def qr(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    season = get_object_or_404(group.seasons, pk=pk)
    return render_qr(
        request,
        title=season.name,
        note="For members of the playgroup, signed in."
        if group.is_private
        else "Anybody can see it.",
        address=request.build_absolute_uri(reverse("season", args=[group.code, pk])),
        back=reverse("season", args=[group.code, pk]),
    )


# --- for owners ---
def seasons_page(
    request: Request, group: Playgroup, key: int | None = None, refused: Refused | None = None
) -> HttpResponse:
    # Not "if key": 0 is no season, and no new season either.
    season = get_object_or_404(group.seasons, pk=key) if key is not None else None
    initial = {name: getattr(season, name) for name in SeasonForm.base_fields} if season else None
    return group_page(
        request,
        "groups/seasons.html",
        group,
        refused,
        form=SeasonForm(request.POST if refused else None, initial=initial),
        season=season,
        seasons=queries.seasons(group),
    )


@takes_form(owner_view, seasons_page)
def edit_seasons(request: Request, group: Playgroup) -> HttpResponse:
    settings.add_season(group, **cleaned_data(SeasonForm(request.POST)))
    return redirect("edit_seasons", group.code)


@takes_form(owner_view, seasons_page)
def edit_season(request: Request, group: Playgroup, key: int) -> HttpResponse:
    season = get_object_or_404(group.seasons, pk=key)
    if "delete" in request.POST:
        season.delete()
    else:
        settings.change_season(season, **cleaned_data(SeasonForm(request.POST)))
    return redirect("edit_seasons", group.code)
