"""Writing the evenings of a playgroup to its document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ...models import Place, Playgroup, Round
from . import queries
from .queries import BYE, EveningRows


class ReadEvening(NamedTuple):
    """An evening, and who came, in that order, by key, and whether they are here."""

    rows: EveningRows
    came: Sequence[tuple[int, bool]]


def read_evenings(group: Playgroup) -> list[ReadEvening]:
    """Return a playgroup's evenings. Seven queries for each."""
    return [
        ReadEvening(
            queries.read(each), list(each.attendees.order_by("pk").values_list("player", "here"))
        )
        for each in group.evenings.order_by("number")
    ]


def written_evenings(
    evenings: Iterable[ReadEvening], sets: Mapping[int, int]
) -> list[dict[str, Any]]:
    """Return evenings as the document has them; ``sets`` are the places of its sets there."""
    return [_evening(rows, came, sets) for rows, came in evenings]


def _evening(
    rows: EveningRows, came: Sequence[tuple[int, bool]], sets: Mapping[int, int]
) -> dict[str, Any]:
    evening = rows.evening
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
