"""What all views of a table share: finding it, access, recording an entry, caching."""

from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers

from coalition_site.lib import metrics
from coalition_site.lib.limits import limited
from coalition_site.lib.problems import unseen
from coalition_site.lib.requests import Request, View

from .. import access
from ..models import Game, GameSet
from ..record import commands, queries, scorekeepers
from ..rules.corrections import Correction, Entry
from ..rules.errors import RuleError
from ..rules.taps import Seen, Tapped

UNSEEN = (
    "There is no table here that you can see. Check the link: it ends in eight characters. If the "
    "table’s playgroup is private, sign in with an account that belongs to it."
)


def viewer_view(view: View) -> View:
    """Pass the view a table that the visitor may see; answer 404 where there is none."""
    # Where the address names a game, the table comes with it, if there is such a game.
    return _table_view(view)


def scorekeeper_view(view: View) -> View:
    """Pass the view a table that the visitor may score, and bound how often anybody posts."""
    return limited("tap")(_table_view(view, to_score=True))


def score_view(view: View) -> View:
    """As ``scorekeeper_view``, for the page itself: the table comes with its ``played`` games."""
    return _table_view(view, to_score=True, with_games=True)


def _table_view(view: View, *, to_score: bool = False, with_games: bool = False) -> View:
    @wraps(view)
    def handle(request: Request, code: str, **rest: Any) -> HttpResponseBase:
        if with_games:
            game_set = queries.find_set_and_games(code)
        else:
            game_set = queries.find_set(code, rest.get("number"))
        if game_set is None or not access.may_watch(request, game_set):
            return unseen(request, UNSEEN, reverse("watch", args=[code]))
        response: HttpResponseBase
        if to_score and not access.may_score(request, game_set):
            response = locked(request, game_set)
        else:
            response = view(request, game_set, **rest)
            if to_score:
                scorekeepers.set_number_cookie(request, response, game_set.code)
        # No cache stores a table: each tap changes it, and scorekeepers see it differently. What is
        # public says so itself: pictures.
        if "public" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["HX-Request"])
        response.is_listed = access.is_listed(game_set.playgroup)  # type: ignore[attr-defined]
        return response

    return handle


def record_entry(
    request: Request, game_set: GameSet, number: int, entry: Entry | Tapped, tap_id: UUID
) -> Game:
    """Record what has just happened in a game, numbered from 1, and return the game after it.

    :raises RuleError: if the rules refuse.
    """
    by = scorekeepers.get_or_give_number(request, game_set)
    return record_by(by, game_set, number, entry, tap_id, request.POST.get("seen", ""))


def record_by(
    by: int, game_set: GameSet, number: int, entry: Entry | Tapped, tap_id: UUID, seen: str
) -> Game:
    """Record an entry by a scorekeeper's or a seat's number, as ``record_entry`` does.

    It is bound to what its page showed of the game, where the page says so.

    :raises RuleError: if the rules refuse.
    """
    if seen and not isinstance(entry, Correction | Seen):
        entry = Seen(entry, seen)
    try:
        game = commands.record(game_set, number, entry, tap_id=tap_id, at=timezone.now(), by=by)
    except RuleError:
        metrics.counts.refused.inc()
        raise
    metrics.counts.recorded.inc()
    return game


def is_known(request: Request, etag: str) -> bool:
    """Return whether an open page has this already, by the ETag that it sends."""
    # Compressing an answer turns its ETag into a weak ETag.
    known = request.headers.get("If-None-Match", "").removeprefix("W/")
    return bool(request.htmx) and known == etag


def locked(request: Request, game_set: GameSet) -> HttpResponse:
    return render(request, "tables/locked.html", {"code": game_set.code}, status=403)
