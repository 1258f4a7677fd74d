"""Decorators that give a view its playgroup, if the visitor may see it, or do more there."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.pages import shows_refusals
from coalition_site.lib.problems import unseen
from coalition_site.lib.requests import Request, View

from .. import access
from ..models import Playgroup
from ..rules.formats import RULESETS
from . import queries
from .bases import locked_page

Decorator = Callable[[View], View]
Permission = Callable[[Request, Playgroup], bool]
UNSEEN = (
    "There is no playgroup here that you can see. If it is private, sign in with an account that "
    "belongs to it."
)


def group_view(view: View) -> View:
    """Give the view a playgroup that the visitor may see, with what its navigation reads."""

    @wraps(view)
    def handle(request: Request, code: str, **rest: Any) -> HttpResponseBase:
        group = queries.find_group(code, request.user.pk)
        if group is None or not access.may_see(request, group):
            return unseen(request, UNSEEN, reverse("groups"))
        group.visitor_may_run = access.may_run(request, group)
        ruleset = RULESETS[group.ruleset]
        group.has_heroes = group.has_heroes or ruleset.has_heroes
        group.has_teams = group.has_teams or ruleset.has_teams
        response = view(request, group, **rest)
        response.is_listed = access.is_listed(group)  # type: ignore[attr-defined]
        # What a page shows depends on the visitor's role: no shared cache may keep it. What
        # is public says so itself: pictures.
        if "public" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True, no_cache=True)
        return response

    return handle


def _only(permission: Permission, who: str) -> Decorator:
    def decorate(view: View) -> View:
        @group_view
        @wraps(view)
        def handle(request: Request, group: Playgroup, **rest: Any) -> HttpResponseBase:
            if not permission(request, group):
                return locked_page(request, group, who)
            return view(request, group, **rest)

        return handle

    return decorate


member_view = _only(access.belongs, "its members")
scorekeepers_view = _only(access.may_score_for, "its scorekeepers and owners")
owner_view = _only(access.may_run, "its owners")
replay_view = _only(access.may_replay, "its owners and the editors of ban lists")


def takes_posts(visitors: Decorator, page: View) -> Decorator:
    """Decorate a view that takes forms of another ``page``, which shows what was refused."""
    return lambda view: require_POST(visitors(shows_refusals(page)(view)))


def takes_form(visitors: Decorator, page: View) -> Decorator:
    """Decorate a view that takes the form of its ``page``, which shows what was refused, too."""

    def decorate(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @visitors
        @shows_refusals(page)
        @wraps(view)
        def handle(request: Request, *args: Any, **rest: Any) -> HttpResponseBase:
            return (view if request.method == "POST" else page)(request, *args, **rest)

        return handle

    return decorate
