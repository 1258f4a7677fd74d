"""The members of a playgroup: their roles, and leaving."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.requests import Request

from ...models import Playgroup
from .. import settings
from ..forms.owners import RoleForm
from .decorators import member_view, owner_view
from .people import people_page


@require_POST
@owner_view
@shows_refusals(people_page)
def change(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Change a member's role, or remove the member."""
    member = get_object_or_404(group.memberships, pk=key)
    if "remove" in request.POST:
        settings.remove(member)
    else:
        settings.change_role(member, cleaned_data(RoleForm(request.POST))["role"])
    return redirect("people", group.code)


@require_POST
@member_view
@shows_refusals(people_page)
def leave(request: Request, group: Playgroup) -> HttpResponse:
    """End the visitor's membership, if any: superusers belong without."""
    member = group.memberships.filter(user=request.user.pk).first()
    if member:
        settings.leave(member)
    return redirect("groups")
