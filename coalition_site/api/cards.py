"""Ban lists, and verdicts on cards."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from decks import access
from decks.bans import announced, history
from decks.bans import page as lists
from decks.bans.announced import DayAnnounced
from decks.checking import legality, verdicts
from decks.checking.verdicts import Verdict
from decks.models import NAME_MAX, BanList
from decks.rules.rulesets import COALITION_906, OF_CARDS

from .asked import day, fields, page, wrong
from .door import Json, Problem

CARDS_MAX = 100  # verdicts at a time
UNSEEN = (
    "There is no ban list here that you can see. If it is a private playgroup’s, send the token "
    "of an account that belongs to it."
)
ALL_LISTS = BanList.objects.select_related("base", "group")


def ban_lists(request: HttpRequest) -> Json:
    """Send the formats' ban lists, those of public playgroups, and of the token's account."""
    ordered = ALL_LISTS.order_by("format", "base", "name", "pk")
    found = (one for one in ordered if access.may_find_list(request, one))
    return page(request, found, lambda ban_list: _list(request, ban_list))


def _list(request: HttpRequest, ban_list: BanList) -> Json:
    group = getattr(ban_list, "group", None)  # a format's list has no playgroup
    return fields(ban_list, "key", "name", "format") | {
        "base": ban_list.base.key if ban_list.base else None,
        "playgroup": group.code if group else None,
        "url": request.build_absolute_uri(f"{reverse('bans')}?list={ban_list.key}"),
    }


def _visible_list(request: HttpRequest, key: str) -> BanList:
    ban_list = ALL_LISTS.filter(key=key).first()
    if ban_list is None or not access.may_see_list(request, ban_list):
        raise Problem(404, UNSEEN)
    return ban_list


def ban_list(request: HttpRequest, key: str) -> Json:
    """Send a ban list on a day; a playgroup's has the entries of the list that it adds to."""
    chosen = _visible_list(request, key)
    on = day(request, "on") or timezone.localdate()
    entries = [
        {
            **fields(row, "name", "cards", "is_house"),
            **fields(row.entry, "status", "reason"),
            "is_group": bool(row.entry.rule),
            "since": row.entry.starts_on,
            "until": row.entry.ends_on,
        }
        for row in lists.page_entries(chosen, history.history(chosen), on)
        if row.entry
    ]
    return _list(request, chosen) | {"on": on, "entries": entries}


def announcements(request: HttpRequest, key: str) -> Json:
    """Send what was announced of a ban list, the latest day first, planned changes too."""
    every = announced.announcements(_visible_list(request, key))
    return page(request, every, lambda of_day: _announcement(request, of_day))


def _announcement(request: HttpRequest, of_day: DayAnnounced) -> Json:
    return fields(of_day, "on", "title", "text") | {
        "changes": [
            {
                **fields(change, "name", "status", "reason", "cards"),
                "is_group": not change.is_card,
                "was": change.was or None,
            }
            for change in of_day.changes
        ],
        "url": request.build_absolute_uri(of_day.address),
    }


def card_verdicts(request: HttpRequest) -> Json:
    """Send whether cards may be in a deck, by a ruleset and a ban list, each card for itself."""
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
    judged = [_verdict(verdict) for verdict in verdicts.verdicts(names, rules, bans)]
    return {"ruleset": rules.key, "ban_list": chosen.key, "on": on, "cards": judged}


def _verdict(verdict: Verdict) -> Json:
    card, problems = verdict.card, verdict.problems
    return fields(verdict, "asked", "hero_only", "watched", "closest") | {
        "card": card.name if card else None,
        "verdict": "unknown" if card is None else "illegal" if problems else "legal",
        "reasons": [fields(problem, "code", "message") for problem in problems],
    }
