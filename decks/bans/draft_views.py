"""Drafts of announcements, for the editors of a ban list."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.problems import problem
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, View

from .. import access, record
from ..models import NAME_MAX, NAMED_RULES, Announced, Announcement, BanList, Deck, Rule
from . import commands, drafts, file, history
from .announcements import editor, editor_view, show
from .forms import DraftForm, LineForm, NewDraftForm, PastedForm, PublishForm, VersionForm
from .forms import statuses as statuses_of

RECENT = timedelta(weeks=4)


def draft_view(view: View) -> View:
    """Give the view a draft of a list that the visitor may edit; one published leads on."""

    @editor_view
    @wraps(view)
    def handle(request: Request, ban_list: BanList, draft: int, **rest: Any) -> HttpResponseBase:
        row = ban_list.announcements.filter(pk=draft).first()
        if row is None:
            return problem(request, 404, "No such draft", drafts.GONE)
        if row.published_at:
            return redirect("announcement", ban_list.key, row.on.isoformat())
        row.ban_list = ban_list
        return view(request, row, **rest)

    return handle


def _lead_to(draft: Announcement) -> HttpResponse:
    return redirect("draft", draft.ban_list.key, draft.pk)


# --- a new draft ---
def new_page(request: Request, ban_list: BanList, refused: Refused | None = None) -> HttpResponse:
    begun = {"on": timezone.localdate().isoformat(), "title": "Changes of the ban list"}
    if card := request.GET.get("card", "")[:NAME_MAX]:
        begun["lines"] = f"{card}: "
    typed = request.POST if refused else begun
    return show(request, "decks/announcement_words.html", ban_list, refused, typed=typed)


@require_http_methods(["GET", "HEAD", "POST"])
@editor_view
@shows_refusals(new_page)
def new(request: Request, ban_list: BanList) -> HttpResponse:
    if request.method != "POST":
        return new_page(request, ban_list)
    data = cleaned_data(NewDraftForm(request.POST))
    lines, then, on = data.pop("lines"), data.pop("then"), data["on"]
    if then:
        lines = json.dumps(file.write(ban_list, then, commands.entries_on(ban_list, then).values()))
    contents = file.differences(ban_list, on, lines, is_whole=bool(then)) if lines else []
    draft = drafts.create(ban_list, by=editor(request), **data)
    drafts.put_lines(draft, draft.version, editor(request), contents)
    return _lead_to(draft)


# --- a draft ---
def draft_page(
    request: Request, draft: Announcement, refused: Refused | None = None, **rest: Any
) -> HttpResponse:
    if refused:  # somebody else may have changed it, or taken it away
        try:
            draft.refresh_from_db(fields=["title", "text", "on", "version", "published_at"])
        except Announcement.DoesNotExist:
            return problem(request, 404, "No such draft", drafts.GONE)
        if draft.published_at:
            return _lead_to(draft)
    ban_list, planned, today = draft.ban_list, drafts.plan(draft), timezone.localdate()
    past_days = max((today - draft.on).days, 0) if planned.changes else 0
    announced = history.announcements(ban_list)
    house = ban_list if ban_list.base_id else None
    boards = None
    if past_days:
        boards = record.boards_since(request, planned.concerned, draft.on, house)
    lost = record.boards_since(request, planned.lost, today - RECENT, house)
    return show(
        request,
        "decks/draft.html",
        ban_list,
        refused,
        draft=draft,
        lines=[
            (step, step.change or replace(history.change_of(step.line), reason=""))
            for step in planned.steps
        ],
        plan=planned,
        fates={fate: name_seen(request, decks) for fate, decks in planned.fates.items()},
        today=today,
        past_days=past_days,
        boards=boards,
        lost=lost,
        joins=next((one for one in announced if one.row.on == draft.on), None),
        typed=request.POST if refused else {},
        sent=request.resolver_match.url_name if refused and request.resolver_match else "",
        saved=() if refused else messages.get_messages(request),
        statuses=statuses_of(ban_list),
        rules=Rule.choices,
        named_rules=NAMED_RULES,
    )


def name_seen(request: Request, decks: Sequence[Deck]) -> dict[str, Any]:
    """Return decks, each with its games; those of other people by name if they are seen already."""
    games = record.games_with(decks) if decks else {}
    own = {deck.pk for deck in decks if access.may_change(request, deck)}
    seen = own | record.seen(request, decks) if decks else own
    every = set[int]().union(*games.values())
    return {
        "named": [(deck, deck.pk in own, len(games[deck.pk])) for deck in decks if deck.pk in seen],
        "others": len(decks) - len(seen),
        "count": len(decks),
        "games": len(every),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@draft_view
@shows_refusals(draft_page)
def draft(request: Request, draft: Announcement) -> HttpResponse:
    if request.method != "POST":
        return draft_page(request, draft)
    drafts.save_words(draft, by=editor(request), **cleaned_data(DraftForm(request.POST)))
    return _lead_to(draft)


def draft_action(view: View) -> View:
    return require_POST(draft_view(shows_refusals(draft_page)(view)))


@draft_action
def line(request: Request, draft: Announcement) -> HttpResponse:
    form = LineForm(request.POST, ban_list=draft.ban_list)
    version = cleaned_data(form)["version"]
    drafts.put_lines(draft, version, editor(request), [form.content()])
    return _lead_to(draft)


@draft_action
def remove(request: Request, draft: Announcement, line: int) -> HttpResponse:
    seen = cleaned_data(VersionForm(request.POST))
    drafts.remove_line(draft, by=editor(request), key=line, **seen)
    return _lead_to(draft)


@draft_action
def paste(request: Request, draft: Announcement) -> HttpResponse:
    data = cleaned_data(PastedForm(request.POST, request.FILES))
    contents = file.differences(draft.ban_list, draft.on, data["text"], is_whole=data["is_whole"])
    drafts.put_lines(draft, data["version"], editor(request), contents)
    statuses = [content.status for content in contents]
    counts = [f"{statuses.count(one)} {one}" for one in Announced.values if one in statuses]
    taken = f"Taken from the list: {', '.join(counts)}."
    messages.info(request, taken if counts else "This list says what is in force already.")
    return _lead_to(draft)


@draft_action
def publish(request: Request, draft: Announcement) -> HttpResponse:
    data = cleaned_data(PublishForm(request.POST))
    done = drafts.publish(draft, by=editor(request), **data)
    return redirect("announcement", done.ban_list.key, done.on.isoformat())


@draft_action
def discard(request: Request, draft: Announcement) -> HttpResponse:
    drafts.discard(draft, by=editor(request), **cleaned_data(VersionForm(request.POST)))
    return redirect("announcements", draft.ban_list.key)
