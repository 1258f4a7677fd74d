"""A whole set on pages: its standings, the start of the next game with its dice, the result."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from coalition_site.lib.bidi import isolated

from ..models import Game, GameSet
from ..record import dice, starting
from ..record.queries import set_state
from ..rules import recap, sets
from ..rules.damage import DealDamage
from ..rules.effects import Reason
from ..rules.log import GameLog
from ..rules.words import count, listed, plain
from . import wording
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
    last, number = ending(game_set, state.games[-1]), len(state.games)
    names = plain(listed([place.who.seat for place in first]), game_set.names)
    is_one_side = len(first) in (1, len(first[0].team))
    how = last.why
    if state.ruleset.games > 1:
        game = wording.sentence_case(in_set(game_set, number))
        drawn = f"a draw, {state.ruleset.ending(state.games[-1])}."
        how = f"{game}: " + (f"{last.title}. {how}" if last.winner else drawn)
    called = " The set was called early." if state.called else ""
    return Outcome(
        title=f"{names} {verb(state, len(first))}",
        why=f"{lead(places)} {how}{called}".lstrip(),
        winner=first[0].who if is_one_side else None,
        points=first[0].points,
    )


def lead(places: Sequence[Place]) -> str:
    # Nothing, where several are first or life broke the tie.
    points = [place.points for place in places if place.points is not None]
    return f"By {points[0] - points[1]} VP." if points and points[0] > points[1] else ""


def next_game(game_set: GameSet, state: sets.SetState) -> dict[str, Any]:
    """Return how the next game starts: in an ``order``, by a ``chooser``; the first by neither."""
    # ``rolls`` broke ties in the standings; heroes are ``announced`` before the first roll.
    number, start, rules = len(state.games) + 1, sets.next_start(state), game_set.rules
    rolled = starting.rolls(game_set, number, start.groups) if start else []
    order = [who(game_set, seat) for seat in starting.order(rolled)] if start else []
    announces = number == 1 and rules.announces_heroes
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
            for group in rolled
            if len(group) > 1
        ],
        "chooser": order[0] if start and not start.orders else None,
        "order": order if start and start.orders else (),
        "first": not order,
        "places": range(1, len(state.able) + 1),
    }


def started(game_set: GameSet, played: Sequence[Game]) -> dict[str, Any]:
    *earlier, game = played
    groups = (
        starting.rolling_groups(set_state(game_set, earlier), game.dropped) if game.rolled else ()
    )
    side = game.current_state.side_of(game.turn_order[0])
    first = plain(listed(side), game_set.names)
    return {
        "starts": f"{first} {'starts' if len(side) == 1 else 'start'}",
        "rolls": {
            seat: shown_roll(numbers)
            for group in starting.rolls(game_set, game.number, groups)
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


Summary = dict[str, Any]


def summary(game_set: GameSet, played: list[Game]) -> Summary:
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


def final(
    game_set: GameSet, played: Sequence[Game], state: sets.SetState, logs: Sequence[GameLog]
) -> dict[str, Any]:
    """Return the final standings, how each game ended (``endings``), and some numbers in words."""
    places = [
        place._replace(did=" · ".join(recap.of_games(logs, place.who.seat)))
        for place in podium(game_set, state)
    ]
    if state.ruleset.cap is None:
        places = _by_outlasted(game_set, places, logs)
    numbers = [count(len(logs), "game")]
    entered = [number for number, game in enumerate(state.games, 1) if game.entered_for]
    if not entered:
        ends = max(game.ended_at for game in played if game.ended_at)
        numbers.append(elapsed(played[0].started_at, ends))
    if len(entered) < len(played) and DealDamage in game_set.rules.moves:
        moves = [line.move for log in logs for line in log.lines]
        hits = sum(len(move.hits) for move in moves if isinstance(move, DealDamage))
        numbers.append(count(hits, "hit"))
    first = [place.who for place in places if place.rank == 1]
    cells = [[_cell(log, place.who.seat) for log in logs] for place in places]
    notes: dict[int, str] = {}
    for game, at in zip(played, state.games, strict=True):
        notes = dict.fromkeys(game.dropped, f"left before game {game.number}") | notes
        notes = dict.fromkeys(at.barred, f"conceded game {game.number}") | notes
    return {
        "rows": [
            {"place": place, "cells": of_place, "note": notes.get(place.who.seat, "")}
            for place, of_place in zip(places, cells, strict=True)
        ],
        "places": places,
        "lead": lead(places),
        "first": first,
        "verb": verb(state, len(first)),
        "endings": [log.state.ruleset.ending(log.state) for log in logs],
        "numbers": ", ".join(numbers),
        "entered": entered,
        "any_voided": any(cell["voided"] for of_place in cells for cell in of_place),
    }


def _by_outlasted(
    game_set: GameSet, places: Iterable[Place], logs: Sequence[GameLog]
) -> list[Place]:
    """Return places that say how a player fell and outlasted whom, those of a rank by that."""
    outlasted, falls = Counter[int](), dict[int, recap.Elimination]()
    for log in logs:
        outlasted.update(recap.outlasted(log))
        falls |= recap.eliminations(log)
    ordered = []
    for place in sorted(places, key=lambda place: (place.rank, -outlasted[place.who.seat])):
        seat, games = place.who.seat, place.games
        if seat in falls and seat not in logs[-1].state.winners:
            games = plain(falls[seat].sentence(), game_set.names)
        if outlasted[seat] and place.rank > 1:  # winning says it all
            games += f", outlasted {count(outlasted[seat], 'opponent')}"
        ordered.append(place._replace(games=games))
    return ordered


def verb(state: sets.SetState, first: int) -> str:
    if state.ruleset.games > 1:
        return "takes the set" if first == 1 else "share the set"
    if state.games[-1].winner is None:
        return "draw"
    return "wins" if first == 1 else "win"


def _cell(log: GameLog, seat: int) -> dict[str, Any]:
    """Return a player's points in a game; ``voided`` were lost by conceding."""
    player = log.state.players.get(seat)
    return {
        "played": player is not None,
        "points": player.points if player else 0,
        "won": log.state.winner == seat,
        "voided": sum(
            -posting.points
            for line in log.lines
            for posting in line.postings
            if posting.player == seat and posting.reason is Reason.CONCESSION
        ),
    }


def elapsed(since: datetime, until: datetime) -> str:
    minutes = int((until - since).total_seconds() // 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def sides(players: Sequence[T], *, upright: bool) -> tuple[Sequence[T], Sequence[T]]:
    """Return the players in two rows, far and near, as they sit: clockwise from the far left."""
    # The style sheet turns the far row upside down unless all are ``upright``: it then has to run
    # from right to left.
    half = len(players) // 2
    far, near = players[:half], players[half:]
    return (far, near) if upright else (far[::-1], near[::-1])
