"""What ends a player's game or the whole game: what it will do, shown before it is done."""

from __future__ import annotations

from typing import Any

from ..models import Game
from ..play.queries import Table
from ..rules import engine
from ..rules import moves as mv
from ..rules.errors import RuleError
from ..rules.state import GameState
from ..rules.words import Sentence, listed
from ..setlog import codec
from . import wording
from .board import Who, parts, text, who
from .wording import plain

TITLES = {
    "concede": "Who concedes?",
    "concede_to": "All concede to whom?",
    "lose": "Who loses?",
    "win": "Who wins?",
    "draw": "A draw?",
    "turn": "Pass the turn again?",
}
REASONS = {
    "lose": ("decked", "card effect"),
    "win": ("card effect",),
    "draw": ("agreed", "time", "endless loop"),
}


def asked(table: Table, game: Game, what: str, move: mv.Move | None) -> dict[str, Any]:
    """Return what an ending will do, told before it is done; ``move`` is None while unclear."""
    state = codec.read_state(game.state)
    context: dict[str, Any] = {
        "what": what,
        "title": TITLES[what],
        "reasons": REASONS.get(what, ()),
        "choices": [who(table, seat) for seat in sorted(state.in_game)],
        "chosen": getattr(move, "players", ()),
        "seat": getattr(move, "player", None),
        "reason": getattr(move, "reason", ""),
    }
    if move is None:
        return context
    context["title"] = _question(table, move)
    context["confirm"] = f"Yes: {context['title'].removesuffix('?')}"
    has_penalty = table.ruleset.cap is not None
    if isinstance(move, mv.Concede) and has_penalty and len(state.opponents_of(move.player)) == 1:
        winner = state.opponents_of(move.player)[0]
        together = mv.ConcedeTo(winner)
        context["together"] = {
            "to": who(table, winner),
            "effects": _foreseen(table, game, state, together),
        }
    return context | {"effects": _foreseen(table, game, state, move)}


def _question(table: Table, move: mv.Move) -> str:
    match move:
        case mv.Lose(players):
            verb = "loses" if len(players) == 1 else "lose"
            return f"{plain(listed(players), table.names)} {verb}?"
        case mv.Win(seat):
            return f"{table.names[seat]} wins?"
        case mv.Draw() | mv.PassTurn():
            return TITLES["draw" if isinstance(move, mv.Draw) else "turn"]
        case _:
            return f"{text(table, move)}?"


def _foreseen(table: Table, game: Game, state: GameState, move: mv.Move) -> list[list[Who | str]]:
    try:
        events = engine.decide(state, move)
    except RuleError as refusal:
        return [[refusal.told(table.names)]]
    told = wording.effects(events, state.ruleset.cap)
    after = engine.play(state, events)
    if isinstance(move, mv.Concede):
        told += _price(table, game, move.player)
    if isinstance(move, mv.ConcedeTo) and table.ruleset.cap is not None:
        told.append(["Nobody loses VP, everybody may play on in the set."])
    if not after.is_over:
        told.append([*listed(after.in_game), " play on."])
    return [parts(table, sentence) for sentence in told]


def _price(table: Table, game: Game, seat: int) -> list[Sentence]:
    """Return what conceding costs besides the points of this game."""
    ruleset = table.ruleset
    price: list[Sentence] = []
    if ruleset.conceding_voids_set:
        price.append([seat, " stands at 0 in the whole set."])
    elif game.number > 1:
        price.append(["The points of earlier games stay."])
    if game.number < ruleset.games:
        price.append([seat, " plays no later game of this set."])
    return price
