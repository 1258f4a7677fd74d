"""The page of what happens less often than hits, by player: only what is possible now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ..models import Game, GameSet
from ..rules.errors import RuleError
from ..rules.moves import CrownMonarch, Hold, MoveHero
from ..rules.possible import hero_advice, hero_zones, holds_of, moves_of, refusal
from ..rules.state import GameState
from . import additions, board, guides, seats
from .board import Who
from .wording import plain

HOLDS = {
    (True, False): ("lose", "can’t lose"),
    (False, True): ("win", "can’t win"),
    (True, True): ("both", "can’t do either"),
    (False, False): ("off", "can lose and win again"),
}
"""What the page calls a hold, and the word on its button."""


@dataclass(frozen=True, kw_only=True)
class Choices(Who):
    """What is possible for a player now. ``moves`` are types of moves that need nothing else.

    ``zones`` and ``holds`` come with the words on their buttons. ``hero`` is where the hero is, and
    ``hero_advice`` when it may come or go; both are empty where there are no heroes.
    """

    is_active: bool
    moves: Collection[str]
    holds: Sequence[tuple[str, str]]
    hero: str = ""
    hero_advice: str = ""
    zones: Sequence[tuple[str, str]] = ()


def page(game_set: GameSet, game: Game, player: str | None, problem: str) -> dict[str, Any]:
    state = game.current_state
    return board.about(
        game_set,
        game,
        problem=problem,
        player=player,
        choices=[_choices(game_set, state, seat) for seat in sorted(state.in_game)],
        may_have_none=state.monarch is not None and refusal(state, CrownMonarch(None)) is None,
        notes=additions.of(game_set).notes(game_set),
        guide=guides.of(game_set.rules.format),
        seats_link=seats.things(game_set),
    )


def _choices(game_set: GameSet, state: GameState, seat: int) -> Choices:
    has_hero, takes_holds = MoveHero in state.ruleset.moves, Hold in state.ruleset.moves
    holds = holds_of(state, seat) if takes_holds else ()
    return Choices(
        seat=seat,
        name=game_set.names[seat],
        is_active=seat == state.active,
        moves=moves_of(state, seat),
        holds=[HOLDS[hold.cannot_lose, hold.cannot_win] for hold in holds],
        hero=state.players[seat].hero.value if has_hero else "",
        hero_advice=_advice(game_set, state, seat) if has_hero else "",
        zones=[(zone.value, zone.value.capitalize()) for zone in hero_zones(state, seat)],
    )


def _advice(game_set: GameSet, state: GameState, seat: int) -> str:
    advice = hero_advice(state, seat)
    if isinstance(advice, RuleError):
        return advice.message(game_set.names)
    return plain(advice, game_set.names)
