"""A set: who may play its next game, when it is finished, and how its players stand."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from . import errors
from .ranks import ranked
from .ruleset import Ruleset
from .state import GameState, new_game
from .values import Value


class SetState(Value):
    """``seats`` are the seat numbers clockwise; ``dropped`` left between games, without penalty;
    a ``called`` set was ended after the last of ``games``."""

    ruleset: Ruleset
    seats: tuple[int, ...]
    games: tuple[GameState, ...] = ()
    dropped: frozenset[int] = frozenset()
    called: bool = False

    @property
    def barred(self) -> frozenset[int]:
        """The seats that conceded a game with the penalty (906.10g)."""
        return frozenset().union(*(game.barred for game in self.games))

    @property
    def able(self) -> tuple[int, ...]:
        """The seats that can play a next game, clockwise."""
        gone = self.dropped | self.barred
        return tuple(seat for seat in self.seats if seat not in gone)

    @property
    def seated(self) -> tuple[int, ...]:
        """The seats that can play a next game, clockwise as they sat at the end of the last one, in
        which some may have swapped places."""
        if not self.games or self.ruleset.orders_by_standing:
            return self.able
        return tuple(seat for seat in self.games[-1].players if seat in self.able)

    @property
    def is_playing(self) -> bool:
        return bool(self.games) and not self.games[-1].is_over

    @property
    def is_finished(self) -> bool:
        if not self.games or self.is_playing:
            return False
        return self.called or len(self.games) == self.ruleset.games or len(self.able) < 2

    @property
    def has_results(self) -> bool:
        return self.is_finished and self.ruleset.is_ranked


class Standing(Value):
    """``rank`` is standard competition ranking: 1, 2, 2, 4."""

    rank: int
    player: int
    victory_points: int
    games_won: int


class NextStart(Value):
    """Each of ``groups`` are tied players, clockwise. If it ``orders``, they are in turn order,
    lowest standing first; otherwise there is one group, those who stand lowest, of whom one
    chooses who starts (906.7b)."""

    orders: bool
    groups: tuple[tuple[int, ...], ...]


def start_game(
    before: SetState,
    first: int,
    *,
    dropped: Iterable[int] = (),
    turn_order: tuple[int, ...] | None = None,
) -> GameState:
    """Without ``turn_order`` the turn goes clockwise from the seat ``first``.

    :raises CannotStart: if the set's next game can't start so.
    """
    if before.is_playing:
        raise errors.GameInProgress()
    if before.is_finished or len(before.games) == before.ruleset.games:
        raise errors.NoFurtherGame()
    able, leaving = before.able, set(dropped)
    if leaving and before.ruleset.games == 1:
        raise errors.NobodyLeavesBefore()
    for seat in (*leaving, first):
        if seat not in able:
            raise errors.NotThere(player=seat)
    players = tuple(seat for seat in able if seat not in leaving)
    if len(players) < 2:
        raise errors.TooFewPlayers()
    if first not in players:
        raise errors.NotThere(player=first)
    order = turn_order or clockwise(players, first)
    if order[0] != first or sorted(order) != sorted(players):
        raise errors.WrongTurnOrder()
    return new_game(before.ruleset, order)


def clockwise(players: tuple[int, ...], first: int) -> tuple[int, ...]:
    """
    >>> clockwise((1, 2, 3, 4), 3)
    (3, 4, 1, 2)
    """
    at = players.index(first)
    return players[at:] + players[:at]


def victory_points(state: SetState, seat: int) -> int:
    """Return a player's standing in points: the games' sum, or 0 where conceding voids the set."""
    if state.ruleset.conceding_voids_set and seat in state.barred:
        return 0
    return sum(game.players[seat].points for game in state.games if seat in game.players)


def points_before(state: SetState, number: int) -> list[int]:
    """In seat order."""
    earlier = replace(state, games=state.games[: number - 1])
    return [victory_points(earlier, seat) for seat in state.seats]


def standings(state: SetState) -> tuple[Standing, ...]:
    """Return all players in rank order, tied ones in seat order (906.12a)."""
    ranks = ranked({seat: _mark(state, seat) for seat in state.seats})
    return tuple(
        Standing(ranks[seat], seat, victory_points(state, seat), games_won(state, seat))
        for seat in sorted(state.seats, key=ranks.__getitem__)
    )


def games_won(state: SetState, seat: int) -> int:
    return sum(seat in game.winners for game in state.games)


def sums(state: SetState, seat: int, orders: Iterable[Sequence[int]]) -> dict[str, int]:
    """By the columns of a result. A game that the others played without the player counts as played
    with 0 points: so it does in the standings (906.12a), and so it must in all averages."""
    played = [game for game in state.games if seat in game.players]
    # In what order a game was played is not known where its result was entered.
    games = zip(state.games, orders, strict=True)
    scored = [(game, order) for game, order in games if not game.entered_for]
    first = [game for game, order in scored if order[0] == seat]
    last = [game for game, order in scored if order[-1] == seat]
    cap = state.ruleset.cap
    at_cap = 0 if cap is None else sum(game.players[seat].points >= cap for game in played)
    return {
        "games_played": len(state.games),
        "games_won": games_won(state, seat),
        "games_at_cap": at_cap,
        "games_first": len(first),
        "points_first": sum(game.players[seat].points for game in first),
        "games_last": len(last),
        "points_last": sum(game.players[seat].points for game in last),
    }


def _mark(state: SetState, seat: int) -> tuple[float, float]:
    """Return what a player is ranked by: VP, or without them games won, then games drawn. Life at
    the end of the last game breaks ties in VP (coalition-2026)."""
    if state.ruleset.cap is None:
        return games_won(state, seat), sum(seat in game.drew for game in state.games)
    points = victory_points(state, seat)
    played_out = state.is_finished and len(state.games) == state.ruleset.games
    if not (state.ruleset.life_breaks_ties and played_out):
        return points, 0
    player = state.games[-1].players.get(seat)
    if player is None:  # after those who were out, who count 0
        return points, float("-inf")
    return points, player.life if player.out is None else 0


def next_start(state: SetState) -> NextStart | None:
    """Return who decides the start of the next game; None unless the set is between games."""
    if not state.games or state.is_playing or state.is_finished:
        return None
    by_points: dict[int, list[int]] = {}
    for seat in state.able:
        by_points.setdefault(victory_points(state, seat), []).append(seat)
    groups = tuple(tuple(by_points[points]) for points in sorted(by_points))  # the lowest first
    orders = state.ruleset.orders_by_standing
    return NextStart(orders, groups if orders else groups[:1])
