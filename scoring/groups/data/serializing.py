"""What a playgroup's results, evenings and standings are to programs, in words that stay."""

from operator import attrgetter
from typing import Any

from ...models import Evening, Season, SetResult
from ...models.tallies import SUMS
from ..evenings.standings import Standing
from ..seasons.closing import table_of
from ..seasons.rows import RATINGS

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


def serialize_season(season: Season) -> Json:
    shown = fields(season, "name", first="starts_on", last="ends_on")
    table = table_of(season)
    if table is None:
        return shown
    places = [
        fields(place, "rank", *SUMS, *RATINGS, player="player.name")
        for place in table.places.order_by("pk").select_related("player")
    ]
    return shown | {"table": {**fields(table, "closed_at", "format"), "places": places}}


def serialize_standing(standing: Standing, has_points: bool) -> Json:
    shown = fields(standing, "rank", "total", games="score.games", games_won="score.won")
    return shown | {"victory_points": standing.score.points if has_points else None}
