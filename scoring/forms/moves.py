"""Forms for the moves that only one format knows, made from what the rules say of their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import Tap, check_showable

from ..rules import fields as of
from ..rules.own import OwnMove
from .taps import EACH, Seats, seat_choices

Names = Mapping[int, str]


class Lines(forms.CharField):
    """Different texts, each on a line of its own."""

    def __init__(self, *, fewest: int, most: int, **options: Any) -> None:
        self.fewest, self.most = fewest, most
        super().__init__(widget=forms.Textarea, required=bool(fewest), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, tuple) else value

    def to_python(self, value: Any) -> Any:
        lines = [line.strip() for line in (value or "").splitlines()]
        return tuple(dict.fromkeys(filter(None, lines)))

    def validate(self, value: Any) -> None:
        if not self.fewest <= len(value) <= self.most:
            raise ValidationError(f"Give {self.fewest} to {self.most} lines, no two the same.")

    def run_validators(self, value: Any) -> None:
        for line in value:
            check_showable(line)
            if len(line) > of.TEXT_MAX:
                raise ValidationError(f"A line is too long: {of.TEXT_MAX} characters at most.")


def form_fields(move: Any, names: Names) -> Iterator[tuple[str, forms.Field]]:
    """Yield the fields that ask for a move, or that amend one, filled with what it says."""
    is_class = isinstance(move, type)
    for name, (spec, default) in of.specs(move).items():
        field = _field(spec, names)
        field.label = spec.label
        field.is_of_seats = isinstance(spec, of.OneSeat | of.SomeSeats)
        field.initial = None if default is MISSING else default
        if not is_class:
            field.initial = getattr(move, name)
        field.required = default is MISSING and not isinstance(spec, of.Truth)
        field.error_messages["required"] = f"{spec.label}: say what it is."
        field.error_messages["invalid_choice"] = f"{spec.label}: choose one of what is there."
        field.error_messages |= _bounds(spec)
        yield name, field


def _bounds(spec: of.Spec) -> dict[str, str]:
    """Return how a field refuses what is out of its bounds."""
    match spec:
        case of.Number(label, lowest, highest):
            said = f"{label}: give a whole number from {lowest} to {highest}."
            return dict.fromkeys(("invalid", "min_value", "max_value"), said)
        case of.Text(label, longest):
            return {"max_length": f"{label}: {longest} characters at most."}
    return {}


def _field(spec: of.Spec, names: Names) -> forms.Field:
    seats = seat_choices(dict(names))
    match spec:
        case of.OneSeat(nobody=nobody):
            choices = [("", nobody), *seats] if nobody else seats
            return forms.TypedChoiceField(
                choices=choices, coerce=int, empty_value=None, widget=forms.RadioSelect
            )
        case of.SomeSeats():
            return Seats(choices=seats, widget=forms.CheckboxSelectMultiple)
        case of.Number(lowest=lowest, highest=highest):
            return forms.IntegerField(min_value=lowest, max_value=highest)
        case of.Choice(choices=choices):
            said = [(one, one.capitalize()) for one in choices]
            return forms.ChoiceField(choices=said, widget=forms.RadioSelect)
        case of.Texts(fewest=fewest, most=most):
            return Lines(fewest=fewest, most=most)
        case of.Truth():
            return forms.BooleanField()
        case of.Text(longest=longest):
            return forms.CharField(max_length=longest, validators=[check_showable])
    raise TypeError(f"no field of a move: {spec!r}")


def move_said(move: type[OwnMove], cleaned: Mapping[str, Any]) -> OwnMove:
    """Return the move that clean fields say; what was left empty is at its default."""
    said = {}
    for name, (_, default) in of.specs(move).items():
        value = cleaned[name]
        if isinstance(value, list):
            value = tuple(dict.fromkeys(value))
        said[name] = default if value in (None, "", ()) and default is not MISSING else value
    return move(**said)


class OwnForm(Tap):
    """One move of the format, filled before it is said from what an address says.

    Where a move takes several players, ``player`` says who, too.
    """

    def __init__(
        self,
        move: type[OwnMove],
        data: Any = None,
        *,
        names: Names,
        asked: Mapping[str, Any] | None = None,
    ) -> None:
        if "players" in of.specs(move) and data and data.get("player") and "players" not in data:
            data = data.copy()
            everybody = [str(seat) for seat in names]
            data.setlist("players", everybody if data["player"] == EACH else [data["player"]])
        super().__init__(data, initial=asked)
        self.of = move
        self.fields |= form_fields(move, names)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            cleaned["move"] = move_said(self.of, cleaned)
        return cleaned
