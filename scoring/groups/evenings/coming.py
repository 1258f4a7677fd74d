"""A link by which people say that they come to an evening, without an account."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.problems import unseen
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ... import access
from ...models import Evening, Playgroup
from ..decorators import scorekeepers_view, takes_posts
from . import commands, queries
from .views import ArrivalForm, ChipForm, chips, evening_page, find, find_player

CLOSED = "This link is no longer valid. Ask whoever plans the evening for a new one."


@takes_posts(scorekeepers_view, evening_page)
def invite(request: Request, group: Playgroup, number: int) -> HttpResponse:
    commands.invite(find(group, number), is_open="open" in request.POST)
    return redirect("evening", group.code, number)


def coming_page(
    request: Request, pk: int, key: str, refused: Refused | None = None
) -> HttpResponse:
    evening = Evening.objects.select_related("playgroup").get(pk=pk)
    shown = {
        "evening": evening,
        "chips": chips(queries.read_evening(evening), everybody=True),
        "may_leave": not evening.rounds.exists(),
        "typed": request.POST.get("names", ""),
        "problem": str(refused or ""),
        "messages": () if refused else messages.get_messages(request),
    }
    return render(request, "groups/coming.html", shown, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited("tap")
@shows_refusals(coming_page)
def coming(request: Request, pk: int, key: str) -> HttpResponse:
    evening = get_object_or_404(Evening.objects.select_related("playgroup"), pk=pk)
    if not access.may_say_they_come(evening, key):
        return unseen(request, CLOSED, reverse("groups"))
    if request.method != "POST":
        return coming_page(request, pk, key)
    chip, done = cleaned_data(ChipForm(request.POST)), "You are on the list."
    if chip["leave"] is not None:
        if evening.rounds.exists():
            raise Refused("The rounds have begun: tell the scorekeeper that you leave.")
        commands.leave(evening, find_player(evening.playgroup, chip["leave"]))
        done = "You are off the list."
    elif chip["come"] is not None:
        commands.come(evening, find_player(evening.playgroup, chip["come"]))
    else:
        names = cleaned_data(ArrivalForm(request.POST))["names"]
        commands.arrive(evening, names, as_guests=True)
    messages.success(request, done)
    return redirect(request.path)
