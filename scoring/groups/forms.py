"""What people type about playgroups. Forms save nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import Tap, check_lines_showable, check_showable
from coalition_site.lib.untrusted import TEXT_MAX, MalformedLog, TooManyValues, load
from decks.models import NAME_MAX as CARD_NAME_MAX
from decks.models import Card, Playing, Status
from decks.queries import closest_names, find_cards, has_cards

from ..models import Player, Season, Seat
from ..models.people import HOUSE_RULES_MAX, Role, Visibility
from ..models.record import CARD_MAX
from ..pages.board import format_name
from ..rules.formats import FORMATS, RULESETS, is_ranked
from ..rules.ruleset import Ruleset
from ..setlog.document import NAME_MAX
from . import transfer
from .leaderboard import Wanted, mark
from .pages import COLUMNS, WITHOUT_VP

ALL = "all"
RANKED = [one for one in RULESETS.values() if one.is_ranked]
SIZES = range(
    min(one.players_min for one in RANKED),
    max(one.players_max for one in RANKED) + 1,
)
FILE_MAX = 3_000_000  # bytes
VALUES_MAX = 200_000  # of a playgroup that a page brings; in memory 50 MB at most
NO_CHOICE = {"invalid_choice": "“%(value).40s” can't be chosen here. Choose anew."}
INVITED_MAX = 365  # days
NOT_A_GROUP = "This is not a playgroup’s file as it was handed out"
WOULD_WAIT = "All who keep score would wait too long for this playgroup. Nothing was stored."
TOO_MUCH = (
    "Leave sets out of the file, or let whoever runs this site bring it whole by the command "
    "import_group."
)


class BoardForm(forms.Form):
    """Which results a leaderboard counts. Without a season: the one of today, if there is one."""

    season = forms.CharField(required=False)
    first = forms.DateField(required=False, error_messages={"invalid": "The first day is no day."})
    last = forms.DateField(required=False, error_messages={"invalid": "The last day is no day."})
    format = forms.ChoiceField(
        error_messages=NO_CHOICE,
        required=False,
        choices=[(key, format_name(key)) for key in FORMATS if is_ranked(key)],
    )
    ruleset = forms.ChoiceField(
        error_messages=NO_CHOICE,
        required=False,
    )
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

    def __init__(
        self, data: Mapping[str, Any], *, seasons: Sequence[Season], today: date, format: str
    ) -> None:
        asked = data.get("format", "")
        self.format = asked if asked in FORMATS and is_ranked(asked) else format
        super().__init__(self._of_format(data))
        self.seasons, self.today = seasons, today
        of_it = [(one.key, one.name) for one in FORMATS[self.format]]
        self.fields["ruleset"].choices = [("", "All"), *of_it]

    def _of_format(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what is asked for, all rulesets for one of the format that was chosen before."""
        before = RULESETS.get(data.get("ruleset", ""))
        if before is None or before.format == self.format:
            return data
        return {name: data[name] for name in data if name != "ruleset"}

    def clean_season(self) -> Season | None:
        asked = self.cleaned_data["season"]
        if asked == ALL or self.data.get("first") or self.data.get("last"):
            return None
        if not asked:
            return self.current
        for season in self.seasons:
            if asked == str(season.pk):
                return season
        raise ValidationError("There is no such season. Choose another.")

    @property
    def current(self) -> Season | None:
        """The season of today."""
        now = (one for one in self.seasons if one.starts_on <= self.today <= one.ends_on)
        return next(now, None)

    @property
    def offered(self) -> list[tuple[str, str]]:
        """What can be chosen for the season: that of today needs no word in the address."""
        now, all_days = self.current, (ALL, "All days")
        others = [(str(one.pk), one.name) for one in self.seasons if one != now]
        return [("", now.name), all_days, *others] if now else [all_days, *others]

    @property
    def chosen(self) -> str:
        """Which of them is chosen; days that are given put a season aside."""
        asked, now = self.data.get("season", ""), self.current
        if self.data.get("first") or self.data.get("last") or not (asked or now):
            return ALL
        return "" if now and asked == str(now.pk) else asked

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        first, last = said.get("first"), said.get("last")
        if first and last and last < first:
            raise ValidationError("The last day is before the first. Change one of them.")
        return said

    @property
    def format_name(self) -> str:
        """What people call the format that is shown."""
        return format_name(self.format)

    @property
    def column(self) -> str:
        """By which the board is sorted, nothing for the ranks."""
        known = COLUMNS if self.wanted.scores else WITHOUT_VP
        asked = self.cleaned_data["sort"]
        return asked if asked in known and asked != mark(self.format) else ""

    @property
    def wanted(self) -> Wanted:
        """What a valid form asks for."""
        said, season = self.cleaned_data, self.cleaned_data["season"]
        return Wanted(
            format=self.format,
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
                f"This file is too large: {FILE_MAX // 1_000_000} MB at most. {TOO_MUCH}"
            )
        data = file.read()
        try:
            document = load(data, values=VALUES_MAX)
        except TooManyValues as error:
            raise ValidationError(
                f"This playgroup has more than {error.most:,} values. {TOO_MUCH}"
            ) from error
        except MalformedLog as error:
            if transfer.is_table(data):
                raise ValidationError(
                    "This is the results table (CSV). Choose the .json file."
                ) from error
            raise ValidationError(f"{NOT_A_GROUP}: {error}. Choose the .json file.") from error
        if crowded := transfer.crowded(document):
            raise ValidationError(f"This playgroup has {crowded} at most. {TOO_MUCH}")
        return document


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


