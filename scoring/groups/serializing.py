"""What a playgroup's results, evenings and standings are to programs, in words that stay."""

from typing import Any

from ..models import Evening, SetResult
from ..rules.formats import RULESETS
from .evenings.standings import Standing


def serialize_result(result: SetResult) -> dict[str, Any]:
    return {
        "rank": result.rank,
        "victory_points": result.victory_points if result.has_points else None,
        "games_won": result.games_won,
        "games_played": result.games_played,
        "hero": result.hero,
        "coalition_type": result.coalition_type,
    }


def serialize_evening(evening: Evening) -> dict[str, Any]:
    return {
        "number": evening.number,
        "name": evening.name,
        "format": RULESETS[evening.ruleset].format,
        "ruleset": evening.ruleset,
    }


def serialize_standing(standing: Standing, has_points: bool) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "total": standing.total,
        "games": standing.score.games,
        "games_won": standing.score.won,
        "victory_points": standing.score.points if has_points else None,
    }
