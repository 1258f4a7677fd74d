"""The list of playgroups, and creating and importing playgroups."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from coalition_site.lib.forms import Tap
from coalition_site.lib.keys import code_for
from coalition_site.lib.limits import limited
from coalition_site.lib.problems import problem
from coalition_site.lib.requests import Request
from coalition_site.lib.texts import by_name
from coalition_site.lib.untrusted import MalformedDocument, TooManyValues, load

from ...models import Import, Playgroup
from ...models.people import Visibility
from ...record.errors import GroupRefused
from .. import queries
from ..data import import_jobs
from ..data.exporting import is_results_csv
from ..data.import_jobs import NOT_A_GROUP, VALUES_MAX
from ..data.importing import read_fields
from ..fields import NameField
from . import commands as settings

PUBLIC_MAX = 50
FILE_MAX = 3_000_000  # bytes
TOO_MUCH = (
    "Leave sets out of the file, or let whoever runs this site import it whole by the command "
    "import_group."
)
RETRY_AFTER = 10  # seconds; reading a file takes less than one
_importing = Lock()  # on SQLite, where one process serves all


class CreateForm(Tap):
    # All else has defaults, which the settings change.
    name = NameField("Give the playgroup a name.")


class ImportForm(forms.Form):
    file = forms.FileField(error_messages={"required": "Choose the exported file."})

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if file.size > FILE_MAX:
            raise ValidationError(
                f"This file is too large: {FILE_MAX // 1_000_000} MB at most. {TOO_MUCH}"
            )
        data: bytes = file.read()
        try:
            read_fields(load(data, values=VALUES_MAX))
        except MalformedDocument as error:
            reason = f"{NOT_A_GROUP}: {error}. Choose the .json file."
            if isinstance(error, TooManyValues):
                reason = f"This playgroup has more than {VALUES_MAX:,} values. {TOO_MUCH}"
            elif is_results_csv(data):
                reason = "This is the results table (CSV). Choose the .json file."
            raise ValidationError(reason) from error
        return data.decode("utf-8-sig")


@require_http_methods(["GET", "HEAD", "POST"])
@limited("found")
def groups(request: Request) -> HttpResponse:
    if request.method != "POST":
        return _page(request, CreateForm())
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    form = CreateForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    name = form.cleaned_data["name"]
    group = settings.create_playgroup(
        name,
        request.user,
        zone=timezone.get_current_timezone_name(),
        code=code_for(form.cleaned_data["tap_id"], name, str(request.user.pk)),
    )
    return redirect("board", group.code)


@require_POST
@limited("import")
def import_file(request: Request) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("groups"))  # the page that has the form
    with _reading_alone() as is_alone:
        if not is_alone:
            what_to_do = "Nothing was changed. Try again in ten seconds."
            response = problem(request, 503, "Another playgroup is being imported", what_to_do)
            response.headers["Retry-After"] = str(RETRY_AFTER)
            return response
        form = ImportForm(request.POST, request.FILES)
        if form.is_valid():
            try:
                row = import_jobs.queue(request.user, form.cleaned_data["file"])
                return redirect("import", row.pk)
            except GroupRefused as error:
                form.add_error("file", str(error))
        return _page(request, form)


@contextmanager
def _reading_alone() -> Iterator[bool]:
    """Let one page at a time read a file, since each takes memory: of all, or of this process."""
    # Yield at once whether it may.
    if connection.vendor == "postgresql":
        # The lock ends with the transaction, so that a broken connection leaves none behind.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('import_group'))")
            yield cursor.fetchone()[0]
        return
    is_alone = _importing.acquire(blocking=False)
    try:
        yield is_alone
    finally:
        if is_alone:
            _importing.release()


@require_safe
@never_cache
def progress(request: Request, pk: int) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    row = get_object_or_404(Import.objects.defer("document"), owner=request.user, pk=pk)
    if request.htmx and not row.is_open:
        return HttpResponseClientRedirect(request.path)
    if row.state == Import.State.DONE and row.playgroup:
        return redirect("board", row.playgroup.code)
    return render(request, "groups/import.html", {"row": row, "problem": row.outcome})


def _page(request: Request, form: forms.Form) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    own = queries.groups_of(user.pk) if user else []
    public = Playgroup.objects.filter(visibility=Visibility.PUBLIC).order_by("name")[:PUBLIC_MAX]
    context = {
        "form": form,
        "fields": CreateForm(form.data or None),
        "groups": own,
        "public": [group for group in by_name(public) if group not in own],
        "importing": import_jobs.latest(user) if user else None,
    }
    return render(request, "groups/groups.html", context, status=422 if form.errors else 200)