class NameField(forms.CharField):
    """A name that can be shown."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            max_length=NAME_MAX,
            validators=[check_showable],
            error_messages={
                "required": missing,
                "max_length": f"The name is too long: {NAME_MAX} characters at most.",
            },
        )


def check_day(day: date) -> None:
    """Refuse a day at an end of the calendar, where nothing is played."""
    if not transfer.FIRST <= day <= transfer.LAST:
        bounds = f"{transfer.FIRST} to {transfer.LAST}"
        raise ValidationError(f"{day} is no day here: it must be from {bounds}.")


class DayField(forms.DateField):
    """A day as browsers send it."""

    default_validators = [check_day]

    def __init__(self, what: str) -> None:
        wrong = f"{what} is no day: write it as 2026-03-09."
        super().__init__(
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            error_messages=dict.fromkeys(("required", "invalid"), wrong),
        )


class GroupForm(forms.Form):
    """A playgroup: its name, who sees it, and what it plays."""

    name = NameField("Give the playgroup a name.")
    visibility = forms.ChoiceField(
        label="Who sees it",
        choices=[
            (Visibility.UNLISTED, "Whoever has its link"),
            (Visibility.PUBLIC, "Everybody, and it is listed"),
            (Visibility.PRIVATE, "Its members only"),
        ],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose who sees it."),
    )
    ruleset = forms.ChoiceField(
        label="Default ruleset",
        choices=[(one.key, one.name) for one in RANKED],
        initial=next(iter(RULESETS)),
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a ruleset."),
    )

    @property
    def rulesets(self) -> Iterable[Ruleset]:
        """Those to choose from, with what each says."""
        return RANKED


class FoundForm(Tap, GroupForm):
    """A playgroup to make."""


class SettingsForm(GroupForm):
    """All that owners settle about a playgroup."""

    house_rules = forms.CharField(
        required=False,
        max_length=HOUSE_RULES_MAX,
        validators=[check_lines_showable],
        error_messages={
            "max_length": f"The house rules are too long: {HOUSE_RULES_MAX} characters at most."
        },
    )
    illegal_decks = forms.ChoiceField(
        label="A deck that is not legal",
        choices=[
            (Playing.ALLOW, "May be played"),
            (Playing.WARN, "May be played, with a warning"),
            (Playing.REFUSE, "Is refused at the table"),
        ],
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose what happens with illegal decks."
        ),
    )


class PlayerForm(forms.Form):
    """A player's name, and whether lists leave the player out."""

    name = NameField("Give the player a name.")
    is_guest = forms.BooleanField(required=False)


class MergeForm(forms.Form):
    """Who a player is."""

    into = forms.ModelChoiceField(
        Player.objects.none(),
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose a player of this playgroup."
        ),
    )

    def __init__(self, data: Mapping[str, Any], *, player: Player) -> None:
        super().__init__(data)
        others = Player.objects.filter(playgroup=player.playgroup_id)
        self.fields["into"].queryset = others.select_related("playgroup")


class RoleForm(forms.Form):
    """What a member may do."""

    role = forms.ChoiceField(
        choices=Role.choices,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a role."),
    )


class InvitationForm(Tap, RoleForm):
    """With which role people join by a link, and for how many days."""

    days = forms.IntegerField(
        min_value=1,
        max_value=INVITED_MAX,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Give a whole number of days from 1 to {INVITED_MAX}.",
        ),
    )


class SeasonForm(forms.Form):
    """A season's name, and its days, both included."""

    name = NameField("Give the season a name.")
    starts_on = DayField("The first day")
    ends_on = DayField("The last day")


class HouseBanForm(forms.Form):
    """What a playgroup's own list is to say of a card, from which day on."""

    card = forms.CharField(
        max_length=CARD_NAME_MAX,
        error_messages={
            "required": "Which card? Type its English name.",
            "max_length": "There is no card with such a long name.",
        },
    )
    status = forms.ChoiceField(
        choices=[
            (Status.BANNED, "Banned"),
            (Status.ALLOWED, "Allowed, although the format bans it"),
            (Status.WATCHED, "Watched"),
        ],
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose what the list says of it."
        ),
    )
    reason = forms.CharField(required=False, max_length=TEXT_MAX, validators=[check_showable])
    starts_on = DayField("The first day")

    def clean_card(self) -> Card:
        """Return the card that is meant, found as deck lists find theirs."""
        said = self.cleaned_data["card"]
        found = find_cards([said]).get(said)
        if found is None and not has_cards():
            raise ValidationError(
                "No card has been imported yet: whoever runs this site can do it by the command "
                "import_cards."
            )
        if found is None:
            near = closest_names([said])[said]
            hint = f" Did you mean {' or '.join(near)}?" if near else " Type its English name."
            raise ValidationError(f"There is no card called {said}.{hint}")
        return found


class EndBanForm(forms.Form):
    """The reason of an entry, and the first day on which it is not in force any more."""

    reason = forms.CharField(required=False, max_length=TEXT_MAX, validators=[check_showable])
    ends_on = DayField("The day")

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.fields["ends_on"].required = False


class TakeForm(forms.Form):
    """Who sat at a table, by the names that a playgroup knows."""

    def __init__(self, data: Mapping[str, Any], *, seats: Iterable[Seat]) -> None:
        super().__init__(data)
        self.seats = list(seats)
        for seat in self.seats:
            self.fields[f"seat-{seat.number}"] = NameField(f"Who is {seat.name}? Type a name.")

    @property
    def names(self) -> dict[int, str]:
        """The players' names by seat number, of a valid form."""
        return {seat.number: self.cleaned_data[f"seat-{seat.number}"] for seat in self.seats}
