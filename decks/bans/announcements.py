"""The announcements of a ban list: all of them, each of them, as a feed; and the list as a file."""

from collections.abc import Sequence
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_http_methods, require_safe

from coalition_site.lib.dates import day
from coalition_site.lib.feeds import AtomFeed
from coalition_site.lib.forms import DayField
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.problems import problem, unseen
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, View

from .. import access, record
from ..models import BanList
from . import commands, drafts, file, history
from .forms import PublishedWordsForm
from .history import DayAnnounced

UNSEEN = (
    "There is no ban list here that you can see. If it is a private playgroup’s, sign in with an "
    "account that belongs to it."
)
FEED_MAX = 20


def list_view(view: View) -> View:
    @wraps(view)
    def handle(request: Request, list: str, **rest: Any) -> HttpResponseBase:
        ban_list = BanList.objects.select_related("base", "group").filter(key=list).first()
        if ban_list is None or not access.may_see_list(request, ban_list):
            return unseen(request, UNSEEN, reverse("bans"))
        response = view(request, ban_list, **rest)
        is_listed = getattr(response, "is_listed", access.is_listed(ban_list))
        response.is_listed = is_listed  # type: ignore[attr-defined]
        # What a page shows depends on the visitor: no shared cache may keep it.
        patch_cache_control(response, private=True, no_cache=True)
        return response

    return handle


def editor_view(view: View) -> View:
    @list_view
    @wraps(view)
    def handle(request: Request, ban_list: BanList, **rest: Any) -> HttpResponseBase:
        if not access.may_edit_list(request, ban_list):
            back = "" if request.user.is_authenticated else request.get_full_path()
            whose = "the playgroup’s owners" if ban_list.base_id else "the editors of ban lists"
            what = f"Drafts of announcements are for {whose}."
            response: HttpResponseBase = problem(request, 403, "Not yours to edit", what, back)
        else:
            response = view(request, ban_list, **rest)
        response.is_listed = False  # type: ignore[attr-defined]
        return response

    return handle


def show(
    request: Request, template: str, ban_list: BanList, refused: Refused | None = None, **shown: Any
) -> HttpResponse:
    shown |= {"ban_list": ban_list, "problem": refused}
    return render(request, template, shown, status=422 if refused else 200)


@require_safe
@list_view
def announcements(request: Request, ban_list: BanList) -> HttpResponse:
    may_edit = access.may_edit_list(request, ban_list)
    is_format = may_edit and not ban_list.base_id
    return show(
        request,
        "decks/announcements.html",
        ban_list,
        announcements=history.announcements(ban_list),
        may_edit=may_edit,
        drafts=ban_list.announcements.filter(published_at=None) if may_edit else (),
        # Those whose boards the editors of a format's list may replay without a card.
        playgroups=record.playgroups_with_decks(request, ban_list.format) if is_format else (),
    )


@require_safe
@list_view
def announcement(request: Request, ban_list: BanList, on: str) -> HttpResponse:
    every = history.announcements(ban_list)
    place = every.index(_announced(on, every))
    return show(
        request,
        "decks/announcement.html",
        ban_list,
        announced=every[place],
        after=every[place - 1] if place else None,
        before=every[place + 1] if place + 1 < len(every) else None,
        may_edit=access.may_edit_list(request, ban_list),
    )


def _announced(on: str, every: Sequence[DayAnnounced]) -> DayAnnounced:
    for announced in every:
        if announced.row.on.isoformat() == on:
            return announced
    raise Http404("Nothing was announced for that day.")


def words_page(
    request: Request, ban_list: BanList, on: str, refused: Refused | None = None
) -> HttpResponse:
    of_day = _announced(on, history.announcements(ban_list))
    saved = of_day.row if of_day.row.pk else None  # nobody wrote the title of another
    return show(
        request,
        "decks/announcement_words.html",
        ban_list,
        refused,
        announced=of_day,
        typed=request.POST if refused else saved or {},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@editor_view
@shows_refusals(words_page)
def words(request: Request, ban_list: BanList, on: str) -> HttpResponse:
    if request.method != "POST":
        return words_page(request, ban_list, on)
    of_day = _announced(on, history.announcements(ban_list))
    data = cleaned_data(PublishedWordsForm(request.POST))
    drafts.save_published_words(ban_list, of_day.row.on, by=editor(request), **data)
    return redirect("announcement", ban_list.key, on)


@require_safe
@list_view
def export(request: Request, ban_list: BanList) -> HttpResponse:
    try:
        on = DayField("The day", required=False).clean(request.GET.get("on"))
    except ValidationError as error:
        return problem(request, 422, "No such day", str(error.message))
    on = on or timezone.localdate()
    contents = commands.entries_on(ban_list, on).values()
    response = JsonResponse(
        file.write(ban_list, on, contents), json_dumps_params={"indent": 1, "ensure_ascii": False}
    )
    name = f"bans-{ban_list.key}-{on.isoformat()}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@list_view
def feed(request: Request, ban_list: BanList) -> HttpResponse:
    return LatestAnnouncements()(request, of=ban_list)


def editor(request: Request) -> User:
    assert request.user.is_authenticated
    return request.user


class LatestAnnouncements(AtomFeed):
    def title(self, ban_list: BanList) -> str:
        return f"Ban list: {ban_list.name}"

    def link(self, ban_list: BanList) -> str:
        return reverse("announcements", args=[ban_list.key])

    def items(self, ban_list: BanList) -> list[DayAnnounced]:
        return history.announcements(ban_list)[:FEED_MAX]

    def item_title(self, item: DayAnnounced) -> str:
        return item.row.title

    def item_link(self, item: DayAnnounced) -> str:
        return item.address

    def item_description(self, item: DayAnnounced) -> str:
        changes = [f"{change.words}. {change.reason}".strip() for change in item.changes]
        lines = [f"In force from {day(item.row.on)} on.", item.row.text, *changes]
        return "\n".join(filter(None, lines))

    def item_pubdate(self, item: DayAnnounced) -> datetime:
        return item.announced_at

    def item_updateddate(self, item: DayAnnounced) -> datetime:
        return max(item.announced_at, item.row.changed_at) if item.row.pk else item.announced_at
