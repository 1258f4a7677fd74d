"""The playgroups of an account, and making one."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from coalition_site.requests import Request

from .. import commands, queries
from ..forms import GroupForm


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def groups(request: Request) -> HttpResponse:
    """Show the visitor's playgroups, and make another."""
    form = GroupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        group = commands.found(
            said["name"],
            request.user,
            visibility=said["visibility"],
            ruleset=said["ruleset"],
            zone=timezone.get_current_timezone_name(),
        )
        return redirect("board", group.code)
    context = {"form": form, "groups": queries.groups_of(request.user.pk)}
    status = 422 if form.errors else 200
    return render(request, "groups/groups.html", context, status=status)
