"""Moves with a form: what happens less often, those of a format, and endings with a preview."""

from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from coalition_site.lib.forms import first_error
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.problems import TurnedAway
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..models import Game, GameSet
from ..record import queries
from ..rules.errors import RuleError
from ..rules.fields import Reason, specs
from ..rules.move import Move
from ..rules.moves import Concede, ConcedeTo, CrownMonarch, Draw, Lose, MoveHero, PassTurn, Win
from ..rules.possible import hero_advice, hero_zones, holds_of, moves_of, refusal
from ..rules.results import EnterResult
from ..rules.state import GameState
from ..rules.words import listed, plain
from ..setlog import codec
from . import seat_rows, wording
from .additions import additions_of
from .board import ARMS, Who, about, parts, text, who
from .common import (
    back_to_score,
    get_table,
    record_entry,
    require_game,
    require_scorer,
    shows_form,
)
from .guides import guide_of
from .move_forms import MoveForm
from .score import record_tap, show_refusal
from .taps import MoreForm

ENDINGS = {name: move for name, move in codec.MOVES.items() if move.confirms}
# What the page calls a hold, and the word on its button.
HOLDS = {
    (True, False): ("lose", "can’t lose"),
    (False, True): ("win", "can’t win"),
    (True, True): ("both", "can’t do either"),
    (False, False): ("off", "can lose and win again"),
}


# --- what happens less often ---
def _choice(game_set: GameSet, state: GameState, seat: int) -> dict[str, Any]:
    """Return what is possible for a player now: ``moves`` are those that need nothing else."""
    names = game_set.names
    choice = {
        "seat": seat,
        "name": names[seat],
        "arms": ARMS[seat],
        "text": str(seat),
        "has_turn": state.active in state.side_of(seat),
        "moves": moves_of(state, seat),
        "holds": [HOLDS[hold.cannot_lose, hold.cannot_win] for hold in holds_of(state, seat)],
    }
    if MoveHero in state.ruleset.moves:
        advice = hero_advice(state, seat)
        choice["hero"] = state.players[seat].hero
        choice["zones"] = hero_zones(state, seat)
        choice["hero_advice"] = (
            advice.message(names) if isinstance(advice, RuleError) else plain(advice, names)
        )
    return choice


def _more(request: Request, code: str, number: int, refused: Refused | None = None) -> HttpResponse:
    game_set = get_table(request, code, number)
    game = _in_progress(game_set, number, refused)
    state = game.current_state
    page = about(
        game_set,
        game,
        problem=refused.message(game_set.names) if refused else "",
        player=request.POST.get("player") or str(state.active),
        choices=[_choice(game_set, state, seat) for seat in sorted(state.in_game)],
        may_have_none=state.monarch is not None and refusal(state, CrownMonarch(None)) is None,
        notes=additions_of(game_set).notes(game_set),
        guide=guide_of(game_set.rules.format),
        may_enter=EnterResult in game_set.rules.moves and not game.recent_events.lines,
        seats_link=seat_rows.seats_page_label(game_set),
    )
    return render(request, "tables/more.html", page, status=422 if refused else 200)


def _in_progress(game_set: GameSet, number: int, refused: Refused | None) -> Game:
    """:raises TurnedAway: to the table, if the game is over. :raises Refused: again, likewise."""
    # After a refusal it is read again, since it may have ended meanwhile.
    game = queries.find_game(game_set, number) if refused else game_set.named_game
    if game and not game.ended_at:
        return game
    raise refused or TurnedAway(redirect("score", game_set.code))


