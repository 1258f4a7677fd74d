"""The log of a set, and corrections of its events."""

from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from zlib import crc32

from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap, first_error
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..forms.moves import AmendForm, edited
from ..models import EventRow, Game, GameSet
from ..pages import board, standings
from ..pages import log as show
from ..record import chaining, queries, scorekeepers
from ..rules.corrections import Amend, Correction, Strike
from ..rules.errors import NoSuchEvent
from ..rules.log import EventInForce, GameLog
from ..rules.move import Move
from ..setlog import document as setlog
from .score import show_refusal
from .tables import record_entry, scorekeeper_view, viewer_view

EVENTS_A_PAGE = 100
EVENTS_BESIDE_THE_PAD = 12


@require_safe
@viewer_view
def log(request: Request, game_set: GameSet) -> HttpResponse:
    played = queries.games(game_set)
    requested = request.GET.get("game", str(len(played)))
    game = next((game for game in played if str(game.number) == requested), None)
    if game is None and "game" in request.GET:
        raise Http404("There is no such game in this set.")
    may_score = access.may_score(request, game_set)
    rows = queries.rows(game) if game else []
    # Accounts are not for all to see.
    by = scorekeepers.names(game_set, (row.by for row in rows)) if may_score else {}
    length = len(rows)
    upto = request.GET.get("upto", str(length))  # the last event on the page
    # isdigit() takes ² as well, and int() refuses thousands of digits.
    is_number = upto.isascii() and upto.isdigit() and len(upto) < 9
    if not (is_number and min(length, 1) <= int(upto) <= length):
        raise Http404("There is no such event in this game.")
    last = int(upto)
    shown = range(max(last - EVENTS_A_PAGE, 0) + 1, last + 1)
    lines = show.log_lines(game_set, game, rows, by, shown) if game else []
    in_force = game.recent_events.lines if game and game is played[-1] else ()
    page = {
        "game_set": game_set,
        "code": game_set.code,
        "games": [game.number for game in played],
        "game": game,
        "called": board.in_set(game_set, game.number) if game else "",
        "lines": lines,
        "turns": [(turn, list(of_turn)) for turn, of_turn in groupby(lines, itemgetter("turn"))],
        "is_latest": last == length,
        # The last events of the next pages either way.
        "newer": min(last + EVENTS_A_PAGE, length) if last < length else 0,
        "older": shown.start - 1,
        "may_score": may_score,
        "undo": in_force[0].number if in_force else None,
    }
    return render(request, "scoring/log.html", page)


@require_safe
@viewer_view
def export(request: Request, game_set: GameSet) -> HttpResponse:
    log = queries.set_log(game_set)
    options = {"indent": 1, "ensure_ascii": False}
    response = JsonResponse(setlog.write(log), json_dumps_params=options)
    response["Content-Disposition"] = f'attachment; filename="set-{game_set.code}.json"'
    response["Log-Head"] = chaining.head(log)
    return response


@require_safe
@scorekeeper_view
def desk(request: Request, game_set: GameSet) -> HttpResponse:
    """Show what stands beside the pad on a wide screen: the latest events, and the standings."""
    played = queries.games(game_set)
    lines, podium = [], []
    if played:
        rows = queries.rows(played[-1])
        latest = range(max(len(rows) - EVENTS_BESIDE_THE_PAD, 0) + 1, len(rows) + 1)
        lines = show.log_lines(game_set, played[-1], rows, {}, latest)
    if played and game_set.rules.is_ranked:
        podium = standings.podium(game_set, queries.set_state(game_set, played))
    shown = {"code": game_set.code, "lines": lines, "podium": podium}
    return render(request, "scoring/_desk.html", shown)


class _Event(NamedTuple):
    game_set: GameSet
    game: Game
    rows: list[EventRow]
    log: GameLog
    line: EventInForce

    def form(self, data: QueryDict | None = None) -> AmendForm:
        rules, names = self.game_set.rules, self.game_set.names
        return AmendForm(self.line.move, names, data, kinds=rules.kinds)


