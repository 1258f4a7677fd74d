"""Fields that several forms of a playgroup share, and what they may hold."""

from datetime import UTC, datetime
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from coalition_site.lib.dates import day as day_text
from coalition_site.lib.forms import DayField as DayField
from coalition_site.lib.forms import any_error as any_error
from coalition_site.lib.forms import check_day, check_showable

from ..rules.formats import RULESETS
from ..setlog.document import NAME_MAX

RANKED = [ruleset for ruleset in RULESETS.values() if ruleset.is_ranked]
RULESET_CHOICES = [(ruleset.key, ruleset.title) for ruleset in RANKED]


class NameField(forms.CharField):
    def __init__(self, missing: str) -> None:
        super().__init__(
            max_length=NAME_MAX,
            validators=[check_showable],
            error_messages={
                "required": missing,
                "max_length": f"The name is too long: {NAME_MAX} characters at most.",
            },
        )


class MomentField(forms.DateTimeField):
    """A day and time on the visitor's clock; an hour that comes twice is the first of the two."""

    default_validators = [lambda moment: check_day(moment.date())]

    def to_python(self, value: Any) -> datetime | None:
        try:
            moment: datetime | None = super().to_python(value)
        except ValidationError as error:
            if error.code != "ambiguous_timezone":  # which Django says of both hours
                raise
            typed: datetime = cast(dict[str, Any], error.params)["datetime"]
            moment = timezone.make_aware(typed)
            if timezone.make_naive(moment.astimezone(UTC)) != typed:
                raise ValidationError(
                    f"There is no {typed:%H:%M} on {day_text(typed.date())}: the clocks go forward "
                    f"then. Choose another time."
                ) from None
        return moment
