"""The public page of the ban lists: any day's list, and how it came to be."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from .. import access
from ..bans import page
from ..bans.commands import day
from ..models import NAME_MAX, BanList
from ..rules.names import name_key


class Asked(forms.Form):
    """Which list, as on which day, and a part of a name."""

    list = forms.CharField(required=False)
    on = forms.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": "That is no day: a day is written as 2026-03-09."},
    )
    q = forms.CharField(required=False, max_length=NAME_MAX)

    def __init__(self, data: Any, lists: dict[str, BanList]) -> None:
        super().__init__(data)
        self.lists = lists

    def clean_list(self) -> BanList:
        """The first of the lists if none is asked for: Coalition's."""
        key = self.cleaned_data["list"] or next(iter(self.lists), "")
        if key not in self.lists:
            raise forms.ValidationError("There is no such list.")
        return self.lists[key]


@require_safe
def bans(request: HttpRequest) -> HttpResponse:
    """Show a ban list as it is on a day, with what changed."""
    found = BanList.objects.select_related("base", "group").order_by("format")
    lists = {one.key: one for one in found if access.may_see_list(request, one)}
    form = Asked(request.GET, dict(sorted(lists.items(), key=_format_first)))
    context: dict[str, Any] = {
        "lists": _offered(request, form),
        "said": {name: request.GET.get(name, "") for name in form.fields},
        "bad_day": "on" in form.errors,  # a browser's field takes no other text than a day
        "problems": [problem for found in form.errors.values() for problem in found],
    }
    if not form.is_valid():
        return render(request, "decks/bans.html", context, status=422)
    response = render(request, "decks/bans.html", context | _page(**form.cleaned_data))
    response.is_listed = access.is_listed(form.cleaned_data["list"])
    return response


def _offered(request: HttpRequest, form: Asked) -> list[BanList]:
    """Return the lists to choose from, with an unlisted playgroup's own if it is asked for."""
    asked = request.GET.get("list")
    return [
        one for one in form.lists.values() if one.key == asked or access.may_find_list(request, one)
    ]


def _format_first(item: tuple[str, BanList]) -> tuple[str, bool, str]:
    """Order lists by format, the format's own before its houses."""
    return item[1].format, item[1].base_id is not None, item[1].name


def _page(list: BanList, on: Any, q: str) -> dict[str, Any]:
    today = timezone.localdate()
    on = on or today
    entries = page.history(list)
    all_shown = page.shown(list, entries, on)
    known = [one for one in all_shown if one.is_called(name_key(q))]
    shown = [one for one in known if one.entry]
    return {
        "ban_list": list,
        "on": on,
        "day": day,
        "count": page.count(one.entry for one in all_shown if one.entry),
        "cards": [one for one in shown if one.entry.card],
        "groups": [one for one in shown if one.entry.rule],
        "gone": [one for one in known if not one.entry] if q else [],
        "meant": page.meant(q, entries, on) if name_key(q) else [],
        "ruled": page.banned_by_rules(list, on, name_key(q)),
        "changes": page.changes(entries, today),
    }
