"""Sets: those of a playgroup, a set with its games, and its log."""

from __future__ import annotations

from typing import Annotated, Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router

from scoring import access
from scoring.models import Game, GameSet, Playgroup, Seat
from scoring.play import queries
from scoring.rules import sets as rules
from scoring.setlog import document as setlog

from . import shapes
from .groups import find_player, visible_group
from .paging import PageNumber, page
from .problems import Problem

router = Router(tags=["Sets"])

UNSEEN = (
    "There is no set here that you can see. If its playgroup is private, send the token of an "
    "account that belongs to it."
)
FINISHED = "true: only finished sets; false: only those that are played now."
SEATS = Seat.objects.select_related("result").order_by("number")


@router.get("/playgroups/{slug:code}/sets", response=shapes.Listed[shapes.Set], url_name="api_sets")
def sets(
    request: HttpRequest,
    code: str,
    number: PageNumber = 1,
    finished: Annotated[bool | None, Query(description=FINISHED)] = None,
    player: Annotated[int | None, Query(description="Only sets of this player, by id.")] = None,
) -> dict[str, Any]:
    """A playgroup’s sets, the latest first."""
    group = visible_group(request, code)
    chosen = _of_group(group, finished)
    if player is not None:
        chosen = chosen.filter(_of_player(find_player(group, player).pk))
    return _page(request, group, chosen, number)


def _of_group(group: Playgroup, finished: bool | None) -> QuerySet[GameSet]:
    sets = GameSet.objects.filter(playgroup=group)
    return sets if finished is None else sets.filter(finished_at__isnull=not finished)


def _of_player(key: int) -> Exists:
    seats = Seat.objects.filter(Q(player=key) | Q(result__player=key))
    return Exists(seats.filter(game_set=OuterRef("pk")))


def _page(
    request: HttpRequest, group: Playgroup, sets: QuerySet[GameSet], number: int
) -> dict[str, Any]:
    complete = sets.order_by("-created_at", "-pk").prefetch_related(Prefetch("seats", SEATS))

    def shape(game_set: GameSet) -> dict[str, Any]:
        return _set(request, game_set, group.code, list(game_set.seats.all()))

    return page(request, complete, number, shape)


def _set(
    request: HttpRequest, game_set: GameSet, group: str | None, seats: list[Seat]
) -> dict[str, Any]:
    return {
        "code": game_set.code,
        "playgroup": group,
        "format": game_set.rules.format,
        "ruleset": game_set.ruleset,
        "created_at": game_set.created_at,
        "finished_at": game_set.finished_at,
        "seats": [_seat(game_set, seat) for seat in seats],
        "url": request.build_absolute_uri(reverse("watch", args=[game_set.code])),
    }


def _seat(game_set: GameSet, seat: Seat) -> dict[str, Any]:
    result = getattr(seat, "result", None)
    led_by = game_set.hero_of(seat.number)
    return {
        "number": seat.number,
        "name": seat.name,
        "player": (result and result.player_id) or seat.player_id,
        "hero": led_by.name,
        "coalition_type": led_by.type,
        "rank": result.rank if result else None,
        "victory_points": result.victory_points if result and _has_points(game_set) else None,
        "games_won": result.games_won if result else None,
    }


def _has_points(game_set: GameSet) -> bool:
    return game_set.rules.cap is not None


# --- a set ---
def visible_set(request: HttpRequest, code: str) -> GameSet:
    """Return a set that the visitor may see. One query.

    :raises Problem: in the same words, whether it doesn't exist or isn't for this visitor.
    """
    game_set = queries.find_set(code)
    if game_set is None or not access.may_watch(request, game_set):
        raise Problem(404, UNSEEN)
    return game_set


@router.get("/sets/{slug:code}", response=shapes.WholeSet, url_name="api_set")
def set_and_games(request: HttpRequest, code: str) -> dict[str, Any]:
    """A set with its games; while it is played, as it stands now."""
    game_set = visible_set(request, code)
    group, played = access.visible_group(request, game_set), queries.games(game_set)
    seats = list(SEATS.filter(game_set=game_set))
    shown = _set(request, game_set, group.code if group else None, seats)
    for seat, standing in zip(shown["seats"], _standings(game_set, played), strict=True):
        seat |= standing if seat["rank"] is None else {}
    return shown | {
        "games": [_game(game_set, game) for game in played],
        "log": request.build_absolute_uri(reverse("api_log", args=[game_set.code])),
    }


def _standings(game_set: GameSet, played: list[Game]) -> list[dict[str, Any]]:
    """Return the VP and games won so far, in seat order."""
    state = queries.set_state(game_set, played)
    return [
        {
            "victory_points": rules.victory_points(state, seat) if _has_points(game_set) else None,
            "games_won": rules.games_won(state, seat),
        }
        for seat in sorted(game_set.names)
    ]


def _game(game_set: GameSet, game: Game) -> dict[str, Any]:
    state = game.current_state
    points = {seat: player.points for seat, player in sorted(state.players.items())}
    return {
        "number": game.number,
        "status": game.status,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
        "turn_order": game.turn_order,
        "winners": sorted(state.winners),
        "victory_points": points if _has_points(game_set) else None,
    }


@router.get("/sets/{slug:code}/log", response=dict[str, Any], url_name="api_log")
def log(request: HttpRequest, code: str) -> dict[str, Any]:
    """The set log: everything that happened, in the form that imports read."""
    return setlog.write(queries.set_log(visible_set(request, code)))
