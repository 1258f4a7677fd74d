"""The public pages of a set: board or final standings, the big view for a tablet, a picture."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_htmx.http import reselect

from coalition_site.lib.qr import qr_code
from coalition_site.lib.requests import Request

from .. import access
from ..models import Game, GameSet
from ..pictures import answers
from ..pictures.sets import of_set
from ..record import queries, sideboards
from ..rules.damage import DealDamage
from ..rules.sets import SetState
from . import additions, board, seat_rows, standings
from .additions import additions_of
from .boards import shared_board_view
from .common import get_table, is_known
from .finale import finale
from .links import public_address


@require_safe
@shared_board_view
def watch(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    # An open page asks for updates by htmx. It gets the board, or the whole page if it shows the
    # standings (it then sends ``final``) or is about to.
    played = queries.games(game_set)
    state = queries.set_state(game_set, played)
    sequel = additions.sequel_of(game_set, played, state)
    stamps = (sequel.stamp,) if sequel else ()
    etag = queries.version(game_set, played, *stamps)
    if is_known(request, etag):
        return HttpResponseNotModified()
    is_whole = not request.htmx or state.has_results or "final" in request.GET
    group = access.visible_group(request, game_set)
    page: dict[str, Any] = {"group": group, "sequel": sequel, "etag": etag}
    if is_whole:
        response = _page(request, game_set, played, state, page)
    else:
        keys = dict(game_set.seats.values_list("number", "player")) if group else {}
        page |= {"player_keys": keys, "is_piece": True}
        response = render(request, "tables/_watch.html", _now(game_set, played, state) | page)
    if not request.htmx:
        return response
    response["ETag"] = etag
    return reselect(response, "#main") if is_whole else response


def _page(
    request: Request,
    game_set: GameSet,
    played: list[Game],
    state: SetState,
    page: dict[str, Any],
) -> HttpResponse:
    group, address = page["group"], public_address(request, game_set)
    zone = group.time_zone if group else timezone.get_current_timezone()
    seats = queries.seats_with_decks(game_set)
    changes = sideboards.of_set(game_set) if game_set.finished_at else []
    page |= {
        "game_set": game_set,
        "code": game_set.code,
        "day": queries.day_of(game_set, played, zone),
        "player_keys": {seat.number: seat.player_id for seat in seats},
        "may_score": access.may_score(request, game_set),
        "address": address,
        "members_only": access.is_for_members(game_set),
        "qr": qr_code(address),
        "decks": seat_rows.played(game_set, seats, changes),
        "may_score_for": group is not None and access.may_score_for(request, group),
        "may_play_again": access.may_play_again(request, game_set),
        "notes": additions_of(game_set).notes(game_set),
        "result": standings.in_words(game_set, state),
        "picture": of_set(game_set, played, group).versioned,
    }
    if not state.has_results:
        return render(request, "tables/watch.html", _now(game_set, played, state) | page)
    page |= finale(request, game_set, played, state)
    if game_set.rules.cap is None:
        page = board.about(game_set, played[-1]) | page
    return render(request, "tables/standings.html", page)


def _now(game_set: GameSet, played: list[Game], state: SetState) -> dict[str, Any]:
    current = queries.current_game(game_set, played[-1]) if played else None
    is_new = current and not current.latest and game_set.rules.has_turns
    started, rules = standings.started(game_set, played) if is_new else {}, game_set.rules
    return {
        **(board.board(current, started.get("rolls")) if current else {}),
        # Of one game there are no standings until it is over.
        "podium": standings.podium(game_set, state) if rules.is_ranked and rules.games > 1 else [],
        "chooses": standings.next_game(game_set, state)["chooses"],
        **started,
    }


@require_safe
@shared_board_view
def table_view(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    upright = "upright" in request.GET
    # A page that is open already goes on as it is: its board is shared with those who only look.
    is_touched = not request.htmx and DealDamage in game_set.rules.moves
    if is_touched and access.may_score(request, game_set):
        return redirect(reverse("tablet", args=[code]) + ("?upright" if upright else ""))
    played = queries.games(game_set)
    etag = queries.version(game_set, played)
    if is_known(request, etag):
        return HttpResponseNotModified()
    state = queries.set_state(game_set, played)
    result = standings.result(game_set, state)
    shown = board.board(queries.current_game(game_set, played[-1]), result=result) if played else {}
    players: Sequence[board.PlayerRow | standings.Place] = shown.get("players", [])
    if result and result.points is not None:
        by_seat = {place.who.seat: place for place in standings.podium(game_set, state)}
        players = [by_seat[seat] for seat in game_set.names]
    far, near = standings.sides(players, upright=upright)
    page = {
        **shown,
        "code": game_set.code,
        "upright": upright,
        "etag": etag,
        "over": result is not None,
        "far": far,
        "near": near,
        "notes": additions_of(game_set).notes(game_set),
    }
    template = "tables/_table.html" if request.htmx else "tables/table.html"
    response = render(request, template, page)
    response["ETag"] = etag
    return response


@require_safe
def picture(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    group = access.visible_group(request, game_set)
    return answers.answer(request, of_set(game_set, queries.games(game_set), group))
