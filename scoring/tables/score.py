"""The scorekeeper's page: board and pad during a game, the result and the next start after it."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID
from zlib import crc32

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..models import Game, GameSet
from ..models.record import Phones
from ..record import proposals, queries, scorekeepers
from ..record.scorekeepers import OtherScorekeepers
from ..rules.corrections import Entry, Undo
from ..rules.damage import Aim, DealDamage, Hit
from ..rules.errors import GameIsOver
from ..rules.moves import PassTurn
from ..rules.state import Status
from ..rules.taps import Tapped, Volley
from . import scorekeeper
from .common import (
    AROUND,
    UPRIGHT,
    back_to_score,
    get_table,
    is_known,
    record_entry,
    require_game,
    require_scorer,
    takes_posts,
)
from .taps import HITS_MAX, TOO_MANY, ChangeForm, hit_key, read_hit, read_hits, whole_number

VERSION = "Board-Version"  # the first part of the page's ETag, so that nobody asks for it again
NEWS = "tables/_news.html"  # what a tap changes around a pad that stays


@require_safe
def score(request: Request, code: str, tablet: str = "") -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    others, played = scorekeepers.other_scorekeepers(request, game_set), queries.games(game_set)
    seen = [str(other) for other in others.here]
    if game_set.phones == Phones.PROPOSE and played:
        seen += [str(proposal) for proposal, _ in proposals.waiting(played[-1])]
    here = crc32(repr(seen).encode())
    etag = f'"{_version(game_set, played)}.{here:x}"'
    if is_known(request, etag):
        return HttpResponseNotModified()
    collected = read_hits(request.GET.getlist("collected"), game_set.names)
    return show_page(request, game_set, played, others, collected, etag, tablet)


@require_safe
def tablet(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    if DealDamage not in game_set.rules.moves:
        return redirect("score", code)
    return score(request, code, UPRIGHT if "upright" in request.GET else AROUND)


def show_refusal(request: Request, code: str, *, refused: Refused, **_: Any) -> HttpResponse:
    """Show the table as it stands, with what was refused and the hits collected before."""
    # The rest of the address is ignored.
    game_set = get_table(request, code)
    played, problem = queries.games(game_set), refused.message(game_set.names)
    collected = read_hits(request.POST.getlist("collected"), game_set.names)
    return show_tap(request, game_set, played, problem=problem, collected=collected)


@require_POST
@limited("tap")
def hit(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    collected = read_hits(request.POST.getlist("collected"), game_set.names)
    try:
        tap_id, aim = read_hit(request.POST, game_set.names)
        if request.POST.get("together"):
            return _collect(request, game_set, number, collected, aim)
        entry = Volley(tuple(collected), aim) if collected else aim
        return record_tap(request, game_set, number, entry, tap_id, collected)
    except Refused as refused:
        return show_refusal(request, code, refused=refused)


@takes_posts(show_refusal)
def hits(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    collected = read_hits(request.POST.getlist("collected"), game_set.names)
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    if "drop" in request.POST:
        left = [hit for at, hit in enumerate(collected) if str(at) != request.POST["drop"]]
        return _collect(request, game_set, number, left)
    if not collected:
        raise Refused("There is no hit to send.")
    if len(collected) > HITS_MAX:
        raise Refused(TOO_MANY)
    return record_tap(request, game_set, number, DealDamage(tuple(collected)), tap_id, collected)


@takes_posts(show_refusal)
def change(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    data = cleaned_data(ChangeForm(request.POST, names=game_set.names))
    return record_tap(request, game_set, number, data["move"], data["tap_id"])


@takes_posts(show_refusal)
def turn(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    return _plain_tap(request, game_set, number, PassTurn())


@takes_posts(show_refusal)
def undo(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    # A phone that got no answer to a tap names the tap instead, by its id in ``of``.
    if "of" in request.POST:
        form = Tap({"tap_id": request.POST["of"]})
        tap_id = form.cleaned_data["tap_id"] if form.is_valid() else None
        event = queries.event_of(game_set, number, tap_id) if tap_id else None
        if not event:
            raise Refused("That tap was not recorded: there is nothing to undo.")
        return _plain_tap(request, game_set, number, Undo(event))
    event = whole_number(request.POST.get("event", ""), 10**9)
    if event is None:
        raise Refused("Which event? Reload the page.")
    return _plain_tap(request, game_set, number, Undo(event))


def _plain_tap(request: Request, game_set: GameSet, number: int, entry: Entry) -> HttpResponse:
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    return record_tap(request, game_set, number, entry, tap_id)


def record_tap(
    request: Request,
    game_set: GameSet,
    number: int,
    entry: Entry | Tapped,
    tap_id: UUID,
    collected: Sequence[Hit] = (),
) -> HttpResponse:
    """:raises RuleError: if the rules refuse."""
    game = record_entry(request, game_set, number, entry, tap_id)
    if not request.htmx:
        return back_to_score(request, game_set.code)
    goes_on = game.status == Status.IN_PROGRESS
    response = show_tap(request, game_set, [game] if goes_on else queries.games(game_set))
    if collected:
        response["HX-Replace-Url"] = reverse("score", args=[game_set.code])
    return response


def _collect(
    request: Request,
    game_set: GameSet,
    number: int,
    collected: Sequence[Hit],
    aim: Aim | None = None,
) -> HttpResponse:
    """Show the hits collected so far; they are in the address only, and nothing is recorded."""
    game = require_game(game_set)
    if game.ended_at:
        raise GameIsOver()
    more = aim.at(game.current_state, game.recent_events.targets).hits if aim else ()
    hits = [*collected, *more]
    if len(hits) > HITS_MAX:
        raise Refused(TOO_MANY)
    query = urlencode([("collected", hit_key(hit)) for hit in hits])
    address = f"{reverse('score', args=[game_set.code])}?{query}"
    if not request.htmx:
        return redirect(address)
    response = show_tap(request, game_set, [game], collected=hits)
    response["HX-Replace-Url"] = address
    return response


def show_page(
    request: Request,
    game_set: GameSet,
    played: Sequence[Game],
    others: OtherScorekeepers,
    collected: Sequence[Hit],
    etag: str,
    tablet: str = "",
) -> HttpResponse:
    """Show the scorekeeper's page, or to a page that is open already what is new on it."""
    shown = request.GET.get("pad", "")
    is_used = "touched" in request.GET
    page = scorekeeper.page(
        request,
        game_set,
        played,
        collected=collected,
        shown=shown,
        is_used=is_used,
        tablet=tablet,
    )
    page["by"] = others.writer(played[-1].last_by, game_set) if played else ""
    page |= {"etag": etag, "others": others.here}
    template = "tables/_fresh.html" if request.htmx else "tables/score.html"
    response = render(request, template, page)
    # No ETag while an old pad stays on the page, so that the client asks again.
    if not (page.get("keeps_pad") and page["stamp"] != shown):
        response["ETag"] = etag
    return response


