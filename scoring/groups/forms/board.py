"""What the address of a page of statistics chooses: days, format, heroes, two players, page."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest

from ...models import Player, Playgroup, Season
from ...models.record import CARD_MAX
from ...pages.wording import format_name
from ...rules.formats import FORMATS, RULESETS, is_ranked
from ...setlog.document import NAME_MAX
from ..leaderboard import Wanted, ranked_by
from ..pages.board import COLUMNS, WITHOUT_VP
from ..pages.board import days as spelled
from .fields import RANKED

ALL = "all"
SIZES = range(
    min(ruleset.players_min for ruleset in RANKED),
    max(ruleset.players_max for ruleset in RANKED) + 1,
)
PAGE_NUMBER = re.compile("[1-9][0-9]{0,4}")
NO_CHOICE = {"invalid_choice": "“%(value).40s” can't be chosen here. Choose again."}


class BoardForm(forms.Form):
    """Which results a leaderboard counts. Without a season: today's, if there is one."""

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
        columns = COLUMNS if self.wanted.scores else WITHOUT_VP
        requested = self.cleaned_data["sort"]
        return requested if requested in columns and requested != ranked_by(self.format_key) else ""

    def finds(self, name: str) -> bool:
        searched: str = self.cleaned_data["who"]
        return searched.casefold() in name.casefold()

    @property
    def chips(self) -> list[str]:
        """What is chosen, in few words, for the row of chips that opens the form."""
        data = self.data
        days = dict(self.offered).get(self.chosen, "All days")
        if data.get("first") or data.get("last"):
            is_right = self.is_valid()
            days = spelled(self.wanted.first, self.wanted.last) if is_right else "Days"
        ruleset = RULESETS.get(data.get("ruleset", ""))
        size = f"{data['size']} players" if data.get("size") else "Any table"
        return [days, ruleset.title if ruleset else self.format_name, size]

    @property
    def wanted(self) -> Wanted:
        values, season = self.cleaned_data, self.cleaned_data["season"]
        return Wanted(
            format=self.format_key,
            ruleset=values["ruleset"],
            size=values["size"],
            first=season.starts_on if season else values["first"],
            last=season.ends_on if season else values["last"],
        )

    def query(self, **changed: object) -> str:
        """Return the query string of this board, from its "?", with changes."""
        values = {key: self.data.get(key, "") for key in self.fields} | changed
        return f"?{urlencode({key: value for key, value in values.items() if value})}"


class NameForm(forms.Form):
    name = forms.CharField(max_length=CARD_MAX)


class VersusForm(forms.Form):
    a = forms.ChoiceField(error_messages={"invalid_choice": "Choose the first player again."})
    b = forms.ChoiceField(error_messages={"invalid_choice": "Choose the second player again."})

    def __init__(self, data: Mapping[str, Any], *, players: Sequence[Player]) -> None:
        super().__init__(data)
        self.players = {str(player.pk): player for player in players}
        names = [(key, player.name) for key, player in self.players.items()]
        for field in self.fields.values():
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", "Choose"), *names]

    @property
    def is_chosen(self) -> bool:
        """Whether both are named; a link may name the first, and leave the other to be chosen."""
        return all(self.data.get(name) for name in self.fields)

    def clean_a(self) -> Player:
        return self.players[self.cleaned_data["a"]]

    def clean_b(self) -> Player:
        other = self.players[self.cleaned_data["b"]]
        if other == self.cleaned_data.get("a"):
            raise ValidationError("Choose two different players.")
        return other


def page_number(request: HttpRequest) -> int:
    """Return the requested page of a list, from 1; the first if the address names none."""
    number = request.GET.get("page", "1")
    if not PAGE_NUMBER.fullmatch(number):
        raise Http404("There is no such page.")
    return int(number)


def chosen_format(request: HttpRequest, group: Playgroup, played: Collection[str]) -> str:
    """Return the requested format, or the playgroup's; if that was not played, any that was."""
    wanted = (request.GET.get("format", ""), group.format, *played)
    return next((format for format in wanted if format in played), group.format)
