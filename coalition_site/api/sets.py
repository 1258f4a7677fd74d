"""Sets: those of a playgroup, a set with its games, and its log."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Prefetch
from django.http import HttpRequest

from scoring import access
from scoring.groups.data.serializing import Json, fields, serialize_result
from scoring.groups.people.merging import person_of
from scoring.models import GameSet, Seat
from scoring.record import counting, queries, seating
from scoring.rules import sets as rules
from scoring.setlog import document as setlog

from .door import WITH_TOKEN, link, number, or_404, page, truth
from .groups import find_player, visible_group

UNSEEN = f"There is no set here that you can see. If its playgroup is private, {WITH_TOKEN}"
SEATS = Seat.objects.select_related("result").order_by("number")


def sets(request: HttpRequest, code: str) -> Json:
    group = visible_group(request, code)
    chosen = GameSet.objects.filter(playgroup=group)
    finished, player = truth(request, "finished"), number(request, "player")
    if finished is not None:
        chosen = chosen.filter(finished_at__isnull=not finished)
    if player is not None:
        seats = Seat.objects.filter(player__in=person_of(find_player(group, player)))
        chosen = chosen.filter(Exists(seats.filter(game_set=OuterRef("pk"))))
    complete = chosen.order_by("-created_at", "-pk").prefetch_related(Prefetch("seats", SEATS))
    merged = seating.merged_into(group.pk)
    return page(
        request, complete, lambda one: _set(request, one, group.code, one.seats.all(), merged)
    )


def _set(
    request: HttpRequest,
    game_set: GameSet,
    group: str | None,
    seats: Iterable[Seat],
    merged: dict[int, int | None],
) -> Json:
    shown = []
    for seat in seats:
        result, done = getattr(seat, "result", None), Json()
        if result:
            result.game_set = game_set  # or each would ask for it
            done = serialize_result(result)
        shown.append(
            fields(seat, "number", "name")
            | fields(game_set.hero_of(seat.number), hero="name", coalition_type="type")
            | {name: done.get(name) for name in ("rank", "victory_points", "games_won")}
            | {"player": seat.player_id and counting.root(seat.player_id, merged)}
        )
    return {
        "playgroup": group,
        **fields(game_set, "code", "ruleset", "created_at", "finished_at", format="rules.format"),
        "seats": shown,
        "url": link(request, "watch", game_set.code),
    }


def visible_set(request: HttpRequest, code: str) -> GameSet:
    game_set = queries.find_set(code)
    return or_404(game_set if game_set and access.may_watch(request, game_set) else None, UNSEEN)


def set_and_games(request: HttpRequest, code: str) -> Json:
    game_set = visible_set(request, code)
    group, played = access.visible_group(request, game_set), queries.games(game_set)
    merged = seating.merged_into(game_set.playgroup_id) if game_set.playgroup_id else {}
    seats = SEATS.filter(game_set=game_set)
    shown = _set(request, game_set, group.code if group else None, seats, merged)
    has_points = game_set.rules.cap is not None
    state = queries.set_state(game_set, played)
    for seat in shown["seats"]:
        if seat["rank"] is None:
            stands = rules.victory_points(state, seat["number"]) if has_points else None
            seat |= {"victory_points": stands, "games_won": rules.games_won(state, seat["number"])}
    games = []
    for game in played:
        now = game.current_state
        points = {seat: sat.points for seat, sat in sorted(now.players.items())}
        games.append(
            fields(game, "number", "status", "started_at", "ended_at", "turn_order")
            | {"winners": sorted(now.winners), "victory_points": points if has_points else None}
            | {"entered_for": now.entered_for or None}
        )
    return shown | {"games": games, "log": link(request, "api_log", game_set.code)}


def log(request: HttpRequest, code: str) -> Json:
    return setlog.write(queries.set_log(visible_set(request, code)))
