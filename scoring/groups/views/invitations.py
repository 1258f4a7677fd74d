"""Invitations: links by which people join a playgroup."""

from __future__ import annotations

from django.conf import settings as site
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.keys import key_for
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Playgroup
from ...models.people import Role
from .. import queries, settings
from ..forms.owners import INVITED_MAX, InvitationForm
from ..pages.bases import group_page
from .decorators import owner_view


def invitations_page(
    request: Request, group: Playgroup, key: str = "", refused: Refused | None = None
) -> HttpResponse:
    """Show the invitations, and the link of the invitation with this secret."""
    link = request.build_absolute_uri(reverse("join", args=[key])) if key else ""
    return group_page(
        request,
        "groups/invitations.html",
        group,
        refused,
        invitations=queries.invitations(group),
        now=timezone.now(),
        link=link,
        qr=qr_code(link) if link else "",
        typed=request.POST,
        roles=Role.choices,
        most=INVITED_MAX,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@owner_view
@shows_refusals(invitations_page)
def invitations(request: Request, group: Playgroup) -> HttpResponse:
    """Show the invitations, and create an invitation, whose link is shown only now."""
    if request.method != "POST":
        return invitations_page(request, group)
    data = cleaned_data(InvitationForm(request.POST))
    key = key_for(data["tap_id"], group.code, data["role"], str(data["days"]))
    settings.invite(group, data["role"], data["days"], key=key)
    return invitations_page(request, group, key)


@require_POST
@owner_view
def revoke(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Close an invitation; a repeated request leaves it closed."""
    settings.revoke(get_object_or_404(group.invitations, pk=key))
    return redirect("invitations", group.code)


def closed_page(request: Request, key: str, refused: Refused) -> HttpResponse:
    return render(request, "groups/join.html", {"problem": str(refused)}, status=410)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@shows_refusals(closed_page)
def join(request: Request, key: str) -> HttpResponse:
    """Show which playgroup an invitation opens, and let an account join it."""
    invitation = queries.find_invitation(key)
    if invitation is None:
        raise Http404("There is no such invitation.")
    settings.check_open(invitation)
    if request.method != "POST":
        context = {
            "group": invitation.playgroup,
            "invitation": invitation,
            "role": Role(invitation.role).label.lower(),
            "may_sign_up": site.SIGN_UP != "closed",
        }
        return render(request, "groups/join.html", context)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    group, member = invitation.playgroup, settings.join(invitation, request.user)
    asks = member.may_choose and queries.claimable(group)
    return redirect("choose_player" if asks else "board", group.code)
