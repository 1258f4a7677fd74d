"""How large the database is, and how fast it grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import Error, connection
from django.db.models import Count, Min, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.models import Game, GameSet

BYTES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT pg_database_size(current_database())",
}
# Each table with its indexes.
TABLES = {
    "sqlite": """
        SELECT tbl_name, sum(pgsize) AS bytes FROM sqlite_master JOIN dbstat USING (name)
        WHERE aggregate = TRUE GROUP BY tbl_name ORDER BY bytes DESC
    """,
    "postgresql": """
        SELECT relname, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace ORDER BY bytes DESC
    """,
}
RECORD = "scoring_"  # begins the names of the tables that grow with what is played
WEEK, MONTH, YEAR = timedelta(days=7), timedelta(days=30), timedelta(days=365)


@dataclass(frozen=True)
class Table:
    """A table of the database, and its bytes with all indexes."""

    name: str
    bytes: int


def database_bytes() -> int:
    """Return the bytes of the database. One query."""
    with connection.cursor() as cursor:
        cursor.execute(BYTES[connection.vendor])
        return int(cursor.fetchone()[0])


def tables() -> list[Table]:
    """Return all tables, the largest first; none where this SQLite can't say. One query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(TABLES[connection.vendor])
            return [Table(name, int(size)) for name, size in cursor.fetchall()]
    except Error:
        return []


@dataclass(frozen=True)
class Played:
    """How many sets or events there are, and how many of them are of the last 7 and 30 days."""

    total: int
    week: int
    month: int


@dataclass(frozen=True)
class Growth:
    """What was played. ``days`` are the last 30, or those since the first set if they are fewer."""

    sets: Played
    events: Played
    days: int

    def a_year(self, played: Played) -> int:
        """Return how many a year brings, if it goes on as in these days."""
        return round(played.month * YEAR.days / self.days)

    def bytes_a_year(self, tables: Sequence[Table]) -> int:
        """Return by how many bytes the tables of what is played then grow in a year."""
        size = sum(table.bytes for table in tables if table.name.startswith(RECORD))
        return (
            round(size * self.a_year(self.events) / self.events.total) if self.events.total else 0
        )


def growth() -> Growth:
    """Return what was played, tables to try aside. Two queries."""
    now = timezone.now()
    sets = GameSet.objects.filter(trial_until=None)
    counted = sets.aggregate(
        total=Count("pk"),
        week=Count("pk", filter=Q(created_at__gt=now - WEEK)),
        month=Count("pk", filter=Q(created_at__gt=now - MONTH)),
        first=Min("created_at"),
    )
    first = counted.pop("first") or now
    days = min(MONTH.days, max((now - first).days, 1))
    return Growth(Played(**counted), _events(now), days)


def _events(now: datetime) -> Played:
    """Return the events: a game's last number is how many it has."""
    games = Game.objects.filter(game_set__trial_until=None)
    counted = games.aggregate(
        total=Coalesce(Sum("length"), 0),
        week=Coalesce(Sum("length", filter=Q(started_at__gt=now - WEEK)), 0),
        month=Coalesce(Sum("length", filter=Q(started_at__gt=now - MONTH)), 0),
    )
    return Played(**counted)
