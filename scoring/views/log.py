"""The log of a set, and corrections of its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap, first_error
from coalition_site.lib.pages import Page, cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..forms.moves import AmendForm
from ..models import EventRow, Game, GameSet
from ..pages import board
from ..pages import log as show
from ..play import queries, scorekeepers
from ..rules.corrections import Amend, Correction, Strike
from ..rules.errors import NoSuchEvent, RuleError
from ..rules.log import EventInForce, GameLog
from ..setlog import chain
from ..setlog import document as setlog
from .score import show_refusal
from .tables import record_entry, scorekeeper_view, viewer_view

EVENTS_A_PAGE = 100


@dataclass(kw_only=True)
class LogPage(Page):
    """A page of a game's log; ``undo`` is the event that Undo takes back.

    ``newer`` and ``older`` are the last events of the next pages either way; 0 where there is none.
    """

    template: ClassVar[str] = "scoring/log.html"
    code: str
    games: Sequence[int]
    game: Game | None
    called: str
    lines: Sequence[show.LogLine]
    is_latest: bool
    newer: int
    older: int
    may_score: bool
    undo: int | None


@dataclass(kw_only=True)
class StrikePreview:
    """What striking an event would change, or why it is refused."""

    changes: Sequence[Sequence[board.Who | str]] = ()
    refused: str = ""


@dataclass(kw_only=True)
class LinePage(Page):
    """An event with a form to amend it; ``back`` is the address of its page of the log."""

    template: ClassVar[str] = "scoring/line.html"
    code: str
    game: Game
    number: int
    at: datetime | None
    sentence: Sequence[board.Who | str]
    form: AmendForm
    strike: StrikePreview
    back: str
    problem: str


@require_safe
@viewer_view
def log(request: Request, game_set: GameSet) -> HttpResponse:
    """Show a page of a game's log; by default the latest page of the latest game."""
    played = queries.games(game_set)
    requested = request.GET.get("game")
    game = next((game for game in played if str(game.number) == requested), None)
    if requested is None and played:
        game = played[-1]
    if game is None and requested is not None:
        raise Http404("There is no such game in this set.")
    may_score = access.may_score(request, game_set)
    by = scorekeepers.names(game_set) if may_score else {}  # names of accounts: not for all
    rows = queries.rows(game) if game else []
    length = len(rows)
    shown = _shown(request, length)
    last = shown.stop - 1
    page = LogPage(
        code=game_set.code,
        games=[game.number for game in played],
        game=game,
        called=board.in_set(game_set, game.number) if game else "",
        lines=show.log_lines(game_set, game, rows, by, shown) if game else [],
        is_latest=last == length,
        newer=min(last + EVENTS_A_PAGE, length) if last < length else 0,
        older=shown.start - 1,
        may_score=may_score,
        undo=board.latest_number(game) if game and game is played[-1] else None,
    )
    return page.respond(request)


def _shown(request: Request, length: int) -> range:
    """Return the numbers of the events on the page; ``upto`` in the address is the last of them."""
    upto = request.GET.get("upto", str(length))
    # isdigit() takes ² as well, and int() refuses thousands of digits.
    is_number = upto.isascii() and upto.isdigit() and len(upto) < 9
    if not (is_number and min(length, 1) <= int(upto) <= length):
        raise Http404("There is no such event in this game.")
    return range(max(int(upto) - EVENTS_A_PAGE, 0) + 1, int(upto) + 1)


@require_safe
@viewer_view
def export(request: Request, game_set: GameSet) -> HttpResponse:
    """Download the set log as a JSON document."""
    log = queries.set_log(game_set)
    document = setlog.write(log)
    response = JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False})
    name = f"set-{game_set.code}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Log-Head"] = chain.head(log)
    return response


@require_safe
@scorekeeper_view
def line(request: Request, game_set: GameSet, number: int, event: int) -> HttpResponse:
    """Show an event with a form to amend it, and what striking it would change."""
    game, rows, played = _played(game_set, number)
    event_line = _in_force(played, event)
    if event_line is None:
        return redirect(_log_address(game_set, game))
    return _line(request, game_set, game, rows, played, event_line)


def _show_again(
    request: Request, game_set: GameSet, number: int, event: int, refused: Refused
) -> HttpResponse:
    """Show the event with what was refused; the table if the event is not in force any more."""
    game, rows, played = _played(game_set, number)
    event_line = _in_force(played, event)
    if event_line is None:
        return show_refusal(request, game_set, refused=refused)
    problem = refused.message(game_set.names)
    return _line(request, game_set, game, rows, played, event_line, problem=problem)


@require_POST
@scorekeeper_view
@shows_refusals(_show_again)
def strike(request: Request, game_set: GameSet, number: int, event: int) -> HttpResponse:
    """Strike an event."""
    return _correct(request, game_set, number, event, Strike(event))


@require_POST
@scorekeeper_view
@shows_refusals(_show_again)
def amend(request: Request, game_set: GameSet, number: int, event: int) -> HttpResponse:
    """Replace an event by another of the same type."""
    game, rows, played = _played(game_set, number)
    event_line = _in_force(played, event)
    if event_line is None:
        raise NoSuchEvent(number=event)
    form = AmendForm(event_line.move, game_set.names, request.POST, kinds=game_set.rules.kinds)
    if not form.is_valid():
        return _line(request, game_set, game, rows, played, event_line, form, first_error(form))
    return _correct(request, game_set, number, event, Amend(event, form.cleaned_data["move"]))


def _correct(
    request: Request, game_set: GameSet, number: int, event: int, correction: Correction
) -> HttpResponse:
    tap_id = cleaned_data(Tap(request.POST))["tap_id"]
    after = record_entry(request, game_set, number, correction, tap_id)
    return redirect(_log_address(game_set, after, event))


def _played(game_set: GameSet, number: int) -> tuple[Game, list[EventRow], GameLog]:
    game = game_set.named_game
    if game is None:
        raise Http404("There is no such game in this set.")
    rows = queries.rows(game)
    return game, rows, queries.replayed_log(game, rows)


def _in_force(played: GameLog, event: int) -> EventInForce | None:
    return next((line for line in played.lines if line.number == event), None)


def _log_address(game_set: GameSet, game: Game, event: int | None = None) -> str:
    """Return the address of the log's page with an event, or of its latest page."""
    address = f"{reverse('log', args=[game_set.code])}?game={game.number}"
    is_early = event is not None and event <= game.length - EVENTS_A_PAGE
    return f"{address}&upto={event}" if is_early else address


def _line(
    request: Request,
    game_set: GameSet,
    game: Game,
    rows: list[EventRow],
    played: GameLog,
    event_line: EventInForce,
    form: AmendForm | None = None,
    problem: str = "",
) -> HttpResponse:
    page = LinePage(
        code=game_set.code,
        game=game,
        number=event_line.number,
        at=rows[event_line.number - 1].at,
        sentence=board.parts(game_set, event_line.move.sentence()),
        form=form or AmendForm(event_line.move, game_set.names, kinds=game_set.rules.kinds),
        strike=_preview_strike(game_set, played, event_line.number),
        back=_log_address(game_set, game, event_line.number),
        problem=problem,
    )
    return page.respond(request, status=422 if problem else 200)


def _preview_strike(game_set: GameSet, played: GameLog, number: int) -> StrikePreview:
    """Strike an event in ``played``, and return what that changes, or why it is refused."""
    before = played.state
    try:
        played.append(Strike(number))
    except RuleError as refusal:
        return StrikePreview(refused=refusal.message(game_set.names))
    return StrikePreview(changes=show.differences(game_set, before, played.state))
