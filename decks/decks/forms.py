"""The forms of the deck pages. They validate, and save nothing."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from coalition_site.lib.forms import (
    DayField,
    Tap,
    any_error,
    check_lines_showable,
    check_showable,
)
from coalition_site.lib.requests import Request

from .. import access
from ..models import NAME_MAX as CARD_MAX
from ..models import BanList
from ..reading import lists
from ..rules.entries import COUNT_MAX, LIST_MAX, SAVED_MAX, TOO_LONG, Unreadable
from ..rules.rulesets import RULESETS
from .building import PLACES
from .commands import TOO_LONG_TO_SAVE

NAME_MAX = 80
NO_SUCH_LIST = "There is no such house list. Choose another."


class HouseField(forms.ModelChoiceField):
    """A playgroup's ban list by its key, which the visitor ``may_see``."""

    def __init__(self) -> None:
        super().__init__(
            BanList.objects.exclude(base=None).select_related("group"),
            required=False,
            to_field_name="key",
            error_messages={"invalid_choice": NO_SUCH_LIST},
        )
        self.may_see: Callable[[BanList], bool] = lambda ban_list: False

    def clean(self, value: Any) -> BanList | None:
        house: BanList | None = super().clean(value)
        if house and not self.may_see(house):
            raise ValidationError(NO_SUCH_LIST)  # as if it did not exist
        return house


def ruleset_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=[(key, ruleset.name) for key, ruleset in RULESETS.items()],
        error_messages=any_error("Choose a ruleset."),
    )


class HouseForm(forms.Form):
    """The house list to judge a deck by, else that of the ruleset's format; on a day, or today."""

    ruleset = ruleset_field()
    house = HouseField()
    on = DayField("The day to check for", required=False)

    def __init__(self, request: Request, *data: Any) -> None:
        super().__init__(*data)
        cast(HouseField, self.fields["house"]).may_see = partial(access.may_see_list, request)

    def clean_on(self) -> date:
        return self.cleaned_data["on"] or timezone.localdate()

    def clean(self) -> dict[str, Any]:
        ruleset, house = (self.cleaned_data.get(name) for name in ("ruleset", "house"))
        if ruleset and house and house.format != RULESETS[ruleset].format:
            raise ValidationError(
                f"{house.name} is a list for {house.get_format_display()}. Choose another."
            )
        return self.cleaned_data


class CheckForm(HouseForm):
    """A deck list, as text or as a file, and what to judge it by. A file overrides the text."""

    text = forms.CharField(required=False, strip=False)
    file = forms.FileField(required=False, allow_empty_file=True)
    type = forms.CharField(
        required=False,
        max_length=40,
        error_messages={"max_length": "There is no such creature type. Choose another."},
    )
    # The first error is the one that is shown.
    field_order = ("tap_id", "name", "text", "file", "ruleset", "type", "house")

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if file := cleaned.get("file"):
            cleaned["text"] = text_of(file)
        # Otherwise saving the same list from a file and from the form would make two revisions.
        text = cleaned.get("text") or ""
        cleaned["text"] = text.replace("\r\n", "\n").replace("\r", "\n")
        if not cleaned["text"].strip() and not self.errors:
            raise ValidationError("Paste a deck list, or choose a file.")
        return super().clean()


def text_of(file: Any) -> str:
    if file.size > LIST_MAX:
        raise ValidationError(TOO_LONG)
    try:
        return lists.decode(file.read())
    except Unreadable as error:
        raise ValidationError(str(error)) from error


class Named(forms.Form):
    name = forms.CharField(
        max_length=NAME_MAX,
        validators=[check_showable],
        error_messages={
            "required": "Give the deck a name to save it under.",
            "max_length": f"A deck's name has {NAME_MAX} characters at most.",
        },
    )


class NewDeckForm(Named, Tap):
    ruleset = ruleset_field()
    card = forms.CharField(required=False, max_length=CARD_MAX)  # for which it is begun, if any


class AddCardForm(forms.Form):
    card = forms.CharField(
        max_length=CARD_MAX,
        error_messages={
            "required": "Which card? Type its name.",
            "max_length": "No card has so long a name. Check the spelling.",
        },
    )
    place = forms.ChoiceField(
        choices=list(PLACES.items()), error_messages=any_error("Choose where to add it.")
    )
    count = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=COUNT_MAX,
        error_messages=any_error(f"The count must be from 1 to {COUNT_MAX}."),
    )

    def clean_count(self) -> int:
        return self.cleaned_data["count"] or 1


class SaveForm(CheckForm, Named, Tap):
    """A deck list to save under a name; ``state`` is that of the deck when the page was loaded."""

    state = forms.CharField(required=False, max_length=40)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if len(cleaned["text"].encode("utf-8", "replace")) > SAVED_MAX:
            raise ValidationError(TOO_LONG_TO_SAVE)
        check_lines_showable(cleaned["text"])
        return cleaned
