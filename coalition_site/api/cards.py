"""Ban lists, and verdicts on cards."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from decks import access
from decks.bans import history
from decks.bans.history import DayAnnounced
from decks.decks import legality, verdicts
from decks.models import NAME_MAX, BanList
from decks.rules.rulesets import COALITION_906, OF_CARDS
from scoring.groups.data.serializing import Json, fields

from .door import WITH_TOKEN, Problem, day, or_404, page, wrong

CARDS_MAX = 100  # verdicts at a time
UNSEEN = f"There is no ban list here that you can see. If it is a private playgroup’s, {WITH_TOKEN}"
ALL_LISTS = BanList.objects.select_related("base", "group")


def ban_lists(request: HttpRequest) -> Json:
    ordered = ALL_LISTS.order_by("format", "base", "name", "pk")
    visible = (one for one in ordered if access.may_find_list(request, one))
    return page(request, visible, lambda ban_list: _list(request, ban_list))


def _list(request: HttpRequest, ban_list: BanList) -> Json:
    group = getattr(ban_list, "group", None)  # a format's list has no playgroup
    return fields(ban_list, "key", "name", "format") | {
        "base": ban_list.base and ban_list.base.key,
        "playgroup": group and group.code,
        "url": request.build_absolute_uri(f"{reverse('bans')}?list={ban_list.key}"),
    }


def _visible_list(request: HttpRequest, key: str) -> BanList:
    ban_list = ALL_LISTS.filter(key=key).first()
    return or_404(ban_list if ban_list and access.may_see_list(request, ban_list) else None, UNSEEN)


def ban_list(request: HttpRequest, key: str) -> Json:
    chosen = _visible_list(request, key)
    on = day(request, "on") or timezone.localdate()
    entries = [
        fields(row, "name", "cards")
        | {"is_house": bool(row.entry.ban_list.base_id)}
        | fields(row.entry, "status", "reason", since="starts_on", until="ends_on")
        | {"is_group": bool(row.entry.rule)}
        for row in history.listed(history.entries_of(chosen.lists), on)
        if row.entry
    ]
    return _list(request, chosen) | {"on": on, "entries": entries}


def announcements(request: HttpRequest, key: str) -> Json:
    def written(of_day: DayAnnounced) -> Json:
        changes = [
            fields(change, "name", "status", "reason", "cards")
            | {"is_group": not change.is_card, "was": change.was or None}
            for change in of_day.changes
        ]
        url = request.build_absolute_uri(of_day.address)
        return fields(of_day.row, "on", "title", "text") | {"changes": changes, "url": url}

    return page(request, history.announcements(_visible_list(request, key)), written)


def card_verdicts(request: HttpRequest) -> Json:
    names = request.GET.getlist("card")
    if not names:
        raise wrong("card", "Field required")
    if len(names) > CARDS_MAX:
        raise wrong("card", f"List should have at most {CARDS_MAX} items")
    if any(len(name) > NAME_MAX for name in names):
        raise wrong("card", f"String should have at most {NAME_MAX} characters")
    key = request.GET.get("ruleset", COALITION_906.key)
    if key not in OF_CARDS:
        known = ", ".join(OF_CARDS)
        raise wrong("ruleset", f"there are no deck rules with this name. Use {known}")
    rules, on = OF_CARDS[key], day(request, "on") or timezone.localdate()
    chosen = _visible_list(request, request.GET.get("ban_list") or rules.format)
    if chosen.format != rules.format:
        raise Problem(422, f"The ban list {chosen.key} is not one for {rules.full_name}.")
    bans = legality.read_bans(rules, on, chosen if chosen.base_id else None)
    judged = [
        fields(one, "asked", "hero_only", "watched", "closest")
        | {
            "card": one.card and one.card.name,
            "verdict": "unknown" if one.card is None else "illegal" if one.problems else "legal",
            "reasons": [fields(problem, "code", "message") for problem in one.problems],
        }
        for one in verdicts.verdicts(names, rules, bans)
    ]
    return {"ruleset": rules.key, "ban_list": chosen.key, "on": on, "cards": judged}
