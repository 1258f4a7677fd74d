"""What the views of a playgroup share: finding it, and letting people in."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control

from coalition_site.lib.problems import unseen
from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup
from .. import pages, queries

View = Callable[..., HttpResponse]
PAGE_NUMBER = re.compile("[1-9][0-9]{0,4}")
May = Callable[[Request, Playgroup], bool]
UNSEEN = (
    "There is no playgroup here that you can see. If it is private, sign in with an account that "
    "belongs to it."
)


def seen(view: View) -> View:
    """Hand the view a playgroup that the visitor may see.

    For the tabs of its pages it says whether the visitor may run it.
    """

    @wraps(view)
    def handle(request: Request, code: str, **rest: Any) -> HttpResponse:
        group = queries.find_group(code, request.user.pk)
        if group is None or not access.may_see(request, group):
            return unseen(request, UNSEEN, reverse("groups"))
        group.visitor_may_run = access.may_run(request, group)
        response = view(request, group, **rest)
        response.is_listed = access.is_listed(group)
        patch_cache_control(response, private=True, no_cache=True)
        return response

    return handle


def page(
    request: Request, group: Playgroup, template: str, context: dict[str, Any], problem: str = ""
) -> HttpResponse:
    """Return a page of a playgroup, with what was wrong, if anything."""
    context |= {"group": group, "problem": problem}
    return render(request, f"groups/{template}", context, status=422 if problem else 200)


def _allowed(may: May, who: str) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        @seen
        @wraps(view)
        def handle(request: Request, group: Playgroup, **rest: Any) -> HttpResponse:
            if not may(request, group):
                context = {"group": group, "who": who}
                return render(request, "groups/locked.html", context, status=403)
            return view(request, group, **rest)

        return handle

    return decorate


belonging = _allowed(access.belongs, "its members")
scored_for = _allowed(access.may_score_for, "its scorekeepers and owners")
run = _allowed(access.may_run, "its owners")


def page_number(request: Request) -> int:
    """Return which page of a long list is asked for, the first unless the address says."""
    asked = request.GET.get("page", "1")
    if not PAGE_NUMBER.fullmatch(asked):
        raise Http404("There is no such page.")
    return int(asked)


def shown(
    request: Request, group: Playgroup, page: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Show one of the pages of a playgroup, with what is being played on top."""
    shared = {"group": group, "playing": pages.playing(queries.live_sets(group))}
    return render(request, f"groups/{page}.html", shared | context, status=status)
