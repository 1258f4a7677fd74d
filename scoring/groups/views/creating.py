"""The list of playgroups, and creating and importing playgroups."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from coalition_site.lib.keys import code_for
from coalition_site.lib.limits import limited
from coalition_site.lib.requests import Request

from ...models import Import
from ...play.errors import GroupRefused
from .. import import_jobs, playgroups, queries
from ..forms.importing import ImportForm
from ..forms.owners import CreateForm
from ..import_limits import AnotherIsImporting, import_alone

RETRY_AFTER = 10  # seconds; reading a file takes less than one


@require_http_methods(["GET", "HEAD", "POST"])
@limited("found")
def groups(request: Request) -> HttpResponse:
    """Show the visitor's playgroups and the public ones, and create another."""
    if request.method != "POST":
        return _page(request, CreateForm())
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    form = CreateForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    data = form.cleaned_data
    name, visibility, ruleset = data["name"], data["visibility"], data["ruleset"]
    group = playgroups.create_playgroup(
        name,
        request.user,
        visibility=visibility,
        ruleset=ruleset,
        zone=timezone.get_current_timezone_name(),
        code=code_for(data["tap_id"], name, visibility, ruleset, str(request.user.pk)),
    )
    return redirect("board", group.code)


@require_POST
@limited("import")
def import_file(request: Request) -> HttpResponse:
    """Queue an exported file, of which a playgroup of the visitor's is made."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("groups"))  # the page that has the form
    try:
        with import_alone():
            return _import(request, request.user)
    except AnotherIsImporting:
        return _busy(request)


def _import(request: Request, owner: User) -> HttpResponse:
    form = ImportForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            return redirect("import", import_jobs.queue(owner, form.cleaned_data["file"]).pk)
        except GroupRefused as error:
            form.add_error("file", str(error))
    return _page(request, form)


@require_safe
@never_cache
def progress(request: Request, pk: int) -> HttpResponse:
    """Show how far an import of the visitor's is; once it is done, its playgroup."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    row = get_object_or_404(Import.objects.defer("document"), owner=request.user, pk=pk)
    if row.is_open:
        return render(request, "groups/import.html", {"row": row})
    if request.htmx:
        return HttpResponseClientRedirect(request.path)
    if row.playgroup and row.state == Import.State.DONE:
        return redirect("board", row.playgroup.code)
    return render(request, "groups/import.html", {"row": row, "problem": row.outcome})


def _busy(request: Request) -> HttpResponse:
    context = {
        "title": "Another playgroup is being imported",
        "what_to_do": "Nothing was changed. Try again in ten seconds.",
    }
    response = render(request, "problem.html", context, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _page(request: Request, form: Form) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    own = queries.groups_of(user.pk) if user else []
    context = {
        "form": form,
        "fields": CreateForm(form.data or None),
        "groups": own,
        "public": [group for group in queries.public_groups() if group not in own],
        "importing": import_jobs.latest(user) if user else None,
    }
    return render(request, "groups/groups.html", context, status=422 if form.errors else 200)
