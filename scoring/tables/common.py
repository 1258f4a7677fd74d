"""What all views of a table share: finding it, access, recording an entry, caching."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_cache_control, patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib import metrics
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import shows_refusals
from coalition_site.lib.problems import TurnedAway, unseen
from coalition_site.lib.requests import Handler, Request, View

from .. import access
from ..models import Game, GameSet
from ..record import commands, queries, scorekeepers
from ..rules.corrections import Correction, Entry
from ..rules.errors import NoSuchGame, RuleError
from ..rules.taps import Seen, Tapped

UNSEEN = (
    "There is no table here that you can see. Check the link: it ends in eight characters. If the "
    "table’s playgroup is private, sign in with an account that belongs to it."
)


# How a tablet shows its players, as its address and each of its forms say: turned to where they
# sit, or all the same way. The pad says nothing.
AROUND, UPRIGHT = "around", "upright"


def get_table(request: Request, code: str, number: int | None = None) -> GameSet:
    """Return a table that the visitor may see, with its ``named_game`` if there is such a game.

    :raises TurnedAway: with 404, where there is none.
    """
    # Read once a request: the page that shows a refusal gets the same.
    game_set: GameSet | None = getattr(request, "game_set", None)
    if game_set is None:
        game_set = queries.find_set(code, number)
        if game_set is None or not access.may_watch(request, game_set):
            raise TurnedAway(unseen(request, UNSEEN, reverse("watch", args=[code])))
        request.game_set = game_set
    return game_set


def require_scorer(request: Request, game_set: GameSet) -> None:
    """:raises TurnedAway: with 403, unless the visitor may score the table."""
    if not access.may_score(request, game_set):
        raise TurnedAway(locked(request, game_set))


def require_game(game_set: GameSet) -> Game:
    """:raises NoSuchGame: unless the address names a game that is there."""
    if game_set.named_game is None:
        raise NoSuchGame()
    return game_set.named_game


def shows_form(page: View) -> Callable[[View], View]:
    """Decorate a view that shows a form and takes it: ``page`` shows what was refused."""
    takes = require_http_methods(["GET", "HEAD", "POST"])
    return lambda view: takes(limited("tap")(shows_refusals(page)(view)))


def takes_posts(page: View) -> Callable[[View], View]:
    """Decorate a view that takes forms of another ``page``, which shows what was refused."""
    return lambda view: require_POST(never_cache(limited("tap")(shows_refusals(page)(view))))


def back_to_score(request: Request, code: str) -> HttpResponse:
    """Lead back to where a form was sent from: the board of a tablet, or the pad."""
    tablet = request.POST.get("tablet")
    address = reverse("tablet" if tablet else "score", args=[code])
    return redirect(f"{address}?upright" if tablet == UPRIGHT else address)


def locked(request: Request, game_set: GameSet) -> HttpResponse:
    return render(request, "tables/locked.html", {"code": game_set.code}, status=403)


class TableMiddleware:
    """Add to each answer about a table who may store and list it, and its scorekeeper's number."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponseBase:
        response = self.get_response(request)
        game_set = getattr(request, "game_set", None)
        if game_set is None:
            return response
        if hasattr(request, "scorekeeper"):
            scorekeepers.set_number_cookie(request, response, game_set.code)
        # No cache stores a table: each tap changes it, and scorekeepers see it differently. What is
        # public says so itself: pictures.
        if "public" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["HX-Request"])
        response.is_listed = access.is_listed(game_set.playgroup)  # type: ignore[attr-defined]
        return response

    def process_exception(self, request: Request, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, TurnedAway):
            return None
        add_never_cache_headers(exception.answer)  # who signs in, or gets a link, asks again
        return exception.answer


def record_entry(
    request: Request, game_set: GameSet, number: int, entry: Entry | Tapped, tap_id: UUID
) -> Game:
    """Record what has just happened in a game, numbered from 1, and return the game after it.

    :raises RuleError: if the rules refuse.
    """
    by = scorekeepers.get_or_assign_number(request, game_set)
    return record_by(by, game_set, number, entry, tap_id, request.POST.get("seen", ""))


def record_by(
    by: int, game_set: GameSet, number: int, entry: Entry | Tapped, tap_id: UUID, seen: str
) -> Game:
    """Record an entry by a scorekeeper's or a seat's number. It is bound to what its page has
    ``seen`` of the game, where the page says so.

    :raises RuleError: if the rules refuse.
    """
    game, ask = game_set.named_game, game_set.rules.require_ready
    if seen and not isinstance(entry, Correction | Seen):
        entry = Seen(entry, seen)
    try:
        if ask and game:
            ask(game.current_state, entry, partial(queries.preparation, game))
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
