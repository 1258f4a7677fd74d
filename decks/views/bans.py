"""The public page of the ban lists: a list on any day, and its history."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from .. import access
from ..bans import page
from ..bans.commands import day
from ..bans.page import DayOfChanges, PageEntry
from ..models import NAME_MAX, BanList
from ..rules.names import name_key


class BansForm(forms.Form):
    """Which list to show, on which day, and a part of a card's name."""

    list = forms.CharField(required=False)
    on = forms.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": "That is not a day. Write it like 2026-03-09."},
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


class FormContext(TypedDict):
    """What the form on ``bans.html`` needs."""

    lists: Sequence[BanList]
    typed: dict[str, str]
    is_bad_day: bool
    problems: Sequence[str]


class ListContext(TypedDict):
    """What ``bans.html`` shows of a list; ``day`` puts a date into words."""

    ban_list: BanList
    on: datetime.date
    day: Callable[[datetime.date], str]
    count: str
    cards: Sequence[PageEntry]
    groups: Sequence[PageEntry]
    gone: Sequence[PageEntry]
    banned_in_groups: Sequence[tuple[str, str]]
    ruled: Sequence[tuple[str, Sequence[str]]]
    changes: Sequence[DayOfChanges]


@require_safe
def bans(request: HttpRequest) -> HttpResponse:
    """Show a ban list on a day, and its changes."""
    all_lists = BanList.objects.select_related("base", "group")
    lists = {
        ban_list.key: ban_list for ban_list in all_lists if access.may_see_list(request, ban_list)
    }
    form = BansForm(request.GET, dict(sorted(lists.items(), key=_format_first)))
    context: FormContext = {
        "lists": _offered(request, form),
        "typed": {name: request.GET.get(name, "") for name in form.fields},
        "is_bad_day": "on" in form.errors,  # a browser's date field would not show it
        "problems": [str(error) for errors in form.errors.values() for error in errors],
    }
    if not form.is_valid():
        return render(request, "decks/bans.html", context, status=422)
    list_context = _list_context(**form.cleaned_data)
    response = render(request, "decks/bans.html", {**context, **list_context})
    # The middleware reads this to decide whether search engines may index the page.
    response.is_listed = access.is_listed(form.cleaned_data["list"])  # type: ignore[attr-defined]
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


def _list_context(list: BanList, on: datetime.date | None, q: str) -> ListContext:
    today = timezone.localdate()
    on, key = on or today, name_key(q)
    history = page.history(list)
    entries = page.page_entries(list, history, on)
    matching = [entry for entry in entries if entry.is_called(key)]
    return {
        "ban_list": list,
        "on": on,
        "day": day,
        "count": page.count(entry.entry for entry in entries if entry.entry),
        "cards": [entry for entry in matching if entry.entry and entry.entry.card],
        "groups": [entry for entry in matching if entry.entry and entry.entry.rule],
        "gone": [entry for entry in matching if not entry.entry] if q else [],
        "banned_in_groups": page.banned_in_groups(q, history, on) if key else [],
        "ruled": page.banned_by_rules(list, on, key),
        "changes": page.changes(history, today),
    }
