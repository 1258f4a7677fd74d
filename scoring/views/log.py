"""The log of a set, and the corrections of its lines."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap, first_error

from .. import access
from ..forms.moves import AmendForm
from ..models import EventRow, Game
from ..pages import board
from ..pages import log as show
from ..play import queries, scorekeepers
from ..play.queries import Table
from ..rules.corrections import Amend, Correction, Strike
from ..rules.errors import NoSuchEvent, RuleError
from ..rules.log import GameLog, Line
from ..setlog import chain
from ..setlog import document as setlog
from .score import refused
from .tables import Request, report, scored, watched

EVENTS_A_PAGE = 100


@require_safe
@watched
def log(request: Request, table: Table) -> HttpResponse:
    """Show a page of the log of one game, the latest of both unless another is asked for."""
    played = queries.games(table.game_set)
    asked = request.GET.get("game")
    game = next((game for game in played if str(game.number) == asked), None)
    if asked is None and played:
        game = played[-1]
    if game is None and asked is not None:
        raise Http404("There is no such game in this set.")
    may_score = access.may_score(request, table.game_set)
    by = scorekeepers.names(table.game_set) if may_score else {}  # names of accounts: not for all
    rows = queries.rows(game) if game else []
    shown = _shown(request, len(rows))
    context = {
        "code": table.game_set.code,
        "games": [one.number for one in played],
        "game": game,
        "called": board.in_set(table, game.number) if game else "",
        "lines": show.log_lines(table, game, rows, by, shown) if game else [],
        **_pages(shown, len(rows)),
        "may_score": may_score,
        "undo": game is played[-1] and board.latest(game) if played else None,
    }
    return render(request, "scoring/log.html", context)


def _shown(request: Request, length: int) -> range:
    """Return the numbers of the events on the page that is asked for by the last of them."""
    asked = request.GET.get("upto", str(length))
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 9
    if not (is_number and min(length, 1) <= int(asked) <= length):
        raise Http404("There is no such event in this game.")
    return range(max(int(asked) - EVENTS_A_PAGE, 0) + 1, int(asked) + 1)


def _pages(shown: range, length: int) -> dict[str, Any]:
    """Return the last events of the pages before and after; 0 where there is none."""
    last = shown.stop - 1
    return {
        "is_latest": last == length,
        "newer": min(last + EVENTS_A_PAGE, length) if last < length else 0,
        "older": shown.start - 1,
    }


@require_safe
@watched
def export(request: Request, table: Table) -> HttpResponse:
    """Hand out the set log as a JSON document."""
    log = queries.set_log(table)
    document = setlog.write(log)
    response = JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False})
    name = f"set-{table.game_set.code}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Log-Head"] = chain.head(log)
    return response


@require_safe
@scored
def line(request: Request, table: Table, number: int, event: int) -> HttpResponse:
    """Show one event with what striking it would change, and a form to amend it."""
    game, rows, played = _played(table, number)
    found = _in_force(played, event)
    if found is None:
        return redirect(_log_address(table, game))
    return _line(request, table, game, rows, played, found)


@require_POST
@scored
def strike(request: Request, table: Table, number: int, event: int) -> HttpResponse:
    """Strike one event."""
    return _correct(request, table, number, event, Strike(event))


@require_POST
@scored
def amend(request: Request, table: Table, number: int, event: int) -> HttpResponse:
    """Replace one event by another of the same type."""
    game, rows, played = _played(table, number)
    found = _in_force(played, event)
    if found is None:
        return refused(request, table, NoSuchEvent(number=event).message(table.names))
    form = AmendForm(found.move, table.names, request.POST, kinds=table.ruleset.kinds)
    if not form.is_valid():
        return _line(request, table, game, rows, played, found, form, first_error(form))
    return _correct(request, table, number, event, Amend(event, form.cleaned_data["move"]))


def _correct(
    request: Request, table: Table, number: int, event: int, correction: Correction
) -> HttpResponse:
    form = Tap(request.POST)
    problem = "" if form.is_valid() else first_error(form)
    if not problem:
        try:
            after = report(request, table, number, correction, form.cleaned_data["tap_id"])
            return redirect(_log_address(table, after, event))
        except RuleError as refusal:
            problem = refusal.message(table.names)
    game, rows, played = _played(table, number)
    found = _in_force(played, event)
    if found is None:
        return refused(request, table, problem)
    return _line(request, table, game, rows, played, found, problem=problem)


def _played(table: Table, number: int) -> tuple[Game, list[EventRow], GameLog]:
    game = table.game
    if game is None:
        raise Http404("There is no such game in this set.")
    rows = queries.rows(game)
    return game, rows, queries.replayed_log(game, rows)


def _in_force(played: GameLog, event: int) -> Line | None:
    return next((line for line in played.lines if line.number == event), None)


def _log_address(table: Table, game: Game, event: int | None = None) -> str:
    """Return the address of the page of a log that has an event, or of the latest one."""
    address = f"{reverse('log', args=[table.game_set.code])}?game={game.number}"
    is_early = event is not None and event <= game.length - EVENTS_A_PAGE
    return f"{address}&upto={event}" if is_early else address


def _line(
    request: Request,
    table: Table,
    game: Game,
    rows: list[EventRow],
    played: GameLog,
    found: Line,
    form: AmendForm | None = None,
    problem: str = "",
) -> HttpResponse:
    context = {
        "code": table.game_set.code,
        "game": game,
        "number": found.number,
        "at": rows[found.number - 1].at,
        "told": board.parts(table, found.move.sentence()),
        "form": form or AmendForm(found.move, table.names, kinds=table.ruleset.kinds),
        "strike": _strike_effects(table, played, found.number),
        "back": _log_address(table, game, found.number),
        "problem": problem,
        "tap_id": uuid4,
    }
    return render(request, "scoring/line.html", context, status=422 if problem else 200)


def _strike_effects(table: Table, played: GameLog, number: int) -> dict[str, object]:
    """Strike an event of the played log; return what changes, or why it is refused."""
    before = played.state
    try:
        played.append(Strike(number))
    except RuleError as refusal:
        return {"refused": refusal.message(table.names)}
    return {"changes": show.differences(table, before, played.state)}
