"""The page of a seat, for the phone of whoever sits there: what concerns that player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coalition_site.lib.refusals import Refused

from ..models import Game, GameSet, Seat
from ..rules.moves import ChangeLife
from ..rules.sets import SetState
from ..rules.state import GameState
from ..rules.words import series
from . import additions, board, standings
from .board import CurrentGame, who


def facts(
    game_set: GameSet,
    seat: Seat,
    game: Game | None,
    state: SetState,
    cookies: Mapping[str, str],
    refused: Refused | None,
    sequel: additions.Sequel | None,
) -> dict[str, Any]:
    current = board.read(game_set, game) if game else None
    result = standings.result(game_set, state)
    shown = board.board(current, result=result) if current else None
    rows = {row.seat: row for row in shown.players} if shown else {}
    return {
        **(vars(shown) if shown else {}),
        "problem": refused.message(game_set.names) if refused else "",
        "code": game_set.code,
        "who": who(game_set, seat.number),
        "own": rows.pop(seat.number, None),
        "others": list(rows.values()),
        "turn": _turn(current, seat.number) if current else "",
        "takes_life": ChangeLife in game_set.rules.moves,
        "mine": additions.of(game_set).for_seat(current, seat.number, cookies) if current else None,
        "podium": standings.podium(game_set, state) if result else [],
        "finished": game_set.finished_at is not None,
        "sequel": sequel,
        "next_table": sequel.table_of(game_set.names[seat.number]) if sequel else "",
    }


def deeds(game_set: GameSet) -> str:
    """Return what players do on their own phones, "" where those only show things."""
    rules = game_set.rules
    hides = ("hide the deck of their next game",) if rules.has_sideboards else ()
    confirms = ("confirm their life total",) if ChangeLife in rules.moves else ()
    done = [*additions.of(game_set).own_phone, *hides, *confirms]
    return series(done) if done else ""


def _turn(current: CurrentGame, seat: int) -> str:
    state = current.state
    if state.is_over or not state.ruleset.has_turns:
        return ""
    if len(state.side_of(seat)) > 1:
        is_own = state.active in state.side_of(seat)
        return "It’s your team’s turn" if is_own else "The other team’s turn"
    if state.active == seat:
        return "It’s your turn"
    return f"{current.game_set.names[state.active]}’s turn{_then(state, seat)}"


def _then(state: GameState, seat: int) -> str:
    return ", you are next" if state.next_after(state.active) == seat else ""
