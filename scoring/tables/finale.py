"""The end of a set, as all screens show it: standings, what decided it, race and picture."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.text import capfirst

from coalition_site.lib.bidi import isolated

from .. import access
from ..models import Game, GameSet
from ..pictures import charts
from ..pictures.sets import of_set
from ..record import queries
from ..rules import recap, sets
from ..rules.damage import DealDamage
from ..rules.effects import Reason
from ..rules.log import GameLog
from ..rules.results import EnterResult
from ..rules.words import count, plain
from .board import in_set
from .standings import Place, lead, podium, verb


def finale(
    request: HttpRequest, game_set: GameSet, played: list[Game], state: sets.SetState
) -> dict[str, Any]:
    """Return how a set that is over ended; without points it has neither race nor turning point."""
    logs, has_points = queries.replayed_logs(played), game_set.rules.cap is not None
    group = access.visible_group(request, game_set)
    final = _final(game_set, played, state, logs)
    return {
        "final": final,
        "podium": final["places"],
        "decided": _decided(game_set, state, logs) if has_points else "",
        "chart": charts.race(game_set, state, logs) if has_points else None,
        "picture": of_set(game_set, played, group).versioned,
    }


def _decided(game_set: GameSet, state: sets.SetState, logs: Sequence[GameLog]) -> str:
    winner, *others = sets.standings(state)
    if any(other.rank == 1 for other in others):
        return ""
    name = game_set.names[winner.player]
    if (since := recap.took_the_lead(state, logs, winner.player)) is None:
        tied = [one.player for one in others if one.victory_points == winner.victory_points]
        by_life = any(seat in state.games[-1].players for seat in tied)
        how = "has more life at the end" if by_life else "was still in the last game"
        return f"As many VP as another: {isolated(name)} {how}."
    number, line = since
    game = in_set(game_set, number)
    if isinstance(line.move, EnterResult):
        return f"{capfirst(game)} put {isolated(name)} ahead for good."
    how = plain(line.move.sentence(), game_set.names)
    return f"{isolated(name)} was ahead for good since event {line.number} of {game}: {how}."


def _final(
    game_set: GameSet, played: Sequence[Game], state: sets.SetState, logs: Sequence[GameLog]
) -> dict[str, Any]:
    """Return the final standings, how each game ended (``endings``), and some numbers in words."""
    notes: dict[int, str] = {}
    for game, at in zip(played, state.games, strict=True):
        notes = dict.fromkeys(game.dropped, f"left before game {game.number}") | notes
        notes = dict.fromkeys(at.barred, f"conceded game {game.number}") | notes
    places = []
    for place in podium(game_set, state):
        seat = place.who.seat
        did = [notes[seat]] if seat in notes else []
        did += recap.of_games(logs, seat)
        places.append(place._replace(did=" · ".join(did)))
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
    return {
        "rows": list(zip(places, cells, strict=True)),
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
