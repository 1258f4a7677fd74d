"""Ban lists, and verdicts on cards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from ninja import Query, Router

from decks import access
from decks.bans import announced, history
from decks.bans import page as lists
from decks.bans.announced import Change, DayAnnounced
from decks.checking import legality, verdicts
from decks.checking.verdicts import Verdict
from decks.models import NAME_MAX, BanEntry, BanList
from decks.rules.rulesets import COALITION_906, OF_CARDS, DeckRuleset

from . import shapes
from .paging import PageNumber, page_of
from .problems import Problem

router = Router(tags=["Cards"])

CARDS_MAX = 100  # verdicts at a time
UNSEEN = (
    "There is no ban list here that you can see. If it is a private playgroup’s, send the token "
    "of an account that belongs to it."
)
ON = "A day like 2026-03-09; without it, today."
Day = Annotated[date | None, Query(description=ON)]
CardName = Annotated[str, Query(max_length=NAME_MAX)]


def _all_lists() -> QuerySet[BanList]:
    return BanList.objects.select_related("base", "group")


@router.get("/ban-lists", response=shapes.Listed[shapes.BanList], url_name="api_ban_lists")
def ban_lists(request: HttpRequest, number: PageNumber = 1) -> dict[str, Any]:
    """The formats’ ban lists, those of public playgroups, and of the token’s account."""
    return page_of(request, _found(request), number, lambda ban_list: _list(request, ban_list))


def _found(request: HttpRequest) -> Iterator[BanList]:
    for ban_list in _all_lists().order_by("format", "base", "name", "pk"):
        if access.may_find_list(request, ban_list):
            yield ban_list


def _list(request: HttpRequest, ban_list: BanList) -> dict[str, Any]:
    group = getattr(ban_list, "group", None)  # a format's list has no playgroup
    return {
        "key": ban_list.key,
        "name": ban_list.name,
        "format": ban_list.format,
        "base": ban_list.base.key if ban_list.base else None,
        "playgroup": group.code if group else None,
        "url": request.build_absolute_uri(f"{reverse('bans')}?list={ban_list.key}"),
    }


def _visible_list(request: HttpRequest, key: str) -> BanList:
    """Return a ban list that the visitor may see. One query."""
    ban_list = _all_lists().filter(key=key).first()
    if ban_list is None or not access.may_see_list(request, ban_list):
        raise Problem(404, UNSEEN)
    return ban_list


@router.get("/ban-lists/{slug:key}", response=shapes.WholeBanList, url_name="api_ban_list")
def ban_list(request: HttpRequest, key: str, on: Day = None) -> dict[str, Any]:
    """A ban list on a day: cards and groups of cards by name.

    A playgroup’s list has the entries of the list that it adds to.
    """
    chosen = _visible_list(request, key)
    day = on or timezone.localdate()
    rows = lists.page_entries(chosen, history.history(chosen), day)
    entries = [_entry(row, row.entry) for row in rows if row.entry]
    return _list(request, chosen) | {"on": day, "entries": entries}


@router.get(
    "/ban-lists/{slug:key}/announcements",
    response=shapes.Listed[shapes.Announcement],
    url_name="api_announcements",
)
def announcements(request: HttpRequest, key: str, number: PageNumber = 1) -> dict[str, Any]:
    """What was announced of a ban list, the latest day first, planned changes too."""
    every = announced.announcements(_visible_list(request, key))
    return page_of(request, every, number, lambda of_day: _announcement(request, of_day))


def _announcement(request: HttpRequest, of_day: DayAnnounced) -> dict[str, Any]:
    return {
        "on": of_day.on,
        "title": of_day.title,
        "text": of_day.text,
        "changes": [_change(change) for change in of_day.changes],
        "url": request.build_absolute_uri(of_day.address),
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "name": change.name,
        "is_group": not change.is_card,
        "status": change.status,
        "was": change.was or None,
        "reason": change.reason,
        "cards": change.cards,
    }


def _entry(row: lists.PageEntry, entry: BanEntry) -> dict[str, Any]:
    return {
        "name": row.name,
        "is_group": bool(entry.rule),
        "status": entry.status,
        "reason": entry.reason,
        "since": entry.starts_on,
        "until": entry.ends_on,
        "cards": row.cards,
        "is_house": row.is_house,
    }


@router.get("/verdicts", response=shapes.Verdicts, url_name="api_verdicts")
def card_verdicts(
    request: HttpRequest,
    card: Annotated[
        list[CardName],
        Query(min_length=1, max_length=CARDS_MAX, description="A name; may be repeated."),
    ],
    ruleset: Annotated[str, Query(description="Its deck rules.")] = COALITION_906.key,
    ban_list: Annotated[str, Query(description="A key; without it, the format’s list.")] = "",
    on: Day = None,
) -> dict[str, Any]:
    """Whether cards may be in a deck, by a ruleset and a ban list, each card for itself."""
    rules = _ruleset(ruleset)
    chosen = _visible_list(request, ban_list or rules.format)
    if chosen.format != rules.format:
        raise Problem(422, f"The ban list {chosen.key} is not one for {rules.full_name}.")
    day = on or timezone.localdate()
    bans = legality.read_bans(rules, day, chosen if chosen.base_id else None)
    judged = [_verdict(verdict) for verdict in verdicts.verdicts(card, rules, bans)]
    return {"ruleset": rules.key, "ban_list": chosen.key, "on": day, "cards": judged}


def _ruleset(key: str) -> DeckRuleset:
    if key not in OF_CARDS:
        known = ", ".join(OF_CARDS)
        raise Problem(422, f"ruleset: there are no deck rules with this name. Use {known}.")
    return OF_CARDS[key]


def _verdict(verdict: Verdict) -> dict[str, Any]:
    card, problems = verdict.card, verdict.problems
    return {
        "asked": verdict.asked,
        "card": card.name if card else None,
        "verdict": "unknown" if card is None else "illegal" if problems else "legal",
        "reasons": [{"code": one.code, "message": one.message} for one in problems],
        "hero_only": verdict.hero_only,
        "watched": verdict.watched,
        "closest": verdict.closest,
    }
