"""The public page of the ban lists: a list on any day, and its history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from coalition_site.lib.dates import day

from .. import access
from ..bans import page
from ..bans.history import NOT_LEGAL, Standing, history, standing
from ..catalogue import memory
from ..models import NAME_MAX, BanEntry, BanList
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
    shown: dict[str, Any] = {
        "lists": _offered(request, form),
        "typed": {name: request.GET.get(name, "") for name in form.fields},
        "is_bad_day": "on" in form.errors,  # a browser's date field would not show it
        "problems": [str(error) for errors in form.errors.values() for error in errors],
        "day": day,
    }
    if not form.is_valid():
        return render(request, "decks/bans.html", shown, status=422)
    ban_list, query = form.cleaned_data["list"], form.cleaned_data["q"]
    on = form.cleaned_data["on"] or timezone.localdate()
    entries = history(ban_list)
    shown |= _list_on(ban_list, on, query, entries)
    if query and not ban_list.is_by_name:
        shown["asked"] = _asked(query, ban_list, entries, on, shown)
    response = render(request, "decks/bans.html", shown)
    # The middleware reads this to decide whether search engines may index the page.
    response.is_listed = access.is_listed(ban_list)  # type: ignore[attr-defined]
    return response


def _list_on(
    ban_list: BanList, on: date, query: str, entries: Sequence[BanEntry]
) -> dict[str, Any]:
    """Return what the page shows of a list; ``query`` is a part of a card's name."""
    key = name_key(query)
    every = page.page_entries(ban_list, entries, on)
    rows = [row for row in every if row.is_called(key)]
    return {
        "ban_list": ban_list,
        "on": on,
        "about": next(rules.about for rules in page.rulesets(ban_list)),
        "count": page.count(row.entry for row in every if row.entry),
        "cards": [row for row in rows if row.entry and not row.entry.rule],
        "groups": [row for row in rows if row.entry and row.entry.rule],
        "gone": [row for row in rows if not row.entry] if query else [],
        "banned_in_groups": page.banned_in_groups(query, entries, on) if key else [],
        "ruled": page.banned_by_rules(ban_list, on, key),
        "changes": page.changes(entries, timezone.localdate()),
    }


def _asked(
    query: str,
    ban_list: BanList,
    entries: Sequence[BanEntry],
    on: date,
    shown: Mapping[str, Any],
) -> dict[str, Any] | None:
    """Return what a list says of a card with exactly this name, if the page doesn't show it yet.

    An unknown name gets the closest, if nothing else is shown. Three queries at most.
    """
    names = [row.name for row in (*shown["cards"], *shown["gone"])]
    names += [name for name, _ in shown["banned_in_groups"]]
    names += [name for _, ruled in shown["ruled"] for name in ruled]
    if name_key(query) in map(name_key, names):
        return None
    catalogue = memory.CATALOGUE.now()
    card = catalogue.find([query]).get(query)
    if card:
        found = standing(card, ban_list, entries, on)
        return {"name": card.name, "standing": found, "words": _words(found)}
    closest = [] if names or shown["groups"] else catalogue.closest([query])[query]
    words = f"No card is called {query}."
    return {"name": query, "closest": closest, "words": words} if closest else None


def _words(found: Standing) -> str:
    """Return what a list says of a card, behind the card's name."""
    if found.status == NOT_LEGAL:
        return "not legal. It is not in the card pool."
    if found.since:
        return f"{found.status} since {day(found.since)}."
    return f"{found.status}. This list has never said anything about it."


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
