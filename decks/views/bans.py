"""The public page of the ban lists: a list on any day, and its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from .. import access
from ..bans.asked import asked
from ..bans.page import BansPage, history
from ..models import NAME_MAX, BanList
from ..rules.names import name_key


class BansForm(forms.Form):
    """Which list to show, on which day, and a part of a card's name."""

    list = forms.CharField(required=False)
    on = forms.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": "That is not a date. Write it like 2026-03-09."},
    )
    q = forms.CharField(required=False, max_length=NAME_MAX)

    def __init__(self, data: Any, lists: dict[str, BanList]) -> None:
        super().__init__(data)
        self.lists = lists

    def clean_list(self) -> BanList:
        """Return the requested list, or the first, which is Coalition's."""
        key = self.cleaned_data["list"] or next(iter(self.lists), "")
        if key not in self.lists:
            raise forms.ValidationError("There is no such ban list. Choose another.")
        return self.lists[key]


@require_safe
def bans(request: HttpRequest) -> HttpResponse:
    """Show a ban list on a day, and its changes."""
    all_lists = BanList.objects.select_related("base", "group")
    lists = {
        ban_list.key: ban_list for ban_list in all_lists if access.may_see_list(request, ban_list)
    }
    form = BansForm(request.GET, dict(sorted(lists.items(), key=_format_first)))
    page = BansPage(
        lists=_offered(request, form),
        typed={name: request.GET.get(name, "") for name in form.fields},
        is_bad_day="on" in form.errors,  # a browser's date field would not show it
        problems=[str(error) for errors in form.errors.values() for error in errors],
    )
    if not form.is_valid():
        return page.respond(request, status=422)
    ban_list = form.cleaned_data["list"]
    on, query = form.cleaned_data["on"] or timezone.localdate(), form.cleaned_data["q"]
    entries = history(ban_list)
    page.show(ban_list, on, query, entries)
    if query and not ban_list.is_by_name and not page.names(name_key(query)):
        page.asked = asked(query, ban_list, entries, on, suggests=page.is_empty)
    response = page.respond(request)
    # The middleware reads this to decide whether search engines may index the page.
    response.is_listed = access.is_listed(ban_list)  # type: ignore[attr-defined]
    return response


def _offered(request: HttpRequest, form: BansForm) -> Sequence[BanList]:
    """Return the lists to choose from; an unlisted playgroup's only if it is requested."""
    requested = request.GET.get("list")
    return [
        ban_list
        for ban_list in form.lists.values()
        if ban_list.key == requested or access.may_find_list(request, ban_list)
    ]


def _format_first(item: tuple[str, BanList]) -> tuple[str, bool, str]:
    """Return a sort key: by format, the format's own list before its house lists."""
    return item[1].format, item[1].base_id is not None, item[1].name
