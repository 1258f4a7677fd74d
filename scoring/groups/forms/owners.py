"""What owners type: a playgroup's settings, roles, invitations and seasons."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms

from coalition_site.lib.forms import Tap, check_lines_showable
from decks.models import Playing

from ...models.people import HOUSE_RULES_MAX, Role, Visibility
from ...rules.formats import RULESETS
from ...rules.ruleset import Ruleset
from .fields import RANKED, DayField, NameField

INVITED_MAX = 365  # days


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
        choices=[(ruleset.key, ruleset.title) for ruleset in RANKED],
        initial=next(iter(RULESETS)),
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a ruleset."),
    )

    @property
    def rulesets(self) -> Iterable[Ruleset]:
        """The rulesets to choose from, with their descriptions."""
        return RANKED


class CreateForm(Tap, GroupForm):
    """A new playgroup."""


class SettingsForm(GroupForm):
    """All settings of a playgroup."""

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


class RoleForm(forms.Form):
    """What a member may do."""

    role = forms.ChoiceField(
        choices=Role.choices,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a role."),
    )


class InvitationForm(Tap, RoleForm):
    """The role that an invitation gives, and for how many days it is open."""

    days = forms.IntegerField(
        min_value=1,
        max_value=INVITED_MAX,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Give a whole number of days from 1 to {INVITED_MAX}.",
        ),
    )


class SeasonForm(forms.Form):
    """A season's name, its first and its last day."""

    name = NameField("Give the season a name.")
    starts_on = DayField("The first day")
    ends_on = DayField("The last day")
