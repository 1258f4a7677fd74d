"""What can be done at this moment, for pages that offer nothing else."""

from .engine import decide
from .errors import RuleError
from .move import Move
from .moves import Concede, ConcedeTo, CrownMonarch, Hold, Lose, MoveHero, PassTurn, Win
from .state import GameState, Zone
from .words import Sentence


def refusal(state: GameState, move: Move) -> RuleError | None:
    try:
        decide(state, move)
    except RuleError as refused:
        return refused
    return None


def moves_of(state: GameState, seat: int) -> frozenset[str]:
    """Return the types of the moves that a player can make now, of those that need only a player.

    >>> from .formats.coalition import COALITION_906
    >>> from .state import changed, new_game, with_player
    >>> game = new_game(COALITION_906, (1, 2, 3))
    >>> sorted(moves_of(game, 1))
    ['concede', 'concede_to', 'lose', 'monarch', 'turn', 'win']
    >>> sorted(moves_of(changed(game, monarch=1), 1) ^ moves_of(game, 1))
    ['monarch']
    >>> sorted(moves_of(with_player(game, 1, cannot_lose=True), 1) ^ moves_of(game, 1))
    ['lose']
    >>> sorted(moves_of(with_player(game, 1, out="life"), 1))
    []
    """
    moves: list[Move] = [PassTurn(seat), Concede(seat), ConcedeTo(seat), Lose((seat,)), Win(seat)]
    moves += [CrownMonarch(seat)] if seat != state.monarch else []
    return frozenset(move.type for move in moves if refusal(state, move) is None)


def holds_of(state: GameState, seat: int) -> tuple[Hold, ...]:
    """
    >>> from .formats.coalition import COALITION_906
    >>> from .state import new_game
    >>> [hold.sentence()[1] for hold in holds_of(new_game(COALITION_906, (1, 2)), 1)]
    [" can't lose", " can't win", " can't lose and can't win"]
    """
    player = state.players[seat]
    all_holds = (True, False), (False, True), (True, True), (False, False)
    holds = (Hold(seat, lose, win) for lose, win in all_holds)
    is_so = Hold(seat, player.cannot_lose, player.cannot_win)
    return tuple(hold for hold in holds if hold != is_so and refusal(state, hold) is None)


def hero_zones(state: GameState, seat: int) -> tuple[Zone, ...]:
    """Return where a player's hero can go now (906.8, 906.9).

    >>> from .formats.coalition import COALITION_906
    >>> from .state import new_game, with_player
    >>> game = new_game(COALITION_906, (1, 2))
    >>> [zone.value for zone in hero_zones(game, 1)], hero_zones(game, 2)
    (['hand'], ())
    >>> [zone.value for zone in hero_zones(with_player(game, 2, hero=Zone.EXILE), 2)]
    ['outside', 'hand', 'stack', 'battlefield', 'graveyard', 'library']
    """
    return tuple(zone for zone in Zone if refusal(state, MoveHero(seat, zone)) is None)


def hero_advice(state: GameState, seat: int) -> RuleError | Sentence:
    """Return when a player's hero may come or go: in a line, or by what forbids it now.

    >>> from .formats.coalition import COALITION_906
    >>> from .state import new_game, with_player
    >>> game = new_game(COALITION_906, (1, 2))
    >>> hero_advice(game, 1)
    ['Once a turn of ', 1, ', in a main phase while the stack is empty (906.8).']
    >>> hero_advice(game, 2).code
    'hero_not_your_turn'
    >>> hero_advice(with_player(game, 2, hero=Zone.GRAVEYARD), 2)
    ['It may go outside as soon as it is put into the graveyard (906.9).']
    >>> hero_advice(with_player(game, 2, hero=Zone.STACK), 2)
    ['It can be countered. It may go outside instead of to hand or library (906.9).']
    """
    match state.players[seat].hero:
        case Zone.OUTSIDE:
            time, source = state.ruleset.hero_time, state.ruleset.hero_source
            in_time: Sentence = ["Once a turn of ", seat, f", {time} ({source})."]
            return refusal(state, MoveHero(seat, Zone.HAND)) or in_time
        case Zone.GRAVEYARD:
            return ["It may go outside as soon as it is put into the graveyard (906.9)."]
        case Zone.EXILE:
            return ["It may go outside as soon as it is exiled (906.9)."]
        case Zone.STACK:
            return ["It can be countered. It may go outside instead of to hand or library (906.9)."]
    return ["It may go outside whenever it would go to hand or library (906.9)."]
