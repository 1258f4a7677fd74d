"""The card finder's form: what people choose and type, turned into a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError

from ..models import NAME_MAX
from ..rules.creature_types import plurals
from ..rules.deck import NOT_HUMAN
from . import search as finding
from .search import Fit, Kind, Legal, Search, Sort

SHOWN = 40  # characters of what was typed
NO_PAGE = "There is no such page. Show the list from its start."


def _text() -> forms.CharField:
    long = f"That is too long: {NAME_MAX} characters at most."
    return forms.CharField(required=False, max_length=NAME_MAX, error_messages={"max_length": long})


def _choice(choices: Any) -> forms.ChoiceField:
    said = {"invalid_choice": "“%(value).40s” can't be chosen here. Choose anew."}
    return forms.ChoiceField(required=False, choices=choices, error_messages=said)


class FinderForm(forms.Form):
    """All of it may be left out. ``offered`` has, by field, what may have been meant."""

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
        self.found_hero: finding.Hero | None = None
        self.offered: dict[str, Iterable[str]] = {}

    def clean_type(self) -> str:
        said = self.cleaned_data["type"]
        if not said:
            return ""
        by_form = {form.casefold(): one for one in self.types for form in (*plurals(one), one)}
        creature_type = by_form.get(said.casefold(), "")
        if creature_type == NOT_HUMAN:
            raise ValidationError("No deck can be of the type Human. Choose another type.")
        if not creature_type:
            self.offered["type"] = finding.likely(said, self.types)
            raise ValidationError(f"There is no creature type “{_short(said)}”.")
        return creature_type

    def clean_hero(self) -> str:
        said = self.cleaned_data["hero"]
        if not said:
            return ""
        self.found_hero = hero = finding.find_hero(said, self.types)
        if hero is None:
            self.offered["hero"] = finding.likely_heroes(said)
            raise ValidationError(f"No legendary creature is called “{_short(said)}”.")
        if not hero.can_lead:
            raise ValidationError(f"{hero.name} is no legendary creature: it can't lead a deck.")
        if not hero.types:
            raise ValidationError(f"{hero.name} has no creature type that a deck can be of.")
        return hero.name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        hero, creature_type = self.found_hero, cleaned.get("type")
        if hero and hero.types and creature_type and creature_type not in hero.types:
            self.offered["type"] = hero.types[: finding.OFFERED]
            self.add_error(
                "type", f"A deck around {hero.name} can't be of the type {creature_type}."
            )
        return cleaned

    @property
    def search(self) -> Search:
        """What a valid form asks for."""
        said = self.cleaned_data
        named = [said["type"]] if said["type"] else []
        return Search(
            types=named or (self.found_hero.types if self.found_hero else []),
            page=said["page"] or 1,
            **{key: said[key] for key in ("hero", "name", "kind", "fit", "legal", "sort")},
        )

    def query(self, **changed: object) -> str:
        """Return the address of this search from its "?", what was not said left out."""
        said = {key: self.data.get(key, "") for key in self.fields if key != "page"}
        kept = {key: value for key, value in (said | changed).items() if value}
        return f"?{urlencode(kept)}"

    @property
    def problems(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """What is wrong, each with links to what may have been meant, without a wrong page."""
        return [
            (error, [(one, self.query(**{field: one})) for one in self.offered.get(field, ())])
            for field, errors in self.errors.items()
            for error in errors
        ]


def _short(said: str) -> str:
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}…"
