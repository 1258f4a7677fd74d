"""What a playgroup's results, evenings and standings are to programs, in words that stay."""

from operator import attrgetter
from typing import Any

from ...models import Evening, SetResult
from ..evenings.standings import Standing

Json = dict[str, Any]


def fields(row: object, *names: str, **others: str) -> Json:
    """Return attributes of a row by their names, and others by new ones: ``hero="hero.name"``."""
    paths = {name: name for name in names} | others
    return {name: attrgetter(path)(row) for name, path in paths.items()}


def serialize_result(result: SetResult) -> Json:
    shown = fields(result, "rank", "games_won", "games_played", "hero", "coalition_type")
    return shown | {"victory_points": result.victory_points if result.has_points else None}


def serialize_evening(evening: Evening) -> Json:
    return fields(evening, "number", "name", "ruleset", format="rules.format")


def serialize_standing(standing: Standing, has_points: bool) -> Json:
    shown = fields(standing, "rank", "total", games="score.games", games_won="score.won")
    return shown | {"victory_points": standing.score.points if has_points else None}