@require_safe
@scorekeeper_view
def line(request: Request, game_set: GameSet, number: int, event: int) -> HttpResponse:
    found = _find(game_set, event)
    if found is None:
        return redirect(_log_address(game_set, _game(game_set)))
    return _line(request, found, found.form())


def _show_again(
    request: Request, game_set: GameSet, number: int, event: int, *, refused: Refused, keeps: bool
) -> HttpResponse:
    """Show the event with what was refused; the table if the event is not in force any more."""
    found = _find(game_set, event)
    if found is None:
        return show_refusal(request, game_set, refused=refused)
    problem = show.refusal_of(game_set, found.log, refused)["refused"]
    return _line(request, found, found.form(request.POST if keeps else None), problem)


@require_POST
@scorekeeper_view
@shows_refusals(partial(_show_again, keeps=False))
def strike(request: Request, game_set: GameSet, number: int, event: int) -> HttpResponse:
    return _correct(request, game_set, number, event, Strike(event))


@require_POST
@scorekeeper_view
@shows_refusals(partial(_show_again, keeps=True))
def amend(request: Request, game_set: GameSet, number: int, event: int) -> HttpResponse:
    """Replace an event by another of the same type, or show what that would change."""
    found = _find(game_set, event)
    if found is None:
        raise NoSuchEvent(number=event)
    if request.POST.keys() & {"add", "drop"}:  # which only change the form
        return _line(request, found, found.form(edited(request.POST, type(found.line.move))))
    form = found.form(request.POST)
    if not form.is_valid():
        return _line(request, found, form, first_error(form))
    move = form.cleaned_data["move"]
    asks = "show" in request.POST or "show" in request.GET
    if asks or request.POST.get("shown", _stamp(move)) != _stamp(move):
        return _line(request, found, form)
    return _correct(request, game_set, number, event, Amend(event, move))


def _stamp(move: Move) -> str:
    return f"{crc32(repr(move).encode()):x}"


def _correct(
    request: Request, game_set: GameSet, number: int, event: int, correction: Correction
) -> HttpResponse:
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    after = record_entry(request, game_set, number, correction, tap_id)
    return redirect(_log_address(game_set, after, event))


def _game(game_set: GameSet) -> Game:
    if game_set.named_game is None:
        raise Http404("There is no such game in this set.")
    return game_set.named_game


def _find(game_set: GameSet, event: int) -> _Event | None:
    game = _game(game_set)
    rows = queries.rows(game)
    log = queries.replayed_log(game, rows)
    in_force = (line for line in log.lines if line.number == event)
    return next((_Event(game_set, game, rows, log, line) for line in in_force), None)


def _log_address(game_set: GameSet, game: Game, event: int | None = None) -> str:
    address = f"{reverse('log', args=[game_set.code])}?game={game.number}"
    is_early = event is not None and event <= game.length - EVENTS_A_PAGE
    return f"{address}&upto={event}" if is_early else address


def _line(request: Request, event: _Event, form: AmendForm, problem: str = "") -> HttpResponse:
    number, is_typed = event.line.number, form.is_bound and form.is_valid()
    preview = partial(show.preview, event.game_set, event.game, event.rows)
    move = form.cleaned_data["move"] if is_typed else event.line.move
    page = {
        "game_set": event.game_set,
        "code": event.game_set.code,
        "game": event.game,
        "number": number,
        "at": event.rows[number - 1].at,
        "sentence": board.parts(event.game_set, event.line.move.sentence()),
        "form": form,
        "amended": preview(Amend(number, move)) if is_typed else None,
        "is_same": move == event.line.move,
        "shown": _stamp(move),
        "strike": preview(Strike(number)),
        "back": _log_address(event.game_set, event.game, number),
        "problem": problem,
    }
    return render(request, "scoring/line.html", page, status=422 if problem else 200)
