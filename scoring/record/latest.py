"""A player's latest results as one column, so that a select has one row for each player."""

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from django.db.models import JSONField, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONArray

from ..models import SetResult


class Past(NamedTuple):
    """A result in the past, as far as boards and charts need it; ``code`` is that of its set,
    whose last game has the number ``games_played``."""

    victory_points: int
    games_won: int
    mu: float
    sigma: float
    streak: int | None = None
    code: str = ""
    played_on: date | None = None
    games_played: int = 0


IN_COLUMN = (
    *("victory_points", "games_won", "mu", "sigma", "streak", "game_set__code"),
    *("played_on", "games_played"),
)


class JsonList(Subquery):
    """The only column of a subquery, named ``item``, as a JSON list in the subquery's order."""

    output_field = JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        # For SQLite, JSON from a subquery is text: it would be quoted.
        context["template"] = "(SELECT json_group_array(json(item)) FROM (%(subquery)s) AS items)"
        return self.as_sql(compiler, connection, **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        context["template"] = "(SELECT jsonb_agg(item) FROM (%(subquery)s) AS items)"
        return self.as_sql(compiler, connection, **context)


def column(results: QuerySet[SetResult], count: int) -> JsonList:
    of_player = results.filter(player=OuterRef("pk")).order_by("-finished_at", "-game_set")
    return JsonList(of_player.values(item=JSONArray(*IN_COLUMN))[:count])


def read_column(column: Iterable[Iterable[Any]] | None) -> tuple[Past, ...]:
    """Return the results in such a column, the oldest first.

    >>> later = [21, 1, 26.0, 7.5, 1, "b", "2026-03-09", 3]
    >>> earlier = [9, 0, 25.0, 8.3, 0, "a", "2026-03-02", 3]
    >>> [(past.code, past.played_on.day) for past in read_column([later, earlier])]
    [('a', 2), ('b', 9)]
    >>> read_column(None)
    ()
    """
    results = [Past(*values) for values in column or ()]
    return tuple(
        past._replace(played_on=date.fromisoformat(str(past.played_on))) for past in results[::-1]
    )