@shows_form(show_refusal)
@shows_refusals(_more)
def more(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    if request.method != "POST":
        return _more(request, code, number)
    data = cleaned_data(MoreForm(request.POST, names=game_set.names))
    record_entry(request, game_set, number, data["move"], data["tap_id"])
    return back_to_score(request, code)


# --- moves with a page of their own ---
@shows_form(show_refusal)
def own(request: Request, code: str, number: int, what: str) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    move = codec.MOVES.get(what)
    if move not in game_set.rules.moves or not move.title or move.confirms:
        raise Http404("There is no such thing in this format.")
    if request.method != "POST":
        initial: dict[str, Any] = request.GET.dict()
        if "players" in initial:
            initial["players"] = request.GET.getlist("players")
        return _own(request, game_set, MoveForm(move, names=game_set.names, initial=initial))
    form = MoveForm(move, request.POST, names=game_set.names)
    if not (form.is_valid() or request.htmx):  # htmx sends taps on the pad
        return _own(request, game_set, form, first_error(form))
    asked = cleaned_data(form)
    game = game_set.named_game
    if isinstance(asked["move"], EnterResult) and game and not game.ended_at:
        # Before it is recorded, so that what was typed stays on the page.
        refused = refusal(game.current_state, asked["move"])
        if refused:
            return _own(request, game_set, form, refused.message(game_set.names))
    additions_of(game_set).check(asked["move"], request.POST, game)
    return record_tap(request, game_set, number, asked["move"], asked["tap_id"])


def _own(request: Request, game_set: GameSet, form: MoveForm, problem: str = "") -> HttpResponse:
    game = require_game(game_set)
    shown = about(game_set, game, problem=problem, form=form, of=form.of, arms=ARMS)
    return render(request, "tables/own.html", shown, status=422 if problem else 200)


# --- endings ---
def _ask(
    request: Request, code: str, number: int, what: str, refused: Refused | None = None
) -> HttpResponse:
    """Show what an ending would do; its form is in the address until it is confirmed."""
    game_set = get_table(request, code, number)
    game = _in_progress(game_set, number, refused)
    data = (request.POST if request.method == "POST" else request.GET).copy()
    if request.method != "POST":
        data["tap_id"] = str(uuid4())  # a preview records nothing, but the form asks for an id
    form = MoveForm(ENDINGS[what], data, names=game_set.names)
    move = form.cleaned_data.get("move") if form.is_valid() else None
    title = _question(game_set, move) if move else form.of.title
    reason, _ = specs(form.of).get("reason", (None, None))
    together = None
    if isinstance(move, Concede) and game_set.rules.cap is not None:
        opponents = game.current_state.opponents_of(move.player)
        if len(opponents) == 1:  # to whom one can concede without a penalty (906.10h)
            effects = _effects(game_set, game, ConcedeTo(opponents[0]))
            together = who(game_set, opponents[0]), effects
    page = about(
        game_set,
        game,
        problem=refused.message(game_set.names) if refused else "",
        what=what,
        title=title,
        reasons=reason.suggestions if isinstance(reason, Reason) else (),
        choices=[who(game_set, seat) for seat in sorted(game.current_state.in_game)],
        takes_several="players" in specs(form.of),
        move=move,
        together=together,
        effects=_effects(game_set, game, move) if move else (),
    )
    return render(request, "tables/end.html", page, status=422 if refused else 200)


def _question(game_set: GameSet, move: Move) -> str:
    match move:
        case Lose(players):
            verb = "loses" if len(players) == 1 else "lose"
            return f"{plain(listed(players), game_set.names)} {verb}?"
        case Win(seat):
            return f"{game_set.names[seat]} wins?"
        case Draw() | PassTurn():
            return move.title
        case _:
            return f"{text(game_set, move)}?"


def _effects(game_set: GameSet, game: Game, move: Move) -> list[list[Who | str]]:
    outlook = wording.outlook(game, move, game_set.names)
    return [parts(game_set, sentence) for sentence in outlook]


@shows_form(show_refusal)
@shows_refusals(_ask)
def end(request: Request, code: str, number: int, what: str) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    move = ENDINGS.get(what)
    if move not in game_set.rules.moves:
        raise Http404("A game can't end that way.")
    if request.method != "POST":
        return _ask(request, code, number, what)
    data = cleaned_data(MoveForm(move, request.POST, names=game_set.names))
    record_entry(request, game_set, number, data["move"], data["tap_id"])
    return back_to_score(request, code)
