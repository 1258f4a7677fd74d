"""The public page of the ban lists: a list on any day, and its history."""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any

from django import forms
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from coalition_site.lib.forms import DayField

from .. import access, queries
from ..catalogue import memory
from ..models import NAME_MAX, BanEntry, BanList, Card, Legality, Status, name_of
from ..queries import RULE_FIELDS
from ..rules.names import name_key
from ..rules.rulesets import LEVELER, RULESETS
from . import history
from .commands import EntryContent, content_of

NEW = timedelta(days=30)
IN_GROUPS_MAX = 20  # cards listed as banned with a group


class BansForm(forms.Form):
    on = DayField("The day", required=False)
    q = forms.CharField(required=False, max_length=NAME_MAX)
    beside = DayField("The day to compare with", required=False)


@require_safe
@cache_control(private=True, no_cache=True)  # editors see more
def bans(request: HttpRequest) -> HttpResponse:
    visible = BanList.objects.select_related("base", "group")
    lists = [one for one in visible if access.may_see_list(request, one)]
    lists.sort(key=lambda one: (one.format, one.base_id is not None, one.name))
    key, form = request.GET.get("list", "").strip(), BansForm(request.GET)
    # Coalition's list is the first.
    ban_list = next((one for one in lists if one.key == key or not key), None)
    problems = [] if ban_list else ["There is no such ban list. Choose another."]
    problems += [str(error) for errors in form.errors.values() for error in errors]
    # An unlisted playgroup's list is offered only if it is requested.
    offered = [one for one in lists if one.key == key or access.may_find_list(request, one)]
    shown: dict[str, Any] = {
        "today": timezone.localdate(),
        "lists": [(one.key, one.name) for one in offered],
        "typed": {name: request.GET.get(name, "") for name in ("list", "on", "q", "beside")},
        "is_bad_day": "on" in form.errors,  # a browser's date field would not show it
        "problem": " ".join(problems),
    }
    if problems or not ban_list:
        return render(request, "decks/bans.html", shown, status=422)
    today = timezone.localdate()
    query, on = form.cleaned_data["q"], form.cleaned_data["on"] or today
    shown |= _list_on(ban_list, on, query, form.cleaned_data["beside"])
    if not query and on == today:
        recent = [one for one in shown["days"] if one.row.on > today - NEW]
        # The first list of all is nothing that is new.
        news = [one for one in recent if one.is_planned or not one.is_first]
        shown["news"] = sorted(news, key=lambda one: (not one.is_planned, abs(one.row.on - today)))
    if access.may_edit_list(request, ban_list):
        shown |= {"may_edit": True, "drafts": ban_list.announcements.filter(published_at=None)}
    response = render(request, "decks/bans.html", shown)
    # The middleware reads this to decide whether search engines may index the page.
    response.is_listed = access.is_listed(ban_list)  # type: ignore[attr-defined]
    return response


def _list_on(ban_list: BanList, on: date, query: str, beside: date | None) -> dict[str, Any]:
    key, entries = name_key(query), history.entries_of(ban_list.lists)
    every = history.listed(entries, on)
    rows = [row for row in every if any(key in name_key(name) for name in (row.name, *row.cards))]
    cards = [row for row in rows if row.entry and not row.entry.rule]
    groups = [row for row in rows if row.entry and row.entry.rule]
    gone = [row for row in rows if not row.entry] if query else []
    in_groups = _banned_in_groups(key, entries, on) if key else []
    ruled = _banned_by_rules(ban_list, on, key)
    announced = [one for of in (ban_list, ban_list.base) if of for one in history.announcements(of)]
    shown = {row.name for row in (*cards, *gone)} | {name for name, _ in in_groups}
    shown |= {name for _, names in ruled for name in names}
    asked: dict[str, Any] = {}
    if query and not ban_list.is_by_name and key not in map(name_key, shown):
        # The page doesn't show the card with exactly this name, or there is no such card.
        catalogue = memory.CATALOGUE.now()
        if card := catalogue.find([query]).get(query):
            standing = history.standing(card, ban_list, entries, on, {})
            asked = {"name": card.name, "standing": standing}
        elif not (shown or groups) and (closest := catalogue.closest([query])[query]):
            asked = {"name": query, "closest": closest}
    return {
        "ban_list": ban_list,
        "on": on,
        "about": next(one.about for one in RULESETS.values() if one.format == ban_list.format),
        "count": _count([row.entry for row in every if row.entry]),
        "cards": cards,
        "groups": groups,
        "gone": gone,
        "banned_in_groups": in_groups,
        "ruled": ruled,
        "cards_on": memory.CATALOGUE.now().as_of if ruled else None,
        "beside": beside,
        "differences": _side_by_side(entries, on, beside) if beside else (),
        "days": sorted(announced, key=lambda one: one.row.on, reverse=True),
        "asked": asked,
    }


