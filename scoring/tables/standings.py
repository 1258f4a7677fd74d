"""A whole set on pages: its standings, the start of the next game with its dice, the result."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from django.utils.text import capfirst

from coalition_site.lib.bidi import isolated

from ..models import Game, GameSet
from ..record import dice
from ..record.queries import set_state
from ..rules import sets
from ..rules.words import listed, plain
from .board import Outcome, Who, ending, in_set, title, who

T = TypeVar("T")


class Place(NamedTuple):
    who: Who
    rank: int
    points: int | None  # None where a format has no VP
    games: str  # the points game by game, or how each game went
    did: str = ""  # in these games
    team: tuple[Who, ...] = ()  # who are ranked together, where there are teams
    team_result: str = ""


def podium(game_set: GameSet, state: sets.SetState) -> list[Place]:
    places = [
        Place(
            who=who(game_set, standing.player),
            rank=standing.rank,
            points=standing.victory_points if game_set.rules.cap else None,
            games=_of_games(state, standing.player),
        )
        for standing in sets.standings(state)
    ]
    if not game_set.team_size:
        return places
    ranks = sorted({place.rank for place in places})
    return [
        place._replace(
            rank=1 + ranks.index(place.rank),
            team=tuple(who(game_set, seat) for seat in side),
            team_result=state.ruleset.team_result(state.games[-1], side) if state.games else "",
        )
        for place in places
        for side in state.ruleset.teams(len(game_set.names))
        if place.who.seat in side
    ]


def _of_games(state: sets.SetState, seat: int) -> str:
    played = [game for game in state.games if seat in game.players]
    if state.ruleset.cap is not None:
        return " + ".join(str(game.players[seat].points) for game in played)
    fates = []
    for game in played:
        if seat in game.winners:
            fates.append("won")
        elif seat in game.drew:
            fates.append("drew")
        elif out := game.players[seat].out:
            fates.append(f"out: {out}")
        elif game.is_over and game.ruleset.is_ranked:
            fates.append("lost")
    return ", ".join(fates)


def in_words(game_set: GameSet, state: sets.SetState) -> str:
    """Return the standings of a set, as in "Ann 42, Bo 30", or without VP in "Ann won, Bo"."""
    words = []
    for place in podium(game_set, state):
        stands = place.games if place.games in ("won", "drew") else ""
        if place.points is not None:
            stands = str(place.points)
        words.append(f"{isolated(place.who.name)} {stands}".rstrip())
    return ", ".join(words)


def result(game_set: GameSet, state: sets.SetState) -> Outcome | None:
    """Return who took a set, then how its last game ended; None while it is not over."""
    if not state.has_results:
        return None
    places = podium(game_set, state)
    first = [place for place in places if place.rank == 1]
    last = ending(game_set, state.games[-1])
    names = plain(listed([place.who.seat for place in first]), game_set.names)
    how = last.why
    if state.ruleset.games > 1:
        game = capfirst(in_set(game_set, len(state.games)))
        drawn = f"a draw, {state.ruleset.ending(state.games[-1])}."
        how = f"{game}: " + (f"{last.title}. {how}" if last.winner else drawn)
    called = " The set was called early." if state.called else ""
    return Outcome(
        title=f"{names} {verb(state, len(first))}",
        why=f"{lead(places)} {how}{called}".lstrip(),
        winner=first[0].who if len(first) in (1, len(first[0].team)) else None,
        points=first[0].points,
    )


def lead(places: Sequence[Place]) -> str:
    # Nothing, where several are first or life broke the tie.
    points = [place.points for place in places if place.points is not None]
    return f"By {points[0] - points[1]} VP." if points and points[0] > points[1] else ""


def next_game(game_set: GameSet, state: sets.SetState) -> dict[str, Any]:
    """Return how the next game starts: in an ``order``, or as one who ``chooses``."""
    # ``rolls`` broke ties in the standings; heroes are ``announced`` before the first roll.
    number, start, rules = len(state.games) + 1, sets.next_start(state), game_set.rules
    rolled = dice.rolls(game_set, number, start.groups) if start else []
    shown = rolled if start and start.orders else [*map(dice.for_the_first, rolled)]
    order = [who(game_set, seat) for seat in dice.order(rolled)] if start else []
    announces = number == 1 and rules.announces_heroes
    chooses = ""
    if start and not start.orders:
        by_dice = " (the dice broke a tie)" if len(order) > 1 else ""
        chooses = f"{isolated(order[0].name)} has the lowest standing{by_dice} and chooses"
        chooses += f" who starts game {number}"
    return {
        "number": number,
        "note": rules.start_note if number == 1 else "",
        "able": [who(game_set, seat) for seat in state.able],
        "by_order": rules.orders_by_standing,
        "announced": [
            (who(game_set, seat), game_set.hero_of(seat)) for seat in game_set.names if announces
        ],
        "rolls": [
            [(who(game_set, seat), shown_roll(group[seat])) for seat in dice.highest_first(group)]
            for group in shown
            if len(group) > 1
        ],
        "chooses": chooses,
        "order": order if start and start.orders else (),
        "first": not order,
        "places": range(1, len(state.able) + 1),
    }


def started(game_set: GameSet, played: Sequence[Game]) -> dict[str, Any]:
    *earlier, game = played
    groups = dice.rolling_groups(set_state(game_set, earlier), game.dropped) if game.rolled else ()
    rolled = dice.rolls(game_set, game.number, groups)
    if not game_set.rules.orders_by_standing:
        rolled = [*map(dice.for_the_first, rolled)]
    side = game.current_state.side_of(game.turn_order[0])
    first = plain(listed(side), game_set.names)
    return {
        "starts": f"{first} {'starts' if len(side) == 1 else 'start'}",
        "rolls": {
            seat: shown_roll(numbers)
            for group in rolled
            for seat, numbers in group.items()
            if numbers and seat in game.turn_order
        },
    }


def shown_roll(numbers: Sequence[int]) -> str:
    """Return one player's rolls: whoever ties with another rolls again.

    >>> shown_roll([19, 4])
    '19, again 4'
    """
    return ", again ".join(map(str, numbers))


def summary(game_set: GameSet, played: list[Game]) -> dict[str, Any]:
    state = set_state(game_set, played)
    return {
        "code": game_set.code,
        "created_at": game_set.created_at,
        "ruleset": game_set.rules.title,
        "is_ranked": game_set.rules.is_ranked,
        "finished": state.is_finished,
        "trial": game_set.is_trial,
        "number": len(played),
        "title": title(game_set, len(played)),
        "podium": podium(game_set, state),
    }


def verb(state: sets.SetState, first: int) -> str:
    if state.ruleset.games > 1:
        return "takes the set" if first == 1 else "share the set"
    if state.games[-1].winner is None:
        return "draw"
    return "wins" if first == 1 else "win"


def sides(players: Sequence[T], *, upright: bool) -> tuple[Sequence[T], Sequence[T]]:
    """Return the players in two rows, far and near, as they sit: clockwise from the far left."""
    # The style sheet turns the far row upside down unless all are ``upright``: it then has to run
    # from right to left.
    half = len(players) // 2
    far, near = players[:half], players[half:]
    return (far, near) if upright else (far[::-1], near[::-1])
