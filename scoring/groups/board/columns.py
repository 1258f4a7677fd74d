"""The leaderboard: what its address chooses, and its columns and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.utils import dateformat

from coalition_site.lib.dates import day
from coalition_site.lib.parts import Part
from coalition_site.lib.texts import by_name

from ...models import Season
from ...pictures.charts import Spark, spark
from ...rules.formats import FORMATS, RULESETS, has_teams, is_ranked, scores
from ...setlog.document import NAME_MAX
from ...tables.wording import format_name
from ..fields import RANKED
from .leaderboard import Filters, Row, ranked_by

ALL = "all"
SIZES = range(
    min(ruleset.players_min for ruleset in RANKED),
    max(ruleset.players_max for ruleset in RANKED) + 1,
)
NO_CHOICE = {"invalid_choice": "“%(value).40s” can't be chosen here. Choose again."}
# The columns by which a board can be sorted, with their names.
COLUMNS: dict[str, str] = {
    "name": "Player",
    "sets": "Sets",
    "victory_points": "VP",
    "per_game": "VP per game",
    "at_cap": "21 reached",
    "sets_won": "Sets won",
    "first": "VP as first",
    "last": "VP as last",
    "rating": "Rating",
}
WITHOUT_VP: dict[str, str] = {
    "name": "Player",
    "games": "Games",
    "games_won": "Won",
    "won_share": "Won in %",
    "outlasted_per_game": "Outlasted",
    "rating": "Rating",
}


def columns(format: str) -> dict[str, str]:
    """Return the columns of a format's board. Where teams fall together nobody outlasts others."""
    if scores(format):
        return COLUMNS
    return {
        name: title
        for name, title in WITHOUT_VP.items()
        if name != "outlasted_per_game" or not has_teams(format)
    }


