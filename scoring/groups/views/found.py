"""The playgroups of an account, and making one."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.requests import Request

from ...rules.form import MalformedLog
from .. import archive, commands, queries
from ..forms import GroupForm, ImportForm


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
    return _page(request, form)


@require_POST
@login_required
def bring(request: Request) -> HttpResponse:
    """Make a playgroup of the visitor's from a document that another one was written to."""
    form = ImportForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            group = archive.read(form.cleaned_data["file"], request.user)
        except MalformedLog as error:
            form.add_error("file", f"{error}. Nothing was stored.")
        else:
            return redirect("board", group.code)
    return _page(request, form)


def _page(request: Request, form: Form) -> HttpResponse:
    context = {
        "form": form,
        "fields": GroupForm(form.data or None),
        "groups": queries.groups_of(request.user.pk),
    }
    status = 422 if form.errors else 200
    return render(request, "groups/groups.html", context, status=status)
