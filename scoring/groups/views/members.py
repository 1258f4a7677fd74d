"""The members of a playgroup: their roles, and who leaves."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from coalition_site.lib.forms import first_error
from coalition_site.lib.requests import Request

from ...models import Playgroup
from ...play.errors import GroupRefused
from .. import settings
from ..forms.owners import RoleForm
from .people import people_page
from .rooms import belonging, run


@require_POST
@run
def change(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Give a member another role, or none."""
    member = get_object_or_404(group.memberships, pk=key)
    form = RoleForm(request.POST)
    try:
        if "remove" in request.POST:
            settings.remove(member)
        elif not form.is_valid():
            return people_page(request, group, first_error(form))
        else:
            settings.change_role(member, form.cleaned_data["role"])
    except GroupRefused as refusal:
        return people_page(request, group, str(refusal))
    return redirect("people", group.code)


@require_POST
@belonging
def leave(request: Request, group: Playgroup) -> HttpResponse:
    """Let the visitor be no member any more; who is none by name has nothing to leave."""
    member = group.memberships.filter(user=request.user.pk).first()
    try:
        if member:
            settings.leave(member)
    except GroupRefused as refusal:
        return people_page(request, group, str(refusal))
    return redirect("groups")
