"""The card finder's form, which turns what people choose and type into a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError

from ..models import NAME_MAX
from ..rules.creature_types import plurals
from ..rules.deck import NOT_HUMAN
from . import names
from .search import Fit, Kind, Legal, Search, Sort

SHOWN_MAX = 40  # characters of the input that a message quotes
NO_PAGE = "There is no such page. Go back to the first page."


def _text() -> forms.CharField:
    long = f"That is too long: {NAME_MAX} characters at most."
    return forms.CharField(required=False, max_length=NAME_MAX, error_messages={"max_length": long})


def _choice(choices: Any) -> forms.ChoiceField:
    messages = {"invalid_choice": "“%(value).40s” can't be chosen here. Choose again."}
    return forms.ChoiceField(required=False, choices=choices, error_messages=messages)


class FinderForm(forms.Form):
    """All fields are optional. ``suggestions`` are the likely corrections of wrong fields."""

    name = _text()
    type = _text()
    hero = _text()
    kind = _choice(Kind.choices)
    fit = _choice(Fit.choices)
    legal = _choice(Legal.choices)
    sort = _choice(Sort.choices)
    page = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=10_000,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), NO_PAGE),
    )

    def __init__(self, data: Mapping[str, Any], *, types: Sequence[str]) -> None:
        super().__init__(data)
        self.types = types
        self.chosen_hero: names.Hero | None = None
        self.suggestions: dict[str, Iterable[str]] = {}

    def clean_type(self) -> str:
        text = self.cleaned_data["type"]
        if not text:
            return ""
        by_form = {form.casefold(): name for name in self.types for form in (*plurals(name), name)}
        creature_type = by_form.get(text.casefold(), "")
        if creature_type == NOT_HUMAN:
            raise ValidationError("The coalition type may not be Human. Choose another type.")
        if not creature_type:
            self.suggestions["type"] = names.suggestions(text, self.types)
            raise ValidationError(f"There is no creature type “{_short(text)}”.")
        return creature_type

    def clean_hero(self) -> str:
        text = self.cleaned_data["hero"]
        if not text:
            return ""
        self.chosen_hero = hero = names.find_hero(text, self.types)
        if hero is None:
            self.suggestions["hero"] = names.similar_heroes(text)
            raise ValidationError(f"No legendary creature is called “{_short(text)}”.")
        if not hero.can_lead:
            raise ValidationError(
                f"{hero.name} is not a legendary creature, so it can't be a hero. Choose another."
            )
        if not hero.types:
            raise ValidationError(
                f"{hero.name} has no creature type for a deck to share. Choose another hero."
            )
        return hero.name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        hero, creature_type = self.chosen_hero, cleaned.get("type")
        if hero and hero.types and creature_type and creature_type not in hero.types:
            self.suggestions["type"] = hero.types[: names.SUGGESTIONS_MAX]
            self.add_error("type", f"{hero.name} does not have the type {creature_type}.")
        return cleaned

    @property
    def search(self) -> Search:
        """The search that a valid form describes."""
        values = self.cleaned_data
        named = [values["type"]] if values["type"] else []
        return Search(
            types=named or (self.chosen_hero.types if self.chosen_hero else []),
            page=values["page"] or 1,
            **{key: values[key] for key in ("hero", "name", "kind", "fit", "legal", "sort")},
        )

    def query(self, **changes: object) -> str:
        """Return the query string of this search with some changes, without empty fields."""
        values = {key: self.data.get(key, "") for key in self.fields if key != "page"}
        filled = {key: value for key, value in (values | changes).items() if value}
        return f"?{urlencode(filled)}"

    @property
    def problems(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Each problem with its suggestions, and the query strings to follow them."""
        return [
            (str(error), [(name, self.query(**{field: name})) for name in self._suggested(field)])
            for field, errors in self.errors.items()
            for error in errors
        ]

    def _suggested(self, field: str) -> Iterable[str]:
        return self.suggestions.get(field, ())


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"
