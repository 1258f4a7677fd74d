"""Evenings: those of a playgroup, and one with its rounds, tables and standings."""

from __future__ import annotations

from django.http import HttpRequest

from scoring.groups.evenings import queries
from scoring.groups.evenings.queries import BYE, EveningRows
from scoring.groups.evenings.standings import standings
from scoring.groups.serializing import serialize_evening, serialize_standing
from scoring.models import Evening, Playgroup, Round
from scoring.rules.formats import RULESETS

from .asked import fields, link, page
from .door import Json, Problem
from .groups import visible_group

UNKNOWN = "There is no such evening in this playgroup. Its evenings have their numbers."


def evenings(request: HttpRequest, code: str) -> Json:
    """Send a playgroup's evenings, the latest first, with those that are planned."""
    group = visible_group(request, code)
    return page(request, group.evenings.all(), lambda one: _evening(request, group, one))


def _evening(request: HttpRequest, group: Playgroup, evening: Evening) -> Json:
    return {
        **serialize_evening(evening),
        **fields(evening, "starts_at", "ended_at", "rounds_planned", "minutes"),
        "url": link(request, "evening", group.code, evening.number),
    }


def evening(request: HttpRequest, code: str, number: int) -> Json:
    """Send an evening with its standings over all tables; games that are played count as well."""
    group = visible_group(request, code)
    found = queries.find_evening(group, number)
    if found is None:
        raise Problem(404, UNKNOWN)
    rows = queries.read(found)
    has_points = RULESETS[found.ruleset].cap is not None
    return _evening(request, group, found) | {
        "rounds": [_round(rows, each) for each in rows.rounds],
        "ranked_by": "total",
        "standings": [
            serialize_standing(one, has_points)
            | fields(one, "is_playing", "byes")
            | {
                "player": one.player.pk,
                "name": one.player.name,
                "is_guest": one.player.is_guest,
                "is_here": one.here,
                "total": float(one.total),
                "per_game": one.mean if has_points else None,
            }
            for one in standings(rows)
        ],
    }


def _round(rows: EveningRows, round: Round) -> Json:
    def people(keys: list[int]) -> list[Json]:
        return [{"player": key, "name": rows.person(key).name} for key in keys]

    sets = {number: table.game_set.code for number, table in rows.tables_of(round).items()}
    return fields(round, "number", "begun_at", "repeats") | {
        "tables": [
            {"number": number, "set": sets.get(number), "players": people(keys)}
            for number, keys in rows.seated(round).items()
        ],
        "byes": people([place.player_id for place in rows.places_of(round) if place.table == BYE]),
        "fewest_repeats": round.fewest,
    }
