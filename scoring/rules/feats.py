"""What players did in a game besides their VP: the most in one turn, turns as the monarch, and whom
they outlasted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .effects import Effect, Ending, Leaving, MonarchChanged, PlayerLeft, PointsScored, TurnBegan
from .log import GameLog
from .sets import SetState, victory_points
from .state import GameState, Status


@dataclass
class Feats:
    """``best_turn`` is the most VP in one turn, whoever's turn it was, 0 where they became void;
    ``monarch_turns`` counts the player's own turns that ended with the player as the monarch,
    ``outlasted`` the opponents who left the game before the player did."""

    best_turn: int = 0
    monarch_turns: int = 0
    outlasted: int = 0


def feats(log: GameLog) -> dict[int, Feats]:
    """Return what each player did in a game, by seat."""
    by_seat = {seat: Feats() for seat in log.start.players}
    active, monarch = log.start.active, log.start.monarch
    in_turn = dict.fromkeys(by_seat, 0)
    for effect in (effect for line in log.lines for effect in _in_order(line.effects)):
        match effect:
            case TurnBegan():
                if active == monarch and not effect.passed:
                    by_seat[active].monarch_turns += 1
                active, in_turn = effect.player, dict.fromkeys(by_seat, 0)
            case MonarchChanged():
                monarch = effect.player
            case PointsScored():
                in_turn[effect.player] += effect.points
                best = by_seat[effect.player].best_turn
                by_seat[effect.player].best_turn = max(best, in_turn[effect.player])
    for seat, player in log.state.players.items():
        by_seat[seat].best_turn = min(by_seat[seat].best_turn, player.points)
    for seat, count in outlasted(log).items():
        by_seat[seat].outlasted = count
    return by_seat


def outlasted(log: GameLog) -> dict[int, int]:
    """Return how many opponents each player outlasted: all of them, for whoever won.

    Who leave by one event leave together. In teams nobody falls alone, so nobody outlasts others.
    """
    if log.start.ruleset.has_teams:
        return {}
    gone = 0
    counts: dict[int, int] = {}
    for line in log.lines:
        leaving = {effect.player for effect in line.effects if isinstance(effect, PlayerLeft)}
        counts |= dict.fromkeys(leaving, gone)
        gone += len(leaving)
    counts |= dict.fromkeys(log.state.in_game, gone)
    return counts | dict.fromkeys(log.state.winners, len(log.start.players) - 1)


def _in_order(effects: Iterable[Effect]) -> list[Effect]:
    # Combat tells that a turn has begun after its points, which are of that turn.
    return sorted(effects, key=lambda effect: not isinstance(effect, TurnBegan) or effect.passed)


def of_set(state: SetState, logs: Iterable[GameLog]) -> list[dict[int, Feats]]:
    """Return what all players of a set did in each of its games, as far as it counts in the set."""
    points = {seat: victory_points(state, seat) for seat in state.seats}
    games = []
    for log in logs:
        by_seat = {seat: Feats() for seat in state.seats} | feats(log)
        for seat, done in by_seat.items():
            done.best_turn = min(done.best_turn, points[seat])
        games.append(by_seat)
    return games


def is_conceded(game: GameState) -> bool:
    """Return whether a game was won because others conceded."""
    conceded = any(player.out == Leaving.CONCEDED for player in game.players.values())
    return conceded and game.status is Status.WON and game.ended_by != Ending.VICTORY_POINTS
