"""The seasons of a playgroup, for its owners."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Playgroup
from .. import queries, settings
from ..forms.owners import SeasonForm
from ..pages.bases import group_page
from .decorators import owner_view


def seasons_page(
    request: Request, group: Playgroup, key: int | None = None, refused: Refused | None = None
) -> HttpResponse:
    """Show the seasons, and a form for a new season, or for the season of the key."""
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


@require_http_methods(["GET", "HEAD", "POST"])
@owner_view
@shows_refusals(seasons_page)
def seasons(request: Request, group: Playgroup) -> HttpResponse:
    """Show the seasons, and add a season."""
    if request.method != "POST":
        return seasons_page(request, group)
    settings.add_season(group, **cleaned_data(SeasonForm(request.POST)))
    return redirect("edit_seasons", group.code)


@require_http_methods(["GET", "HEAD", "POST"])
@owner_view
@shows_refusals(seasons_page)
def season(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Show a season, and change or delete it."""
    if request.method != "POST":
        return seasons_page(request, group, key)
    season = get_object_or_404(group.seasons, pk=key)
    if "delete" in request.POST:
        settings.delete_season(season)
    else:
        settings.change_season(season, **cleaned_data(SeasonForm(request.POST)))
    return redirect("edit_seasons", group.code)
