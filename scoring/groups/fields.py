"""Fields that several forms of a playgroup share, and what they may hold."""

import re
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
PEOPLE_MAX = 128  # typed or pasted at once
BETWEEN, BULLET = re.compile(r"[,\t\r\n]"), re.compile(r"\s*([-*•]|\d+[.)])\s+")


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


class NamesField(forms.CharField):
    """Names as they are typed or pasted: by commas, lines or columns, with numbers or bullets."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            max_length=PEOPLE_MAX * (NAME_MAX + 1), error_messages={"required": missing}
        )

    def clean(self, value: Any) -> list[str]:
        parts = (BULLET.sub("", part).strip() for part in BETWEEN.split(super().clean(value)))
        names = list(dict.fromkeys(filter(None, parts)))
        if not names:
            raise ValidationError(self.error_messages["required"])
        if len(names) > PEOPLE_MAX:
            raise ValidationError(f"At most {PEOPLE_MAX} people at once.")
        for name in names:
            if len(name) > NAME_MAX:
                raise ValidationError(
                    f"“{name[:20]}…” is too long for a name: {NAME_MAX} characters at most."
                )
            check_showable(name)
        return names


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