def show_tap(
    request: Request,
    game_set: GameSet,
    played: Sequence[Game],
    *,
    problem: str = "",
    collected: Sequence[Hit] = (),
) -> HttpResponse:
    """Answer a tap; while a game goes on, ``played`` may be that game only."""
    # There is always a pad to those who are refused something or are collecting hits.
    shown = "" if problem or collected else request.POST.get("pad", "")
    tablet = request.POST.get("tablet", "")
    is_closed = tablet and request.htmx  # keys of a tablet open for a new hit only
    typed = request.POST if problem and not is_closed else None
    page = scorekeeper.page(
        request,
        game_set,
        played,
        collected=collected,
        typed=typed,
        shown=shown,
        tablet=tablet,
    )
    page |= {"problem": problem, "is_tap": True}
    template = "tables/score.html"
    if request.htmx:
        template = NEWS if page.get("keeps_pad") else "tables/_score.html"
    response = render(request, template, page, status=422 if problem else 200)
    if template == NEWS:
        response["HX-Reswap"] = "none"
    if "keys" in page:
        response[VERSION] = _version(game_set, played)
    return response


def _version(game_set: GameSet, played: Sequence[Game]) -> str:
    """Return the version of a board; the games before one that goes on stay as they are."""
    goes_on = played and played[-1].status == Status.IN_PROGRESS
    return queries.version(game_set, list(played[-1:] if goes_on else played)).strip('"')
