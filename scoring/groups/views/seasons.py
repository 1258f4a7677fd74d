"""The seasons of a playgroup, for its owners."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error
from coalition_site.lib.requests import Request

from ...models import Playgroup, Season
from ...play.errors import GroupRefused
from .. import queries, settings
from ..forms.owners import SeasonForm
from .rooms import page, run


@require_http_methods(["GET", "HEAD", "POST"])
@run
def seasons(request: Request, group: Playgroup) -> HttpResponse:
    """Show the seasons, and add one."""
    if request.method != "POST":
        return _page(request, group, SeasonForm())
    return _put(request, group, SeasonForm(request.POST), None)


@require_http_methods(["GET", "HEAD", "POST"])
@run
def season(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Show a season, and change or delete it."""
    found = get_object_or_404(group.seasons, pk=key)
    known = {name: getattr(found, name) for name in ("name", "starts_on", "ends_on")}
    if request.method != "POST":
        return _page(request, group, SeasonForm(initial=known), found)
    if "delete" in request.POST:
        settings.delete_season(found)
        return redirect("edit_seasons", group.code)
    return _put(request, group, SeasonForm(request.POST, initial=known), found)


def _put(
    request: Request, group: Playgroup, form: SeasonForm, found: Season | None
) -> HttpResponse:
    if not form.is_valid():
        return _page(request, group, form, found, first_error(form))
    said = form.cleaned_data
    days = (said["name"], said["starts_on"], said["ends_on"])
    try:
        if found:
            settings.change_season(found, *days)
        else:
            settings.add_season(group, *days)
    except GroupRefused as refusal:
        return _page(request, group, form, found, str(refusal))
    return redirect("edit_seasons", group.code)


def _page(
    request: Request,
    group: Playgroup,
    form: SeasonForm,
    found: Season | None = None,
    problem: str = "",
) -> HttpResponse:
    context = {"form": form, "season": found, "seasons": queries.seasons(group)}
    return page(request, group, "seasons.html", context, problem)
