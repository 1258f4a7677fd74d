"""What a concession, a loss, a win or a draw would do, shown before it is recorded."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..models import Game, GameSet
from ..rules import engine
from ..rules.errors import RuleError
from ..rules.fields import Reason, specs
from ..rules.move import Move
from ..rules.moves import Concede, ConcedeTo, Draw, Lose, PassTurn, Win
from ..rules.state import GameState
from ..rules.words import Sentence, listed
from . import wording
from .board import Who, about, parts, text, who
from .wording import plain


class ConcedingTogether(NamedTuple):
    to: Who
    effects: list[list[Who | str]]


def preview(
    game_set: GameSet, game: Game, of: type[Move], move: Move | None, problem: str
) -> dict[str, Any]:
    """Return what a move of a class would do; ``move`` is None until its fields are filled in."""
    state = game.current_state
    title = _question(game_set, move) if move else of.title
    return about(
        game_set,
        game,
        problem=problem,
        what=of.type,
        title=title,
        reasons=_suggestions(of),
        choices=[who(game_set, seat) for seat in sorted(state.in_game)],
        chosen=getattr(move, "players", ()),
        seat=getattr(move, "player", None),
        reason=getattr(move, "reason", ""),
        confirm=f"Yes: {title.removesuffix('?')}" if move else "",
        together=_together(game_set, game, state, move),
        effects=_effects(game_set, game, state, move) if move else (),
    )


def _together(
    game_set: GameSet, game: Game, state: GameState, move: Move | None
) -> ConcedingTogether | None:
    """Return what it would do if the last opponent left concedes without a penalty (906.10h)."""
    if not isinstance(move, Concede) or game_set.rules.cap is None:
        return None
    if len(state.opponents_of(move.player)) != 1:
        return None
    (winner,) = state.opponents_of(move.player)
    effects = _effects(game_set, game, state, ConcedeTo(winner))
    return ConcedingTogether(who(game_set, winner), effects)


def _suggestions(of: type[Move]) -> tuple[str, ...]:
    reasons = [spec for spec, _ in specs(of).values() if isinstance(spec, Reason)]
    return reasons[0].suggestions if reasons else ()


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


def _effects(game_set: GameSet, game: Game, state: GameState, move: Move) -> list[list[Who | str]]:
    """Return what a move would do, as sentences; why it can't happen, if the rules refuse it."""
    try:
        story = engine.decide(state, move)
    except RuleError as refusal:
        return [[refusal.message(game_set.names)]]
    sentences = wording.effects(story.effects, state.ruleset.cap)
    after = story.state
    if isinstance(move, Concede):
        sentences += _price(game_set, game, move.player)
    if isinstance(move, ConcedeTo) and game_set.rules.cap is not None:
        sentences.append(["Nobody loses VP, and everybody may play on in the set."])
    if not after.is_over:
        sentences.append([*listed(after.in_game), " play on."])
    return [parts(game_set, sentence) for sentence in sentences]


def _price(game_set: GameSet, game: Game, seat: int) -> list[Sentence]:
    ruleset = game_set.rules
    price: list[Sentence] = []
    if ruleset.conceding_voids_set:
        price.append([seat, " stands at 0 in the whole set."])
    elif game.number > 1:
        price.append(["The points of earlier games stay."])
    if game.number < ruleset.games:
        price.append([seat, " plays no later game of this set."])
    return price
