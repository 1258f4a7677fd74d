"""The log of a set, and the corrections of its lines."""

from __future__ import annotations

from uuid import uuid4

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coalition_site.forms import Tap, first_error

from .. import access, queries, scorekeepers, show, wording
from ..amending import AmendForm, amend_form
from ..models import EventRow, Game
from ..queries import Table
from ..rules import setlog
from ..rules.errors import NoSuchEvent, RuleError
from ..rules.log import GameLog, Line
from ..rules.moves import Amend, Correction, Strike
from .score import refused
from .tables import Request, report, scored, watched


@require_safe
@watched
def log(request: Request, table: Table) -> HttpResponse:
    """Show the log of one game, the latest one unless another is asked for."""
    played = queries.games(table.game_set)
    asked = request.GET.get("game")
    game = next((game for game in played if str(game.number) == asked), None)
    if asked is None and played:
        game = played[-1]
    if game is None and asked is not None:
        raise Http404("There is no such game in this set.")
    may_score = access.may_score(request, table.game_set)
    by = scorekeepers.names(table.game_set) if may_score else {}  # names of accounts: not for all
    context = {
        "code": table.game_set.code,
        "games": [one.number for one in played],
        "game": game,
        "called": show.in_set(table, game.number) if game else "",
        "lines": show.log_lines(table, game, queries.rows(game), by) if game else [],
        "may_score": may_score,
        "undo": game is played[-1] and show.latest(game) if played else None,
    }
    return render(request, "scoring/log.html", context)


@require_safe
@watched
def export(request: Request, table: Table) -> HttpResponse:
    """Hand out the set log as a JSON document."""
    document = setlog.write(queries.set_log(table))
    response = JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False})
    name = f"set-{table.game_set.code}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@scored
def line(request: Request, table: Table, number: int, event: int) -> HttpResponse:
    """Show one event with what striking it would change, and a form to amend it."""
    game, rows, played = _played(table, number)
    found = _in_force(played, event)
    if found is None:
        return redirect(_log_address(table, number))
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
        return refused(request, table, NoSuchEvent(number=event).told(table.names))
    form = amend_form(found.move, table.names, request.POST)
    if not form.is_valid():
        return _line(request, table, game, rows, played, found, form, first_error(form))
    return _correct(request, table, number, event, Amend(event, form.move()))


def _correct(
    request: Request, table: Table, number: int, event: int, correction: Correction
) -> HttpResponse:
    form = Tap(request.POST)
    problem = "" if form.is_valid() else first_error(form)
    if not problem:
        try:
            report(request, table, number, correction, form.cleaned_data["tap_id"])
        except RuleError as refusal:
            problem = refusal.told(table.names)
    if not problem:
        return redirect(_log_address(table, number))
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
    return game, rows, queries.played_log(game, rows)


def _in_force(played: GameLog, event: int) -> Line | None:
    return next((line for line in played.lines if line.number == event), None)


def _log_address(table: Table, number: int) -> str:
    return f"{reverse('log', args=[table.game_set.code])}?game={number}"


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
        "told": show.parts(table, wording.told(found.move)),
        "form": form or amend_form(found.move, table.names),
        "strike": _strike_effects(table, game, rows, played, found.number),
        "problem": problem,
        "tap_id": uuid4,
    }
    return render(request, "scoring/line.html", context, status=422 if problem else 200)


def _strike_effects(
    table: Table, game: Game, rows: list[EventRow], played: GameLog, number: int
) -> dict[str, object]:
    """Return what a strike would change, or why it is refused."""
    struck = queries.played_log(game, rows)
    try:
        struck.append(Strike(number))
    except RuleError as refusal:
        return {"refused": refusal.told(table.names)}
    return {"changes": show.differences(table, played.state, struck.state)}
