"""A season's table: its rows as they stand now, or as they were kept, and its awards."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter, neg
from typing import Any

from django.db.models import OuterRef, Subquery

from ...models import Player, Season, SeasonPlace, SeasonTable, SetResult
from ...models.tallies import SUMS
from ...record import ratings
from ...rules.formats import keys_of
from ..board.leaderboard import Filters, Row, leaderboard, marks, ranked_by, set_digits

COPIED = ("player_id", "rank", *SUMS)
RATINGS = ("mu_before", "mu", "sigma")


@dataclass(slots=True)
class SeasonRow(Row):
    """``mu_before`` is the rating before the season's first set, None for a newcomer; ``mu`` and
    ``sigma`` are the rating after its last."""

    mu_before: float | None = None
    mu: float | None = None
    sigma: float | None = None

    @property
    def rating(self) -> int | None:
        return None if self.mu is None else ratings.shown(self.mu)

    @property
    def uncertainty(self) -> int | None:
        return None if self.sigma is None else ratings.uncertainty(self.sigma)

    @property
    def change(self) -> int | None:
        """By how much the season changed the rating; a newcomer starts where everybody did."""
        if self.rating is None:
            return None
        before = ratings.MODEL.mu if self.mu_before is None else self.mu_before
        return self.rating - ratings.shown(before)


def rows_now(season: Season, format: str) -> list[SeasonRow]:
    filters = Filters(format=format, first=season.starts_on, last=season.ends_on)
    rows = leaderboard(season.playgroup, filters).rows
    results = SetResult.objects.filter(player=OuterRef("pk"), game_set__ruleset__in=keys_of(format))
    # By the day first: then the index by day leads to the last results before a day.
    results = results.order_by("-played_on", "-finished_at", "-game_set")
    before = results.filter(played_on__lt=season.starts_on)
    after = results.filter(played_on__lte=season.ends_on)
    columns = before.values("mu"), after.values("mu"), after.values("sigma")
    rated = Player.objects.filter(playgroup=season.playgroup_id).values_list(
        "pk", *(Subquery(column[:1]) for column in columns)
    )
    around = {key: dict(zip(RATINGS, values, strict=True)) for key, *values in rated}
    names = [field.name for field in fields(Row)]
    return [
        SeasonRow(**{name: getattr(row, name) for name in names}, **around[row.player_id])
        for row in rows
    ]


def places(table: SeasonTable, rows: Iterable[SeasonRow]) -> list[SeasonPlace]:
    return [
        SeasonPlace(table=table, **{name: getattr(row, name) for name in (*COPIED, *RATINGS)})
        for row in rows
    ]


def kept_rows(table: SeasonTable) -> list[SeasonRow]:
    listed = list(map(kept_row, table.places.select_related("player")))
    set_digits(listed, ranked_by(table.format))
    mark = marks(ranked_by(table.format))
    return sorted(
        listed, key=lambda row: (row.rank is None, row.rank or 0, *map(neg, mark(row)), row.name)
    )


def kept_row(place: SeasonPlace) -> SeasonRow:
    stored = {name: getattr(place, name) for name in (*COPIED, *RATINGS)}
    return SeasonRow(name=place.player.name, account=place.player.user_id, **stored)


def is_corrected(kept: Iterable[SeasonRow], now: Iterable[SeasonRow]) -> bool:
    facts = attrgetter(*COPIED)
    return set(map(facts, kept)) != set(map(facts, now))


def awards(rows: Sequence[SeasonRow], what: str) -> list[dict[str, Any]]:
    """Return a season's awards with all who share each; nobody gets one for nothing. ``what`` is
    "set" or "game"."""
    listed = [row for row in rows if row.rank]  # the rating of a set or two says little
    given: list[tuple[str, str, Sequence[SeasonRow], Callable[[SeasonRow], int]]] = [
        ("Most improved", "{:+} rating", listed, lambda row: row.change or 0),
        (f"Most {what}s", f"{{}} {what}s", rows, attrgetter("sets")),
        ("Most turns as monarch", "{} turns", rows, attrgetter("monarch_turns")),
    ]
    awards = []
    for title, text, of_rows, value in given:
        most = max(map(value, of_rows), default=0)
        if most > 0:
            shared = [row for row in of_rows if value(row) == most]
            awards.append({"title": title, "text": text.format(most), "rows": shared})
    return awards