def _side_by_side(
    entries: Iterable[BanEntry], *days: date
) -> list[tuple[str, EntryContent | None, EntryContent | None]]:
    one, other = (
        {
            row.entry.subject: content_of(row.entry)
            for row in history.listed(entries, day)
            if row.entry
        }
        for day in days
    )
    differing = {content.subject for content in {*one.values()} ^ {*other.values()}}
    rows = [(name_of(subject), one.get(subject), other.get(subject)) for subject in differing]
    return sorted(rows, key=lambda row: name_key(row[0]))


def _banned_in_groups(key: str, entries: Iterable[BanEntry], on: date) -> list[tuple[str, str]]:
    """Whoever looks for a card that only a group bans must not think it legal. One query."""
    in_force = [entry for entry in entries if history.is_in_force(entry, on)]
    rules = {
        RULE_FIELDS[entry.rule]: entry.name
        for entry in in_force
        if entry.status == Status.BANNED and entry.rule in RULE_FIELDS
    }
    if not rules:
        return []
    has_field = Q(*((field, True) for field in rules), _connector=Q.OR)
    found = []
    for card in Card.objects.filter(has_field, key__contains=key).order_by("key"):
        # A card's own entry takes precedence over its group, and a house's over its base list's.
        covering = [entry for entry in in_force if history.covers(entry, card)]
        deciding = history.deciding(covering, on)
        if deciding and deciding.rule and deciding.status == Status.BANNED:
            labels = (label for field, label in rules.items() if getattr(card, field))
            found.append((card.name, ", ".join(labels)))
        if len(found) == IN_GROUPS_MAX:
            break
    return found


def _banned_by_rules(ban_list: BanList, on: date, key: str) -> list[tuple[str, list[str]]]:
    """Return the cards that Leveler bans without any entry, by the rule; Legacy's are today's."""
    if ban_list.format != LEVELER.format:
        return []
    is_banned = Q(legacy=Legality.BANNED) | Q(name__in=LEVELER.banned)
    cards = list(Card.objects.filter(is_banned))
    bans = queries.bans(cards, queries.read_bans(ban_list, on))
    listed = bans.allowed.union(bans.banned)
    in_legacy = {card.name for card in cards} - LEVELER.banned
    parts = (
        ("Banned in Leveler", LEVELER.banned - listed),
        ("Banned in Legacy, and so in Leveler too", in_legacy - listed),
    )
    asked = ((title, [one for one in names if key in name_key(one)]) for title, names in parts)
    return [(title, sorted(names, key=name_key)) for title, names in asked if names]


def _count(entries: Collection[BanEntry]) -> str:
    if not entries:
        return "nothing"
    statuses = [entry.status for entry in entries if not entry.rule]
    by_status = [f"{statuses.count(name)} {name}" for name in Status.values if name in statuses]
    words = f"{len(statuses)} card{'s' * (len(statuses) != 1)}"
    words += f" ({', '.join(by_status)})" if by_status else ""
    if groups := len(entries) - len(statuses):
        words += f" and {groups} group{'s' * (groups != 1)} of cards"
    return words
