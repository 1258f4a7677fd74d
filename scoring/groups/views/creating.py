"""The list of playgroups, and creating and importing playgroups."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.keys import code_for
from coalition_site.lib.limits import limited
from coalition_site.lib.requests import Request
from coalition_site.lib.untrusted import MalformedDocument

from .. import playgroups, queries
from ..forms.importing import NOT_A_GROUP, TOO_MUCH, WOULD_WAIT, ImportForm
from ..forms.owners import CreateForm
from ..import_limits import SECONDS, AnotherIsImporting, TookTooLong, import_alone
from ..importing import import_group
from ..pages.owners import GroupsPage

RETRY_AFTER = 10  # seconds; an import takes a few


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
    """Create a playgroup of the visitor's from an exported file."""
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
            group = import_group(form.cleaned_data["file"], owner, within=SECONDS)
        except MalformedDocument as error:
            form.add_error("file", f"{NOT_A_GROUP}: {error}. Nothing was stored.")
        except TookTooLong:
            form.add_error("file", f"{WOULD_WAIT} {TOO_MUCH}")
        else:
            return redirect("board", group.code)
    return _page(request, form)


def _busy(request: Request) -> HttpResponse:
    context = {
        "title": "Another playgroup is being imported",
        "what_to_do": "Nothing was changed. Try again in ten seconds.",
    }
    response = render(request, "problem.html", context, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _page(request: Request, form: Form) -> HttpResponse:
    own = queries.groups_of(request.user.pk) if request.user.is_authenticated else []
    return GroupsPage(
        form=form,
        fields=CreateForm(form.data or None),
        groups=own,
        public=[group for group in queries.public_groups() if group not in own],
    ).respond(request, status=422 if form.errors else 200)
