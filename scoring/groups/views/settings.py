"""What owners change: the settings of a playgroup, and its own ban list."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from decks.bans import commands
from decks.bans.commands import BanRefused
from decks.models import BanEntry, Playing

from ...models import Playgroup
from .. import queries
from .. import settings as group_settings
from ..forms.bans import STATUSES, EndBanForm, HouseBanForm
from ..forms.owners import SettingsForm
from ..pages.bases import group_page
from .decorators import owner_view


def settings_page(
    request: Request, group: Playgroup, refused: Refused | None = None
) -> HttpResponse:
    """Show the settings as they are, or as they were typed when they were refused."""
    form = SettingsForm(request.POST if refused else None, initial=_initial(group))
    shown = () if refused else messages.get_messages(request)
    return group_page(request, "groups/settings.html", group, refused, form=form, messages=shown)


def _initial(group: Playgroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "visibility": group.visibility,
        "ruleset": group.ruleset,
        "house_rules": group.house_rules,
        "illegal_decks": group.house.illegal_decks if group.house else Playing.WARN,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@owner_view
@shows_refusals(settings_page)
def settings(request: Request, group: Playgroup) -> HttpResponse:
    """Show a playgroup's settings, and change them."""
    if request.method != "POST":
        return settings_page(request, group)
    data = cleaned_data(SettingsForm(request.POST, initial=_initial(group)))
    group_settings.change_settings(group, **data)
    messages.success(request, "Saved.")
    return redirect("settings", group.code)


def bans_page(
    request: Request, group: Playgroup, key: int | None = None, refused: Refused | None = None
) -> HttpResponse:
    """Show the entries of a playgroup's own list; ``key`` is the entry of a refused change."""
    today = timezone.localdate()
    entries = queries.house_bans(group)
    return group_page(
        request,
        "groups/bans.html",
        group,
        refused,
        statuses=STATUSES,
        typed=request.POST,
        today=today,
        standing=[entry for entry in entries if entry.ends_on is None or entry.ends_on > today],
        ended=[entry for entry in entries if entry.ends_on and entry.ends_on <= today],
    )


@require_http_methods(["GET", "HEAD", "POST"])
@owner_view
@shows_refusals(bans_page)
def bans(request: Request, group: Playgroup) -> HttpResponse:
    """Show a playgroup's own list, and add an entry."""
    if request.method != "POST":
        return bans_page(request, group)
    data = cleaned_data(HouseBanForm(request.POST))
    assert request.user.is_authenticated  # as an owner
    group_settings.ban(group, by=request.user, **data)
    return redirect("house_bans", group.code)


@require_POST
@owner_view
@shows_refusals(bans_page)
def ban(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Change the reason or the end of an entry of a playgroup's own list."""
    entries = BanEntry.objects.select_related("ban_list")
    entry = get_object_or_404(entries, pk=key, ban_list__group=group)
    data = cleaned_data(EndBanForm(request.POST))
    assert request.user.is_authenticated  # as an owner
    try:
        commands.amend(entry, data["reason"], data["ends_on"], request.user)
    except BanRefused as refused:
        raise BanRefused(f"{entry}: {refused}") from refused
    return redirect("house_bans", group.code)


@require_POST
@owner_view
@shows_refusals(bans_page)
def announce(request: Request, group: Playgroup) -> HttpResponse:
    """Lead to a new draft of an announcement of the playgroup's own list."""
    return redirect("new_draft", group_settings.house_list(group).key)
