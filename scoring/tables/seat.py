"""A seat's own page, for the phone of whoever sits there: opened by the seat link."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe
from django_htmx.http import reselect

from coalition_site.lib import keys
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.problems import TurnedAway
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..models import Game, GameSet, Seat
from ..models.record import SeatHero
from ..record import commands, queries, scorekeepers, sideboards
from ..record.proposals import NOT_YOURS
from ..record.queries import CurrentGame
from ..record.seating import can_name_seats
from ..rules.move import Move
from ..rules.sets import SetState
from ..setlog.codec import MOVES
from . import additions, board, proposed, seat_rows, standings
from .additions import additions_of
from .board import who
from .common import get_table, is_known, record_by, require_game, shows_form, takes_posts
from .finale import finale
from .forms import ConfirmForm, NamesForm, SideboardForm

OWN = "side-"  # a cookie of the browser that may read what it has stored


@require_safe
@never_cache
def take_seat_key(request: Request, code: str, key: str) -> HttpResponseBase:
    game_set = queries.find_set(code)
    # Only with its secret in the cookie does a browser see the table of a private playgroup.
    if game_set is None or access.seat_with_key(game_set, key) is None:
        return locked_seat(request, get_table(request, code))
    response = redirect("seat", code)
    access.hand_over_seat(request, response, code, key)
    return response


def locked_seat(request: Request, game_set: GameSet) -> HttpResponse:
    return render(request, "tables/seat_locked.html", {"code": game_set.code}, status=403)


def require_seat(request: Request, game_set: GameSet) -> Seat:
    """Return the seat at which the visitor may act.

    :raises TurnedAway: with 403, where there is none.
    """
    seat = access.acting_seat(request, game_set)
    if seat is None:
        raise TurnedAway(locked_seat(request, game_set))
    seat.game_set = game_set
    return seat


# --- the page ---
def seat_page(
    request: Request, code: str, refused: Refused | None = None, what: str = "", **_: Any
) -> HttpResponse:
    """``what`` is the type of the move that was refused, if one was reported."""
    game_set = get_table(request, code)
    seat = access.seat_of(request, game_set)
    if seat is None:
        return locked_seat(request, game_set)
    played = queries.games(game_set)
    state = queries.set_state(game_set, played)
    is_between = not (state.is_playing or state.is_finished)
    may_hide = is_between and seat.number in state.able and game_set.rules.has_sideboards
    hides_for = len(state.games) + 1 if may_hide else 0  # the number of a game
    is_unnamed = seat.number in game_set.unnamed
    phase = f"{hides_for}.{state.is_finished:d}.{seat.deck_id or 0}.{is_unnamed:d}"
    sequel = additions.sequel_of(game_set, played, state)
    in_use = request.GET.get("pad", "") if "touched" in request.GET else ""
    reports = proposed.own_reports(game_set, seat, played[-1] if played else None, in_use)
    stamps = [sequel.stamp] if sequel else []
    if reports:
        stamps.append(repr(reports))
    etag = queries.version(game_set, played, str(seat.number), phase, *stamps)
    if is_known(request, etag):
        return HttpResponseNotModified()
    asks_table = game_set.rules.own_moves - game_set.rules.always_own
    is_whole = not request.htmx or refused is not None or request.GET.get("at", phase) != phase
    page = {
        **_facts(request, game_set, seat, played, state),
        "problem": refused.message(game_set.names) if refused else "",
        "sequel": sequel,
        "etag": etag,
        "phase": phase,
        "reports": reports,
        "is_report": reports is not None and MOVES.get(what) in asks_table,
        "typed": request.POST if refused else {},
        "is_piece": not is_whole,
    }
    if is_whole:
        page |= {
            "deck": _deck(request, game_set, seat, hides_for, refused) if hides_for else None,
            "brought": seat_rows.brought(seat),
            "brings": game_set.finished_at is None and queries.deck_format(game_set),
            "led_by": seat.led_by,
            "rules": game_set.rules,
            "notes": additions_of(game_set).notes(game_set),
            "may_name": is_unnamed and can_name_seats(game_set),
        }
    template = "tables/seat.html" if is_whole else "tables/_seat.html"
    response = render(request, template, page, status=422 if refused else 200)
    response["ETag"] = etag
    return reselect(response, "#main") if is_whole and request.htmx else response


def _facts(
    request: Request, game_set: GameSet, seat: Seat, played: list[Game], state: SetState
) -> dict[str, Any]:
    current = queries.current_game(game_set, played[-1]) if played else None
    result = standings.result(game_set, state)
    shown = board.board(current, result=result) if current else {}
    if state.has_results:
        shown |= finale(request, game_set, played, state)
    elif shown.get("ending") and game_set.rules.is_ranked:
        shown["podium"] = standings.podium(game_set, state)
        shown["chooses"] = standings.next_game(game_set, state)["chooses"]
    rows = {row.seat: row for row in shown.get("players", ())}
    of_format, cookies = additions_of(game_set), request.COOKIES
    return {
        **shown,
        "code": game_set.code,
        "who": who(game_set, seat.number),
        "own": rows.pop(seat.number, None),
        "others": list(rows.values()),
        "turn": _turn(current, seat.number) if current else "",
        "mine": of_format.for_seat(current, seat.number, cookies) if current else None,
    }


def _turn(current: CurrentGame, seat: int) -> str:
    state = current.state
    if state.is_over or not state.ruleset.has_turns:
        return ""
    if len(state.side_of(seat)) > 1:
        is_own = state.active in state.side_of(seat)
        return "It’s your team’s turn" if is_own else "The other team’s turn"
    if state.active == seat:
        return "It’s your turn"
    then = ", you are next" if state.next_after(state.active) == seat else ""
    return f"{current.game_set.names[state.active]}’s turn{then}"


def _deck(
    request: Request, game_set: GameSet, seat: Seat, game: int, refused: Refused | None
) -> dict[str, Any]:
    """Return the deck to hide for a game; only the browser that stored it gets the ``change``."""
    row = seat.sideboardings.filter(game=game).exclude(box=None).first()
    token = keys.in_browser(request, OWN).get(f"{game_set.code}-{game}", "")
    change = seat_rows.change(game_set, row) if row and keys.opens(token, row.owner_hash) else None
    deck: dict[str, Any] = {"game": game, "change": change, "stored": row is not None}
    if refused and "text" in request.POST:
        typed = {name: request.POST.get(name, "") for name in ("text", "out", "into")}
        hero = SeatHero(request.POST.get("hero", ""), request.POST.get("type", ""))
        return {**deck, **typed, "hero": hero}
    shown = change or {"hero": seat.led_by, "text": seat.deck.text if seat.deck else ""}
    return {**deck, "hero": shown["hero"], "text": shown["text"]}


def _went_on(request: Request, code: str) -> str:
    """Return the code of the table at which whoever sits here went on, "" if there is none."""
    seats = access.seats_in_browser(request)
    try:
        here = access.seat_of(request, get_table(request, code))
    except TurnedAway:
        if not seats or queries.find_set(code):
            raise
        return seats[-1].game_set.code  # tables of a draft can be undone
    ours = [seat for seat in seats if here and seat.link.key_hash == here.link.key_hash]
    if not here or not ours or ours[-1] == here:
        return ""
    later = ours[-1].game_set
    # They may have taken back the game of the later table, to play on here.
    plays_on = not here.game_set.finished_at and later.draft_id != here.game_set_id
    return "" if plays_on and not queries.games(later) else later.code


@never_cache
@sensitive_post_parameters()
@shows_form(seat_page)
def seat(request: Request, code: str) -> HttpResponse:
    if request.method != "POST":
        later = _went_on(request, code)
        return redirect("seat", later) if later else seat_page(request, code)
    game_set = get_table(request, code)
    seat = require_seat(request, game_set)
    if not game_set.rules.has_sideboards:
        raise Refused("This format has no sideboards: its decks stay as they are.")
    data = cleaned_data(SideboardForm(request.POST))
    text = sideboards.swapped(data["text"], data["out"], data["into"])
    hero = SeatHero(data["hero"], data["type"])
    token = keys.new_key()
    number = data["game"]
    sideboards.store_sealed(game_set, seat, number, hero, text, keys.key_hash(token))
    response = redirect("seat", game_set.code)
    keys.hand_over(request, response, OWN, f"{game_set.code}-{number}", token)
    return response


# --- what a player does ---
@takes_posts(seat_page)
def name_own(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    seat = require_seat(request, game_set)
    names = cleaned_data(NamesForm(request.POST, now={seat.number: ""}))["names"]
    if seat.number not in game_set.unnamed:
        raise Refused("Your seat already has a name. The scorekeeper can change it.")
    commands.name_seats(game_set, names)
    return redirect("seat", game_set.code)


@takes_posts(seat_page)
def confirm(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat = require_seat(request, game_set)
    life = cleaned_data(ConfirmForm(request.POST))["life"]
    commands.confirm_life(game_set, number, seat.number, life)
    return redirect("seat", game_set.code)


def record_of_seat(seat: Seat, number: int, move: Move, tap_id: UUID, seen: str = "") -> Game:
    """Record what a player reports at a seat, whose page showed ``seen`` of the game.

    :raises Refused: if that is not left to players, or if the rules refuse it.
    """
    if not access.may_report(seat, require_game(seat.game_set), move):
        raise Refused(NOT_YOURS)
    by = scorekeepers.number_of_seat(seat.number)
    return record_by(by, seat.game_set, number, move, tap_id, seen)
