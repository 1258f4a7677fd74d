"""A playgroup's calendar: the page that tells its address, and the calendar itself."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from coalition_site.lib.forms import Tap
from coalition_site.lib.keys import key_for
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Playgroup
from ...play.errors import GroupRefused
from .. import calendars
from ..pages.bases import group_page
from .decorators import group_view, member_view

TYPE = "text/calendar; charset=utf-8"


@require_safe
@conditional_page
@group_view
def calendar_feed(request: Request, group: Playgroup) -> HttpResponse:
    """Send the evenings as a calendar to whoever may see the playgroup."""
    return _calendar(request, group)


@require_safe
@conditional_page
def secret_feed(request: Request, key: str) -> HttpResponse:
    """Send the same to whoever has a member's secret address: calendars can't sign in."""
    group = calendars.group_with_link(key)
    if group is None:
        raise Http404("There is no such calendar.")
    response = _calendar(request, group)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _calendar(request: Request, group: Playgroup) -> HttpResponse:
    site = request.build_absolute_uri("/").removesuffix("/")
    return HttpResponse(calendars.calendar(group, site), content_type=TYPE)


def calendar_page(
    request: Request, group: Playgroup, key: str = "", refused: Refused | None = None
) -> HttpResponse:
    """Show the calendar's address; in a private playgroup the visitor's own, if just created."""
    own = calendars.membership(group, request.user.pk) if group.is_private else None
    secret = reverse("secret_feed", args=[key]) if key else ""
    address = reverse("calendar_feed", args=[group.code]) if not group.is_private else secret
    return group_page(
        request,
        "groups/calendar.html",
        group,
        refused,
        address=request.build_absolute_uri(address) if address else "",
        since=own.calendar_link.created_at if own and hasattr(own, "calendar_link") else None,
        is_member=own is not None,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@group_view
@shows_refusals(calendar_page)
def calendar(request: Request, group: Playgroup) -> HttpResponse:
    """Show the calendar's address; create a member's secret address, which is shown only now."""
    if request.method != "POST":
        return calendar_page(request, group)
    own = calendars.membership(group, request.user.pk)
    if own is None:
        raise GroupRefused("Only members have an address of their own. Join the playgroup first.")
    key = key_for(cleaned_data(Tap(request.POST))["tap_id"], group.code, str(own.pk), "calendar")
    calendars.create_link(own, key)
    return calendar_page(request, group, key)


@require_POST
@member_view
def revoke_calendar(request: Request, group: Playgroup) -> HttpResponse:
    """Make the visitor's secret address stop working."""
    if own := calendars.membership(group, request.user.pk):
        calendars.revoke_link(own)
    return redirect("calendar", group.code)