class BoardForm(forms.Form):
    season = forms.CharField(required=False)
    first = forms.DateField(
        required=False, error_messages={"invalid": "The first day is not a date."}
    )
    last = forms.DateField(
        required=False, error_messages={"invalid": "The last day is not a date."}
    )
    format = forms.ChoiceField(
        error_messages=NO_CHOICE,
        required=False,
        choices=[(key, format_name(key)) for key in FORMATS if is_ranked(key)],
    )
    ruleset = forms.ChoiceField(error_messages=NO_CHOICE, required=False)
    size = forms.TypedChoiceField(
        error_messages=NO_CHOICE,
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "Any"), *((str(size), str(size)) for size in SIZES)],
    )
    sort = forms.ChoiceField(
        error_messages=NO_CHOICE, required=False, choices=list((COLUMNS | WITHOUT_VP).items())
    )
    who = forms.CharField(required=False, max_length=NAME_MAX)

    def __init__(
        self, data: Mapping[str, Any], *, seasons: Sequence[Season], today: date, format: str
    ) -> None:
        requested = data.get("format", "")
        self.format_key = requested if requested in FORMATS and is_ranked(requested) else format
        before = RULESETS.get(data.get("ruleset", ""))
        if before and before.format != self.format_key:  # chosen before another format was
            data = {name: data[name] for name in data if name != "ruleset"}
        super().__init__(data)
        self.seasons, self.today = seasons, today
        choices = [(ruleset.key, ruleset.title) for ruleset in FORMATS[self.format_key]]
        ruleset = self.fields["ruleset"]
        assert isinstance(ruleset, forms.ChoiceField)
        ruleset.choices = [("", "All"), *choices]

    def clean_season(self) -> Season | None:
        requested = self.cleaned_data["season"]
        if requested == ALL or self.data.get("first") or self.data.get("last"):
            return None
        if not requested:
            return self.current
        for season in self.seasons:
            if requested == str(season.pk):
                return season
        raise ValidationError("There is no such season. Choose another.")

    @property
    def current(self) -> Season | None:
        return next((season for season in self.seasons if season.covers(self.today)), None)

    @property
    def offered(self) -> list[tuple[str, str]]:
        """The choices of the season: today's is the default, so the address need not name it."""
        now, all_days = self.current, (ALL, "All days")
        others = [(str(season.pk), season.name) for season in self.seasons if season != now]
        return [("", now.name), all_days, *others] if now else [all_days, *others]

    @property
    def chosen(self) -> str:
        """Which of them is chosen. Days take precedence over a season."""
        requested, now = self.data.get("season", ""), self.current
        if self.data.get("first") or self.data.get("last") or not (requested or now):
            return ALL
        return "" if now and requested == str(now.pk) else requested

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        first, last = values.get("first"), values.get("last")
        if first and last and last < first:
            raise ValidationError("The last day is before the first. Change one of them.")
        return values

    @property
    def format_name(self) -> str:
        return format_name(self.format_key)

    @property
    def column(self) -> str:
        """The column by which the board is sorted; "" for the order of the ranks."""
        columns = COLUMNS if self.filters.scores else WITHOUT_VP
        requested = self.cleaned_data["sort"]
        return requested if requested in columns and requested != ranked_by(self.format_key) else ""

    def finds(self, name: str) -> bool:
        searched: str = self.cleaned_data["who"]
        return searched.casefold() in name.casefold()

    @property
    def chips(self) -> list[str]:
        data = self.data
        chosen = dict(self.offered).get(self.chosen, "All days")
        if data.get("first") or data.get("last"):
            is_right = self.is_valid()
            chosen = days(self.filters.first, self.filters.last) if is_right else "Days"
        ruleset = RULESETS.get(data.get("ruleset", ""))
        size = f"{data['size']} players" if data.get("size") else "Any table"
        return [chosen, ruleset.title if ruleset else self.format_name, size]

    @property
    def filters(self) -> Filters:
        values, season = self.cleaned_data, self.cleaned_data["season"]
        return Filters(
            format=self.format_key,
            ruleset=values["ruleset"],
            size=values["size"],
            first=season.starts_on if season else values["first"],
            last=season.ends_on if season else values["last"],
        )

    def query(self, **changed: object) -> str:
        values = {key: self.data.get(key, "") for key in self.fields} | changed
        return f"?{urlencode({key: value for key, value in values.items() if value})}"


@dataclass(frozen=True)
class BoardRow(Part):
    """``code`` is that of the playgroup, ``query`` is added to the links to its players. A player
    is ranked from ``listed`` sets on. ``is_own`` is the row of whoever looks at it."""

    template: ClassVar[str] = "groups/_board_row.html"
    row: Row
    code: str
    query: str
    scores: bool
    outlasts: bool
    column: str
    listed: int
    is_own: bool

    @property
    def spark(self) -> Spark:
        return spark(self.row.form, in_points=self.scores)


def ordered(rows: Sequence[Any], column: str) -> list[Any]:
    """Return rows by a column, the highest first; without a value last. Names go from A on."""
    # Without a column they stay in the order of their ranks.
    if column == "name":
        return by_name(rows)
    if not column:
        return list(rows)
    values = [(getattr(row, column), row) for row in rows]
    return [row for _, row in sorted(values, key=lambda pair: (pair[0] is None, -(pair[0] or 0)))]


def days(first: date | None, last: date | None) -> str:
    """Return a range of days as text; None means no limit.

    >>> days(date(2026, 3, 1), date(2026, 5, 31)), days(date(2025, 12, 1), date(2026, 1, 31))
    ('1 March to 31 May 2026', '1 December 2025 to 31 January 2026')
    >>> days(date(2026, 3, 1), None), days(None, None)
    ('from 1 March 2026 on', 'all days')
    """
    if first and last:
        if first == last:
            return day(first)
        start = dateformat.format(first, "j F") if first.year == last.year else day(first)
        return f"{start} to {day(last)}"
    if first:
        return f"from {day(first)} on"
    return f"until {day(last)}" if last else "all days"
