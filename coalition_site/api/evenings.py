"""Evenings: those of a playgroup, and one with its rounds, tables and standings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from ninja import Router

from scoring.groups.evenings import queries
from scoring.groups.evenings.queries import BYE, EveningRows
from scoring.groups.evenings.standings import Standing, standings
from scoring.models import Evening, Player, Playgroup, Round
from scoring.rules.formats import RULESETS

from . import shapes
from .groups import visible_group
from .paging import PageNumber, page
from .problems import Problem

router = Router(tags=["Evenings"])

UNKNOWN = "There is no such evening in this playgroup. Its evenings have their numbers."


@router.get(
    "/playgroups/{slug:code}/evenings",
    response=shapes.Listed[shapes.Evening],
    url_name="api_evenings",
)
def evenings(request: HttpRequest, code: str, number: PageNumber = 1) -> dict[str, Any]:
    """A playgroup’s evenings, the latest first, with those that are planned."""
    group = visible_group(request, code)
    return page(request, group.evenings.all(), number, lambda one: _evening(request, group, one))


def _evening(request: HttpRequest, group: Playgroup, evening: Evening) -> dict[str, Any]:
    where = reverse("evening", args=[group.code, evening.number])
    return {
        "number": evening.number,
        "name": evening.name,
        "format": RULESETS[evening.ruleset].format,
        "ruleset": evening.ruleset,
        "starts_at": evening.starts_at,
        "ended_at": evening.ended_at,
        "rounds_planned": evening.rounds_planned,
        "minutes": evening.minutes,
        "url": request.build_absolute_uri(where),
    }


@router.get(
    "/playgroups/{slug:code}/evenings/{int:number}",
    response=shapes.WholeEvening,
    url_name="api_evening",
)
def evening(request: HttpRequest, code: str, number: int) -> dict[str, Any]:
    """An evening: its rounds with who sits where, and the standings over all tables.

    Games that are played count as they stand.
    """
    group = visible_group(request, code)
    found = queries.find_evening(group, number)
    if found is None:
        raise Problem(404, UNKNOWN)
    rows = queries.read(found)
    has_points = RULESETS[found.ruleset].cap is not None
    return _evening(request, group, found) | {
        "rounds": [_round(rows, each) for each in rows.rounds],
        "ranked_by": "total",
        "standings": [_standing(one, has_points) for one in standings(rows)],
    }


def _round(rows: EveningRows, round: Round) -> dict[str, Any]:
    sets = {number: table.game_set.code for number, table in rows.tables_of(round).items()}
    return {
        "number": round.number,
        "begun_at": round.begun_at,
        "tables": [
            {"number": number, "set": sets.get(number), "players": _people(rows, keys)}
            for number, keys in rows.seated(round).items()
        ],
        "byes": _people(
            rows, [place.player_id for place in rows.places_of(round) if place.table == BYE]
        ),
        "repeats": round.repeats,
        "fewest_repeats": round.fewest,
    }


def _people(rows: EveningRows, keys: list[int]) -> list[dict[str, Any]]:
    return [_person(rows.person(key)) for key in keys]


def _person(player: Player) -> dict[str, Any]:
    return {"player": player.pk, "name": player.name}


def _standing(one: Standing, has_points: bool) -> dict[str, Any]:
    return _person(one.player) | {
        "rank": one.rank,
        "is_guest": one.player.is_guest,
        "is_here": one.here,
        "is_playing": one.is_playing,
        "total": one.total,
        "byes": one.byes,
        "games": one.score.games,
        "games_won": one.score.won,
        "victory_points": one.score.points if has_points else None,
        "per_game": one.mean if has_points else None,
    }
