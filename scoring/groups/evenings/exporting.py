"""Writing the evenings of a playgroup to its document."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ...models import Place, Playgroup, Round
from . import queries
from .queries import BYE, EveningRows


def written_evenings(group: Playgroup, sets: Mapping[int, int]) -> list[dict[str, Any]]:
    """Return a playgroup's evenings; ``sets`` are the places of its sets in the document.

    Six queries for each.
    """
    return [_evening(queries.read(each), sets) for each in group.evenings.order_by("number")]


def _evening(rows: EveningRows, sets: Mapping[int, int]) -> dict[str, Any]:
    evening = rows.evening
    came = evening.attendees.order_by("pk").values_list("player", "here")
    return {
        "name": evening.name,
        "ruleset": evening.ruleset,
        "rounds_planned": evening.rounds_planned,
        "usual_size": evening.usual_size,
        "minutes": evening.minutes,
        "starts_at": evening.starts_at.isoformat(),
        "ended_at": _time(evening.ended_at),
        "people": [{"name": rows.players[key].name, "here": here} for key, here in came],
        "rounds": [_round(rows, each, sets) for each in rows.rounds],
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _round(rows: EveningRows, round: Round, sets: Mapping[int, int]) -> dict[str, Any]:
    seated: dict[int, list[Place]] = {}
    for place in rows.places_of(round):
        seated.setdefault(place.table, []).append(place)
    tables = {number: sets[table.game_set_id] for number, table in rows.tables_of(round).items()}
    quality = (round.repeats, round.fewest, round.spread)
    return {
        "begun_at": _time(round.begun_at),
        "draws": round.draws,
        "quality": None if round.repeats is None else quality,
        "byes": _names(rows, seated.pop(BYE, ())),
        "tables": [
            {"number": number, "people": _names(rows, places), "set": tables.get(number)}
            for number, places in seated.items()
        ],
    }


def _names(rows: EveningRows, places: list[Place] | tuple[()]) -> list[str]:
    return [rows.players[place.player_id].name for place in places]
