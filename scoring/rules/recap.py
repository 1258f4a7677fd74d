"""What players did in a game, besides their VP: for its recap and for statistics."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .damage import DealDamage
from .effects import Ending, Leaving, MonarchChanged, PlayerLeft, PointsScored, Reason, TurnBegan
from .log import EventInForce, GameLog
from .sets import SetState, victory_points
from .state import GameState, Status
from .values import Value
from .words import Sentence, listed


class Elimination(Value):
    """How a player left a game: in which of its turns, why, and by whose damage, if by any."""

    turn: int
    reason: str
    by: tuple[int, ...]

    def sentence(self) -> Sentence:
        by: Sentence = [", by ", *listed(self.by)] if self.by else []
        reason = "no life left" if self.reason == Leaving.LIFE else self.reason
        return [f"out in turn {self.turn}: {reason}", *by]


def turn_order(log: GameLog) -> list[int]:
    """Return the seats as their first turns came: as they sat when the first turn ended."""
    at = log.start
    for line in log.lines:
        if any(isinstance(effect, TurnBegan) for effect in line.effects):
            break
        at = line.after
    return list(at.players)


def eliminations(log: GameLog) -> dict[int, Elimination]:
    turn, gone = 1, {}
    for line in log.lines:
        passed = [effect.passed for effect in line.effects if isinstance(effect, TurnBegan)]
        turn += passed.count(False)
        for effect in line.effects:
            if isinstance(effect, PlayerLeft):
                by_damage = effect.reason in (Leaving.LIFE, Leaving.POISON)
                hits = line.move.hits if by_damage and isinstance(line.move, DealDamage) else ()
                by = dict.fromkeys(hit.source for hit in hits if hit.target == effect.player)
                sources = tuple(source for source in by if source is not None)
                gone[effect.player] = Elimination(turn, effect.reason, sources)
        turn += passed.count(True)  # turns that began because somebody left
    return gone


def of_games(logs: Sequence[GameLog], seat: int) -> list[str]:
    played = [log for log in logs if seat in log.state.players]
    if not played:
        return []
    lines = [line for log in played for line in log.lines]
    dealt = sum(
        hit.amount  # overkill included
        for line in lines
        if isinstance(line.move, DealDamage)
        for hit in line.move.hits
        if hit.source == seat != hit.target
    )
    effects = [effect for line in lines for effect in line.effects]
    state = played[-1].state
    damage = [f"{dealt} damage dealt"] if dealt else []
    return damage + state.ruleset.recap(state, effects, seat)


@dataclass
class Stats:
    """``best_turn`` is the most VP in one turn, whoever's turn it was, 0 where they became void;
    ``monarch_turns`` counts the player's own turns that ended with the player as the monarch,
    ``outlasted`` the opponents who left the game before the player did."""

    best_turn: int = 0
    monarch_turns: int = 0
    outlasted: int = 0


def stats(log: GameLog) -> dict[int, Stats]:
    by_seat = {seat: Stats() for seat in log.start.players}
    active, monarch = log.start.active, log.start.monarch
    in_turn = dict.fromkeys(by_seat, 0)
    for line in log.lines:
        # Combat adds the turn that it began after its points, which are of that turn.
        for effect in sorted(
            line.effects, key=lambda it: not isinstance(it, TurnBegan) or it.passed
        ):
            match effect:
                case TurnBegan():
                    if active == monarch and not effect.passed:
                        by_seat[active].monarch_turns += 1
                    active, in_turn = effect.player, dict.fromkeys(by_seat, 0)
                case MonarchChanged():
                    monarch = effect.player
                case PointsScored() if effect.reason is not Reason.ENTERED:
                    in_turn[effect.player] += effect.points
                    best = by_seat[effect.player].best_turn
                    by_seat[effect.player].best_turn = max(best, in_turn[effect.player])
    for seat, player in log.state.players.items():
        by_seat[seat].best_turn = min(by_seat[seat].best_turn, player.points)
    for seat, count in outlasted(log).items():
        by_seat[seat].outlasted = count
    return by_seat


def outlasted(log: GameLog) -> dict[int, int]:
    """Who leave by one event leave together; a team leaves as one, so nobody outlasts others."""
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


def stats_of_set(state: SetState, logs: Iterable[GameLog]) -> list[dict[int, Stats]]:
    """Return the stats of all players in each game of a set, as far as they count in the set."""
    points = {seat: victory_points(state, seat) for seat in state.seats}
    games = []
    for log in logs:
        by_seat = {seat: Stats() for seat in state.seats} | stats(log)
        for seat, done in by_seat.items():
            done.best_turn = min(done.best_turn, points[seat])
        games.append(by_seat)
    return games


def totals(state: SetState, logs: Sequence[GameLog]) -> tuple[dict[int, list[int]], list[int]]:
    """Return each seat's standing after each event in force, from 0, and where games end."""
    by_seat: dict[int, list[int]] = {seat: [0] for seat in state.seats}
    cuts: list[int] = []
    for at, log in enumerate(logs):
        before = tuple(game.state for game in logs[:at])
        for line in log.lines:
            now = replace(state, games=(*before, line.after))
            for seat, run in by_seat.items():
                run.append(victory_points(now, seat))
        cuts.append(len(next(iter(by_seat.values()))) - 1)
    return by_seat, cuts


def took_the_lead(
    state: SetState, logs: Sequence[GameLog], seat: int
) -> tuple[int, EventInForce] | None:
    """Return the game, from 1, and the event with which a player went ahead of all others for good;
    None if the player is not alone in front at the end."""
    by_seat, _ = totals(state, logs)
    own = by_seat.pop(seat)
    since = None
    events = [(number, line) for number, log in enumerate(logs, 1) for line in log.lines]
    for at, event in enumerate(events, 1):
        if own[at] <= max(run[at] for run in by_seat.values()):
            since = None
        elif since is None:
            since = event
    return since


def is_conceded(game: GameState) -> bool:
    conceded = any(player.out == Leaving.CONCEDED for player in game.players.values())
    return conceded and game.status is Status.WON and game.ended_by != Ending.VICTORY_POINTS
