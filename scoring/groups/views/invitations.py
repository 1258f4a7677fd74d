"""Invitations: links by which people join a playgroup."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import first_error
from coalition_site.lib.keys import key_for
from coalition_site.lib.requests import Request

from ...models import Playgroup
from ...models.people import Role
from ...play.errors import GroupRefused
from ...views.links import qr_code
from .. import queries, settings
from ..forms.owners import INVITED_MAX, InvitationForm
from .rooms import page, run


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@run
def invitations(request: Request, group: Playgroup) -> HttpResponse:
    """Show the invitations, and make one, whose link is shown this once."""
    if request.method != "POST":
        return _page(request, group)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _page(request, group, problem=first_error(form))
    said = form.cleaned_data
    key = key_for(said["tap_id"], group.code, said["role"], str(said["days"]))
    settings.invite(group, said["role"], said["days"], key=key)
    return _page(request, group, key)


def _page(request: Request, group: Playgroup, key: str = "", problem: str = "") -> HttpResponse:
    link = request.build_absolute_uri(reverse("join", args=[key])) if key else ""
    context = {
        "invitations": queries.invitations(group),
        "now": timezone.now(),
        "link": link,
        "qr": qr_code(link) if link else "",
        "roles": Role.choices,
        "most": INVITED_MAX,
        "typed": request.POST,
    }
    return page(request, group, "invitations.html", context, problem)


@require_POST
@run
def revoke(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Close an invitation; asked again, it stays closed."""
    settings.revoke(get_object_or_404(group.invitations, pk=key))
    return redirect("invitations", group.code)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: Request, key: str) -> HttpResponse:
    """Let an account join by an invitation, after a page that says to what."""
    invitation = queries.find_invitation(key)
    if invitation is None:
        raise Http404("There is no such invitation.")
    try:
        settings.check_open(invitation)
        if request.method == "POST" and request.user.is_authenticated:
            settings.join(invitation, request.user)
            return redirect("board", invitation.playgroup.code)
    except GroupRefused as refusal:
        return render(request, "groups/join.html", {"problem": str(refusal)}, status=410)
    if request.method == "POST":
        return redirect_to_login(request.path)
    context = {
        "group": invitation.playgroup,
        "invitation": invitation,
        "role": Role(invitation.role).label.lower(),
    }
    return render(request, "groups/join.html", context)
