"""What is sent of a playgroup beside its pages: downloads, a feed, streams, and its calendar."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    conditional_page,
    require_GET,
    require_POST,
    require_safe,
)
from icalendar import Alarm, Calendar, Event, vText

from coalition_site.lib.feeds import AtomFeed
from coalition_site.lib.forms import Tap
from coalition_site.lib.keys import key_for, key_hash
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...live.hub import stream
from ...models import CalendarLink, GameSet, Membership, Playgroup, SetResult
from ...record.errors import GroupRefused
from ...record.news import AHEAD
from ...rules.words import count
from ...tables.common import get_table
from .. import queries
from ..bases import group_page
from ..decorators import group_view, member_view, takes_form
from .exporting import export_group, export_results

TYPE = "text/calendar; charset=utf-8"
FEED_MAX = 30
EVENINGS_MAX = 200
PLANNED = timedelta(hours=3)  # of an evening without a clock, or of which nobody knows the end
REFRESH = timedelta(hours=6)


@require_safe
@group_view
def export(request: Request, group: Playgroup) -> StreamingHttpResponse:
    return _file(export_group(group), "application/json", f"playgroup-{group.code}.json")


@require_safe
@group_view
def export_csv(request: Request, group: Playgroup) -> StreamingHttpResponse:
    return _file(export_results(group), "text/csv; charset=utf-8", f"results-{group.code}.csv")


def _file(content: Any, content_type: str, name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_GET
def table_stream(request: Request, code: str) -> HttpResponseBase:
    game_set = get_table(request, code)
    return stream(request, f"s{game_set.pk}")


@require_GET
@group_view
def group_stream(request: Request, group: Playgroup) -> HttpResponseBase:
    return stream(request, f"g{group.pk}")


class FinishedSets(AtomFeed):
    def title(self, group: Playgroup) -> str:
        return f"Sets of {group.name}"

    def link(self, group: Playgroup) -> str:
        return reverse("board", args=[group.code])

    def items(self, group: Playgroup) -> QuerySet[GameSet]:
        has_results = Exists(SetResult.objects.filter(game_set=OuterRef("pk")))  # a draft has none
        sets = group.sets.filter(has_results).order_by("-finished_at")
        results = SetResult.objects.select_related("player").order_by("rank", "pk")
        return sets.prefetch_related(Prefetch("results", results))[:FEED_MAX]

    def item_title(self, item: GameSet) -> str:
        return queries.result_text(item.results.all())

    def item_link(self, item: GameSet) -> str:
        return reverse("watch", args=[item.code])

    def item_pubdate(self, item: GameSet) -> datetime | None:
        return item.finished_at

    item_updateddate = item_pubdate
    item_description = item_title


@require_safe
@group_view
def feed(request: Request, group: Playgroup) -> HttpResponse:
    return FinishedSets()(request, of=group)


@require_safe
@conditional_page
@group_view
def calendar_feed(request: Request, group: Playgroup) -> HttpResponse:
    return _calendar(request, group)


@require_safe
@conditional_page
def secret_feed(request: Request, key: str) -> HttpResponse:
    # Send the same to whoever has a member's secret address: calendars can't sign in.
    links = CalendarLink.objects.select_related("membership__playgroup")
    link = get_object_or_404(links, key_hash=key_hash(key), membership__user__is_active=True)
    response = _calendar(request, link.membership.playgroup)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _calendar(request: Request, group: Playgroup) -> HttpResponse:
    site = request.build_absolute_uri("/").removesuffix("/")
    file = Calendar()
    file.add("prodid", "-//Coalition table//EN")
    file.add("version", "2.0")
    file.add("name", vText(group.name))
    file.add("x-wr-calname", vText(group.name))
    file.add("refresh-interval", REFRESH)
    for evening in group.evenings.order_by("-starts_at", "-number")[:EVENINGS_MAX]:
        address = f"{site}/g/{group.code}/evenings/{evening.number}/"
        rounds, minutes = evening.rounds_planned, evening.minutes or 0
        length = max(timedelta(minutes=minutes * rounds), PLANNED)
        planned = f"{count(rounds, 'round')}{f' of {minutes} minutes' if minutes else ''}"
        end = evening.ended_at or evening.starts_at
        event = Event()
        event.add("uid", f"{group.code}-{evening.number}@{urlsplit(site).hostname}")
        event.add("dtstamp", evening.created_at)
        event.add("dtstart", evening.starts_at)
        # One that ended before it was to start has no end that a calendar takes.
        event.add("dtend", end if end > evening.starts_at else evening.starts_at + length)
        event.add("summary", vText(f"{evening.name} ({group.name})"))
        event.add("url", address)
        event.add("description", vText(f"{planned}\n{address}"))
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", vText(evening.name))
        alarm.add("trigger", -AHEAD)
        event.add_component(alarm)
        file.add_component(event)
    return HttpResponse(file.to_ical(), content_type=TYPE)


def _membership(request: Request, group: Playgroup) -> Membership | None:
    own = Membership.objects.select_related("calendar_link")
    return own.filter(playgroup=group, user=request.user.pk).first()


def calendar_page(
    request: Request, group: Playgroup, key: str = "", refused: Refused | None = None
) -> HttpResponse:
    own = _membership(request, group) if group.is_private else None
    secret = reverse("secret_feed", args=[key]) if key else ""
    address = reverse("calendar_feed", args=[group.code]) if not group.is_private else secret
    return group_page(
        request,
        "groups/calendar.html",
        group,
        refused,
        address=request.build_absolute_uri(address) if address else "",
        since=own.calendar_link.created_at if own and hasattr(own, "calendar_link") else None,
        is_member=own is not None,
    )


@never_cache
@takes_form(group_view, calendar_page)
def calendar(request: Request, group: Playgroup) -> HttpResponse:
    own = _membership(request, group)
    if own is None:
        raise GroupRefused("Only members have an address of their own. Join the playgroup first.")
    key = key_for(cleaned_data(Tap(request.POST))["tap_id"], group.code, str(own.pk), "calendar")
    # An earlier address stops working.
    CalendarLink.objects.update_or_create(
        membership=own, defaults={"key_hash": key_hash(key), "created_at": timezone.now()}
    )
    return calendar_page(request, group, key)


@require_POST
@member_view
def revoke_calendar(request: Request, group: Playgroup) -> HttpResponse:
    CalendarLink.objects.filter(
        membership__playgroup=group, membership__user=request.user.pk
    ).delete()
    return redirect("calendar", group.code)
