"""Invitations: links by which people join a playgroup."""

from django import forms
from django.conf import settings as site
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.keys import key_for, key_hash
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Invitation, Playgroup
from ...models.people import Role
from .. import queries
from ..bases import group_page
from ..decorators import owner_view, takes_form
from ..fields import any_error
from ..settings import commands as settings
from .views import RoleForm

INVITED_MAX = 365  # days


class InvitationForm(Tap, RoleForm):
    days = forms.IntegerField(
        min_value=1,
        max_value=INVITED_MAX,
        error_messages=any_error(f"Give a whole number of days from 1 to {INVITED_MAX}."),
    )


def invitations_page(
    request: Request, group: Playgroup, key: str = "", refused: Refused | None = None
) -> HttpResponse:
    link = request.build_absolute_uri(reverse("join", args=[key])) if key else ""
    return group_page(
        request,
        "groups/invitations.html",
        group,
        refused,
        invitations=group.invitations.order_by("-created_at", "-pk"),
        now=timezone.now(),
        link=link,
        qr=qr_code(link) if link else "",
        roles=Role.choices,
        most=INVITED_MAX,
    )


@never_cache
@takes_form(owner_view, invitations_page)
def invitations(request: Request, group: Playgroup) -> HttpResponse:
    data = cleaned_data(InvitationForm(request.POST))
    key = key_for(data["tap_id"], group.code, data["role"], str(data["days"]))
    settings.invite(group, data["role"], data["days"], key=key)
    return invitations_page(request, group, key)


@require_POST
@owner_view
def revoke(request: Request, group: Playgroup, key: int) -> HttpResponse:
    invitation = get_object_or_404(group.invitations, pk=key)
    group.invitations.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now())
    return redirect("invitations", group.code)


def closed_page(request: Request, key: str, refused: Refused) -> HttpResponse:
    return render(request, "groups/join.html", {"problem": str(refused)}, status=410)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@shows_refusals(closed_page)
def join(request: Request, key: str) -> HttpResponse:
    invitations = Invitation.objects.select_related("playgroup")
    invitation = get_object_or_404(invitations, key_hash=key_hash(key))
    settings.check_open(invitation)
    group = invitation.playgroup
    if request.method != "POST":
        context = {
            "group": group,
            "invitation": invitation,
            "role": Role(invitation.role).label.lower(),
            "may_sign_up": site.SIGN_UP != "closed",
        }
        return render(request, "groups/join.html", context)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    member = settings.join(invitation, request.user)
    asks = member.may_choose and queries.claimable(group)
    return redirect("choose_player" if asks else "board", group.code)
