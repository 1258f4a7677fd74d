"""The log of a set: its lines, what correcting one changes, and corrections."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple
from zlib import crc32

from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from coalition_site.lib.forms import Tap, first_error
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.qr import QUIET, qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..models import EventRow, Game, GameSet
from ..record import chaining, queries, scorekeepers
from ..record.queries import entry_of, replayed_log
from ..record.recording import require_reopenable
from ..record.scorekeepers import SEATS_FROM
from ..rules.corrections import Amend, Correction, Strike
from ..rules.effects import PlayerLeft, TurnBegan
from ..rules.errors import LaterImpossible, NoSuchEvent, RuleError
from ..rules.fields import specs
from ..rules.log import EventInForce, GameLog
from ..rules.move import Move
from ..rules.moves import CrownMonarch
from ..rules.state import GameState, PlayerState
from ..rules.words import Sentence, plain
from ..setlog import document as setlog
from . import board, standings, wording
from .board import Who, ending, hold, parts, text, who
from .common import get_table, record_entry, require_scorer, takes_posts
from .join import join_address
from .move_forms import AmendForm, edited
from .score import show_refusal
from .taps import whole_number

EVENTS_A_PAGE = 100
EVENTS_BESIDE_THE_PAD = 12


def differences(game_set: GameSet, before: GameState, after: GameState) -> list[list[Who | str]]:
    sentences: list[Sentence] = []
    for seat, player in before.players.items():
        sentences += _player_differences(seat, player, after.players[seat])
    sentences += [[fact] for fact in after.changes(before)]
    if before.monarch != after.monarch:
        sentences.append(CrownMonarch(after.monarch).sentence())
    if before.active != after.active:
        sentences.append(["Turn of ", after.active])
    if any(getattr(before, of) != getattr(after, of) for of in ("status", "winner", "ended_by")):
        told = "The game is open again."
        if after.is_over:
            result = ending(game_set, after)
            told = f"{result.title}: {result.why}".removesuffix(": ")
        sentences.append([told])
    return [parts(game_set, sentence) for sentence in sentences]


def _player_differences(seat: int, was: PlayerState, now: PlayerState) -> Iterator[Sentence]:
    for field, what in (("points", "VP"), ("life", "life"), ("poison", "poison")):
        old, new = getattr(was, field), getattr(now, field)
        if old != new:
            yield [seat, f": {old} {what} → {new}"]
    if was.out != now.out:
        back: Sentence = [seat, " is back in the game"]
        yield back if now.out is None else PlayerLeft(seat, now.out).sentence()
    if was.hero != now.hero:
        yield ["Hero of ", seat, f": {was.hero.value} → {now.hero.value}"]
    if hold(was) != hold(now):
        yield [seat, f": {hold(now) or 'can lose and win again'}"]
    for fact in now.changes(was):
        yield [seat, f": {fact}"]


def preview(
    game_set: GameSet, game: Game, rows: list[EventRow], correction: Correction
) -> dict[str, Any]:
    """Return the ``changes`` that a correction would make, or why it would be refused."""
    log = replayed_log(game, rows)
    before = log.state
    try:
        log.append(correction)
        require_reopenable(game_set, game, before, log.state)
    except RuleError as refusal:
        return refusal_of(game_set, log, refusal)
    return {"changes": differences(game_set, before, log.state)}


def refusal_of(game_set: GameSet, log: GameLog, refusal: Refused) -> dict[str, Any]:
    """Return why a correction is ``refused``; a ``later`` event in its way is named in words."""
    if not isinstance(refusal, LaterImpossible):
        return {"refused": refusal.message(game_set.names)}
    number, why = refusal.number, refusal.why(game_set.names)
    move = next(line.move for line in log.lines if line.number == number)
    return {
        "refused": f"Then event {number}, “{text(game_set, move)}”, could not have happened: {why}",
        "later": {"number": number, "parts": parts(game_set, move.sentence()), "why": why},
    }


class Turn(NamedTuple):
    """A turn of a game and who has it, nobody in formats without turns; its first event."""

    first: int
    number: int
    players: tuple[Who, ...]


def log_lines(
    game_set: GameSet, game: Game, rows: list[EventRow], by: Mapping[int, str], shown: range
) -> list[dict[str, Any]]:
    """Return lines of a game's log, the latest first, with their effects and corrections.

    ``rows`` is the whole log, ``shown`` the numbers of the lines to return. ``by`` are the
    scorekeepers' names by their numbers; lines name them where there are two or more, and
    players' own phones.
    """
    names = by if len(by) > 1 or max(by, default=0) > SEATS_FROM else {}
    # Later lines are read for their corrections, but not played: that takes its time.
    log = replayed_log(game, rows, upto=shown.stop - 1)
    in_force = {line.number: line for line in log.lines}
    turns, numbered = _turns(game_set, log), dict(enumerate(rows, 1))
    lines = []
    for row in rows[shown.start - 1 : shown.stop - 1]:
        line = in_force.get(row.seq)
        entry = line.move if line else entry_of(row)
        effects = wording.effects(line.effects, game_set.rules) if line else []
        lines.append(
            {
                "number": row.seq,
                "turn": turns[bisect_right(turns, row.seq, key=attrgetter("first")) - 1],
                "parts": parts(game_set, entry.sentence()),
                "at": row.at,
                "by": names.get(row.by or 0, ""),
                "is_correction": row.corrects is not None,
                "has_fields": bool(line and specs(type(line.move))),
                "effects": [plain(effect, game_set.names) for effect in effects],
                "taken_back": numbered.get(log.taken_back.get(row.seq, 0)),
                "amended": numbered.get(log.amended.get(row.seq, 0)),
                "was": text(game_set, entry_of(row)) if row.seq in log.amended else "",
            }
        )
    return lines[::-1]


def _turns(game_set: GameSet, log: GameLog) -> list[Turn]:
    if not game_set.rules.has_turns:
        return [Turn(1, 0, ())]
    begun = [(1, log.start.active)]
    for line in log.lines:
        for effect in line.effects:
            if isinstance(effect, TurnBegan):
                # What made the active player leave still belongs to that player's turn.
                begun.append((line.number + effect.passed, effect.player))
    return [
        Turn(first, number, tuple(who(game_set, one) for one in log.start.side_of(seat)))
        for number, (first, seat) in enumerate(begun, 1)
    ]


@require_safe
def log(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
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
    last = whole_number(request.GET.get("upto", str(length)), length, min(length, 1))
    if last is None:  # the last event on the page
        raise Http404("There is no such event in this game.")
    shown = range(max(last - EVENTS_A_PAGE, 0) + 1, last + 1)
    lines = log_lines(game_set, game, rows, by, shown) if game else []
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
    return render(request, "tables/log.html", page)


@require_safe
def export(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    log = queries.set_log(game_set)
    options = {"indent": 1, "ensure_ascii": False}
    response = JsonResponse(setlog.write(log), json_dumps_params=options)
    response["Content-Disposition"] = f'attachment; filename="set-{game_set.code}.json"'
    response["Log-Head"] = chaining.head(log)
    return response


@require_safe
def desk(request: Request, code: str) -> HttpResponse:
    """Show what stands beside the pad on a wide screen: the latest events, and the standings.

    Until the first event it is the code to join by phone.
    """
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    played = queries.games(game_set)
    lines, podium = [], []
    if played:
        rows = queries.rows(played[-1])
        latest = range(max(len(rows) - EVENTS_BESIDE_THE_PAD, 0) + 1, len(rows) + 1)
        lines = log_lines(game_set, played[-1], rows, {}, latest)
    if played and game_set.rules.is_ranked:
        podium = standings.podium(game_set, queries.set_state(game_set, played))
    address = "" if lines or played[1:] else join_address(request, game_set)
    shown = {"code": game_set.code, "lines": lines, "podium": podium}
    shown["qr"] = qr_code(address, QUIET) if address else ""
    return render(request, "tables/_desk.html", shown)


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
def line(request: Request, code: str, number: int, event: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    found = _find(game_set, event)
    if found is None:
        return redirect(_log_address(game_set, _game(game_set)))
    return _line(request, found, found.form())


def _show_again(
    request: Request, code: str, number: int, event: int, *, refused: Refused, keeps: bool
) -> HttpResponse:
    """Show the event with what was refused; the table if the event is not in force any more."""
    game_set = get_table(request, code, number)
    found = _find(game_set, event)
    if found is None:
        return show_refusal(request, code, refused=refused)
    problem = refusal_of(game_set, found.log, refused)["refused"]
    return _line(request, found, found.form(request.POST if keeps else None), problem)


@takes_posts(partial(_show_again, keeps=False))
def strike(request: Request, code: str, number: int, event: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    return _correct(request, game_set, number, event, Strike(event))


@takes_posts(partial(_show_again, keeps=True))
def amend(request: Request, code: str, number: int, event: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
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
    shown_by = partial(preview, event.game_set, event.game, event.rows)
    move = form.cleaned_data["move"] if is_typed else event.line.move
    page = {
        "game_set": event.game_set,
        "code": event.game_set.code,
        "game": event.game,
        "number": number,
        "at": event.rows[number - 1].at,
        "sentence": board.parts(event.game_set, event.line.move.sentence()),
        "form": form,
        "amended": shown_by(Amend(number, move)) if is_typed else None,
        "is_same": move == event.line.move,
        "shown": _stamp(move),
        "strike": shown_by(Strike(number)),
        "back": _log_address(event.game_set, event.game, number),
        "problem": problem,
    }
    return render(request, "tables/line.html", page, status=422 if problem else 200)
