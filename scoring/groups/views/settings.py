"""What owners settle: name, visibility, rules, and the playgroup's own bans."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import first_error
from coalition_site.lib.requests import Request
from decks.bans import commands
from decks.bans.commands import BanRefused
from decks.models import BanEntry, Playing

from ...models import Playgroup
from ...play.errors import GroupRefused
from .. import queries
from .. import settings as running
from ..forms.bans import EndBanForm, HouseBanForm
from ..forms.owners import SettingsForm
from .rooms import page, run


@require_http_methods(["GET", "HEAD", "POST"])
@run
def settings(request: Request, group: Playgroup) -> HttpResponse:
    """Show a playgroup's settings, and change them."""
    known = {name: getattr(group, name) for name in ("name", "visibility", "ruleset")}
    known |= {
        "house_rules": group.house_rules,
        "illegal_decks": group.house.illegal_decks if group.house else Playing.WARN,
    }
    if request.method != "POST":
        context = {"form": SettingsForm(initial=known), "messages": messages.get_messages(request)}
        return page(request, group, "settings.html", context)
    form = SettingsForm(request.POST, initial=known)
    if not form.is_valid():
        return page(request, group, "settings.html", {"form": form}, first_error(form))
    try:
        running.change_settings(group, **form.cleaned_data)
    except GroupRefused as refusal:
        return page(request, group, "settings.html", {"form": form}, str(refusal))
    messages.success(request, "Saved.")
    return redirect("settings", group.code)


@require_http_methods(["GET", "HEAD", "POST"])
@run
def bans(request: Request, group: Playgroup) -> HttpResponse:
    """Show what a playgroup's own list says, and let it say more."""
    if request.method != "POST":
        return _bans_page(request, group)
    form = HouseBanForm(request.POST)
    if not form.is_valid():
        return _bans_page(request, group, first_error(form))
    said = form.cleaned_data
    try:
        running.ban(
            group, said["card"], said["status"], said["reason"], said["starts_on"], request.user
        )
    except (GroupRefused, BanRefused) as refusal:
        return _bans_page(request, group, str(refusal))
    return redirect("house_bans", group.code)


@require_POST
@run
def ban(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Change the reason or the end of an entry of a playgroup's own list."""
    entry = get_object_or_404(
        BanEntry.objects.select_related("ban_list"), pk=key, ban_list__group=group
    )
    form = EndBanForm(request.POST)
    if not form.is_valid():
        return _bans_page(request, group, first_error(form))
    said = form.cleaned_data
    try:
        commands.amend(entry, said["reason"], said["ends_on"], request.user)
    except BanRefused as refusal:
        return _bans_page(request, group, f"{entry}: {refusal}")
    return redirect("house_bans", group.code)


def _bans_page(request: Request, group: Playgroup, problem: str = "") -> HttpResponse:
    today = timezone.localdate()
    entries = queries.house_bans(group)
    context = {
        "typed": request.POST,
        "today": today,
        "standing": [one for one in entries if one.ends_on is None or one.ends_on > today],
        "ended": [one for one in entries if one.ends_on and one.ends_on <= today],
        "statuses": HouseBanForm.base_fields["status"].choices,
    }
    return page(request, group, "bans.html", context, problem)
