"""What people type about playgroups. Forms save nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError

from ..models import Player, Playgroup, Season
from ..models.record import CARD_MAX
from ..rules.form import MalformedLog, load
from ..rules.formats import FORMATS, RULESETS
from .leaderboard import Wanted
from .show import COLUMNS, DEFAULT

ALL = "all"
SIZES = range(2, 7)
FILE_MAX = 20_000_000  # bytes
NO_CHOICE = {"invalid_choice": "“%(value).40s” can't be chosen here. Choose anew."}


class BoardForm(forms.Form):
    """Which results a leaderboard counts. Without a season: the one of today, if there is one."""

    season = forms.CharField(required=False)
    first = forms.DateField(required=False, error_messages={"invalid": "The first day is no day."})
    last = forms.DateField(required=False, error_messages={"invalid": "The last day is no day."})
    format = forms.ChoiceField(
        error_messages=NO_CHOICE,
        required=False,
        choices=[(key, key.capitalize()) for key in FORMATS],
    )
    ruleset = forms.ChoiceField(
        error_messages=NO_CHOICE,
        required=False,
        choices=[("", "All"), *((key, one.name) for key, one in RULESETS.items())],
    )
    size = forms.TypedChoiceField(
        error_messages=NO_CHOICE,
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "Any"), *((str(size), str(size)) for size in SIZES)],
    )
    sort = forms.ChoiceField(
        error_messages=NO_CHOICE, required=False, choices=list(COLUMNS.items())
    )

    def __init__(self, data: Mapping[str, Any], *, seasons: Sequence[Season], today: date) -> None:
        super().__init__(data)
        self.seasons, self.today = seasons, today

    def clean_season(self) -> Season | None:
        asked = self.cleaned_data["season"]
        if asked == ALL or self.data.get("first") or self.data.get("last"):
            return None
        for season in self.seasons:
            if asked in ("", str(season.pk)) and (asked or self._is_now(season)):
                return season
        if asked:
            raise ValidationError("There is no such season. Choose another.")
        return None

    def _is_now(self, season: Season) -> bool:
        return season.starts_on <= self.today <= season.ends_on

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        first, last = said.get("first"), said.get("last")
        if first and last and last < first:
            raise ValidationError("The last day is before the first. Change one of them.")
        return said

    @property
    def column(self) -> str:
        """By which the board is sorted."""
        return self.cleaned_data["sort"] or DEFAULT

    @property
    def wanted(self) -> Wanted:
        """What a valid form asks for."""
        said, season = self.cleaned_data, self.cleaned_data["season"]
        return Wanted(
            format=said["format"] or next(iter(FORMATS)),
            ruleset=said["ruleset"],
            size=said["size"],
            first=season.starts_on if season else said["first"],
            last=season.ends_on if season else said["last"],
        )

    def query(self, **changed: object) -> str:
        """Return the address of this board from its "?", with changes."""
        kept = {key: self.data.get(key, "") for key in self.fields} | changed
        return f"?{urlencode({key: value for key, value in kept.items() if value})}"


class ImportForm(forms.Form):
    """A document that a playgroup was written to."""

    file = forms.FileField(error_messages={"required": "Choose the file that was handed out."})

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > FILE_MAX:
            raise ValidationError(
                f"This file is too large: {FILE_MAX // 1_000_000} MB at most. "
                "Whoever runs this site can bring larger ones by a command."
            )
        try:
            return load(file.read())
        except MalformedLog as error:
            raise ValidationError(
                f"This is no playgroup: {error}. Choose the .json file."
            ) from error


class GroupForm(forms.ModelForm):
    """A playgroup: its name, who sees it, and what it plays."""

    class Meta:
        model = Playgroup
        fields = ("name", "visibility", "ruleset")
        labels = {"visibility": "Who sees it"}
        error_messages = {"name": {"required": "Give the playgroup a name."}}


class NameForm(forms.Form):
    """The name of a hero or of a coalition type."""

    name = forms.CharField(max_length=CARD_MAX)


class VersusForm(forms.Form):
    """Two players of a playgroup, chosen to be compared."""

    a = forms.ChoiceField(error_messages={"invalid_choice": "Choose the first player anew."})
    b = forms.ChoiceField(error_messages={"invalid_choice": "Choose the second player anew."})

    def __init__(self, data: Mapping[str, Any], *, players: Sequence[Player]) -> None:
        super().__init__(data)
        self.players = {str(one.pk): one for one in players}
        names = [(key, one.name) for key, one in self.players.items()]
        for name in self.fields:
            self.fields[name].choices = [("", "Choose"), *names]

    @property
    def is_chosen(self) -> bool:
        """Say whether both are named; with one of them, the other is still to be chosen."""
        return all(self.data.get(name) for name in self.fields)

    def clean_a(self) -> Player:
        return self.players[self.cleaned_data["a"]]

    def clean_b(self) -> Player:
        other = self.players[self.cleaned_data["b"]]
        if other == self.cleaned_data.get("a"):
            raise ValidationError("Choose two different players.")
        return other
