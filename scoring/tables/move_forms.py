"""Forms that ask for a move or amend it, made from the fields of its class."""

from collections.abc import Collection, Iterator, Mapping, MutableMapping
from dataclasses import MISSING
from itertools import count, takewhile
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from coalition_site.lib.forms import DayField, Tap, check_not_later, check_showable
from coalition_site.lib.untrusted import TEXT_MAX

from ..rules import fields
from ..rules.damage import Kind
from ..rules.fields import Names, Spec, contradictions, specs
from ..rules.move import Move
from .taps import EACH, HITS_MAX, TOO_MANY, seat_choices


class Lines(forms.CharField):
    def __init__(self, *, fewest: int, most: int, **options: Any) -> None:
        self.fewest, self.most = fewest, most
        super().__init__(widget=forms.Textarea, required=bool(fewest), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, tuple) else value

    def clean(self, value: Any) -> tuple[str, ...]:
        lines = tuple(dict.fromkeys(filter(None, map(str.strip, (value or "").splitlines()))))
        if not self.fewest <= len(lines) <= self.most:
            raise ValidationError(f"Give {self.fewest} to {self.most} lines, no two the same.")
        for line in lines:
            check_showable(line)
            if len(line) > TEXT_MAX:
                raise ValidationError(f"A line is too long: {TEXT_MAX} characters at most.")
        return lines


class _OfMove(forms.Form):
    of: type[Move]
    names: Names

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        move = _made(self.of, cleaned, self.names)
        for label, problem in contradictions(move):
            raise ValidationError(f"{label}: {problem}.")
        return {**cleaned, "move": move}


class MoveForm(_OfMove, Tap):
    """Asks for a move; ``initial`` is what the page's address has of its fields."""

    # Where a move takes several players, the data may name one of them, or each, as ``player``.

    def __init__(
        self,
        of: type[Move],
        data: Any = None,
        *,
        names: Names,
        initial: MutableMapping[str, Any] | None = None,
    ) -> None:
        if "players" in specs(of) and data and data.get("player") and "players" not in data:
            data = data.copy()
            everybody = [str(seat) for seat in names]
            data.setlist("players", everybody if data["player"] == EACH else [data["player"]])
        super().__init__(data, initial=initial)
        self.of, self.names = of, names
        for name, (spec, default) in specs(of).items():
            self.fields |= _form_fields(name, spec, default, names)


class AmendForm(_OfMove):
    """Asks for a move in the place of ``was``, with whose values it is filled.

    Damage can be amended to the ``kinds`` that the format has, with fewer hits or more of them.
    ``cards`` are the names of the fields of each hit.
    """

    def __init__(
        self, was: Move, names: Names, data: Any = None, *, kinds: Collection[Kind] = tuple(Kind)
    ) -> None:
        self.of, self.names = type(was), names
        self.cards: list[list[str]] = []
        self.has_too_many = False
        super().__init__(data)
        for name, (spec, default) in specs(self.of).items():
            value = getattr(was, name)
            if isinstance(spec, fields.RecordList):
                wanted = max(1, places_in(self.data, spec)) if self.is_bound else len(value)
                most = max(HITS_MAX, len(value))
                self.has_too_many = wanted > most
                for at in range(min(wanted, most)):
                    record = value[at] if at < len(value) else None
                    card = dict(_record_fields(spec, record, at, names, kinds))
                    self.cards.append(list(card))
                    self.fields |= card
            else:
                self.fields |= _form_fields(name, spec, default, names, value)
            if isinstance(spec, fields.Reason):  # emptied, it would turn into the default unnoticed
                self.fields[name].required = True

    @property
    def takes_more(self) -> bool:
        return 0 < len(self.cards) < HITS_MAX

    def clean(self) -> dict[str, Any]:
        if self.has_too_many:
            raise ValidationError(TOO_MANY)
        return super().clean()


def _form_fields(
    name: str, spec: Spec, default: Any, names: Names, value: Any = MISSING
) -> Iterator[tuple[str, forms.Field]]:
    """Yield the form's fields for a move's field: changes have one for each player."""
    if isinstance(spec, fields.Changes):
        is_points = isinstance(spec, fields.Points)
        for seat, player in names.items():
            label = f"{player}: {spec.label}" if is_points else player
            change = forms.IntegerField(
                required=False, min_value=spec.lowest, max_value=spec.most, label=label
            )
            change.initial = None if value is MISSING else value.get(seat)
            yield f"by-{seat}", change
        return
    field = _form_field(spec, names)
    field.label = spec.label
    field.is_of_seats = isinstance(spec, fields.Seat | fields.SeatList)
    initial = default if value is MISSING else value
    if initial is not MISSING:
        field.initial = initial
    # A box that is not ticked sends nothing.
    may_lack = isinstance(spec, fields.Flag) or (isinstance(spec, fields.Seat) and spec.nobody)
    field.required = default is MISSING and not may_lack
    yield name, field


def places_in(data: Any, spec: fields.RecordList) -> int:
    """Return how many records a form's data has: it numbers their fields, as ``amount-0``."""
    first = next(iter(specs(spec.of)))
    return sum(1 for _ in takewhile(lambda at: f"{first}-{at}" in data, count()))


def edited(data: QueryDict, of: type[Move]) -> QueryDict:
    """Return a form's data after its button ``add``, or ``drop`` with the number of a record."""
    changed = data.copy()
    for spec, _ in specs(of).values():
        if not isinstance(spec, fields.RecordList):
            continue
        parts = specs(spec.of)
        records = [  # boxes that are not ticked send nothing
            {name: changed.pop(f"{name}-{at}") for name in parts if f"{name}-{at}" in data}
            for at in range(places_in(data, spec))
        ]
        if "drop" in data:
            left = [record for at, record in enumerate(records) if str(at) != data["drop"]]
            records = left or records
        elif records and len(records) < HITS_MAX:
            # What is added has the players and choices of the last.
            kept = fields.Seat | fields.Choice
            like = {name for name, (part, _) in parts.items() if isinstance(part, kept)}
            records.append({name: records[-1][name] for name in records[-1] if name in like})
        for at, record in enumerate(records):
            for name, values in record.items():
                changed.setlist(f"{name}-{at}", values)
    return changed


def _record_fields(
    spec: fields.RecordList, record: Any, at: int, names: Names, kinds: Collection[Kind]
) -> Iterator[tuple[str, forms.Field]]:
    which = f"{spec.of.__name__} {at + 1}"
    for name, (part, default) in specs(spec.of).items():
        value = getattr(record, name, MISSING)
        for key, field in _form_fields(name, part, default, names, value):
            if isinstance(field, forms.ChoiceField):  # radio buttons for forty hits are many
                pairs: Any = field.choices  # of any kind that Django takes
                field.widget = forms.Select(choices=pairs)
            if isinstance(part, fields.Choice) and part.of is Kind:
                field.choices = [pair for pair in field.choices if pair[0] in {*kinds, value}]
            if value == default:
                field.initial = None
            for code, text in field.error_messages.items():
                field.error_messages[code] = f"{which}, {text[:1].lower()}{text[1:]}"
            yield f"{key}-{at}", field


def _form_field(spec: Spec, names: Names) -> forms.Field:
    label, seats = spec.label, seat_choices(dict(names))
    errors = {
        "required": f"{label}: fill this in.",
        "invalid_choice": "That player does not sit at this table.",
    }
    says: dict[str, Any] = {"error_messages": errors}
    match spec:
        case fields.Seat(nobody=nobody):
            errors["required"] = f"{label}: choose a player."
            choices = [("", nobody), *seats] if nobody else seats
            return forms.TypedChoiceField(
                choices=choices, coerce=int, empty_value=None, widget=forms.RadioSelect, **says
            )
        case fields.SeatList():
            errors["required"] = f"{label}: choose at least one player."
            return forms.TypedMultipleChoiceField(
                choices=seats, coerce=int, widget=forms.CheckboxSelectMultiple, **says
            )
        case fields.Number(lowest=lowest, highest=highest):
            wrong = f"{label}: give a whole number from {lowest} to {highest}."
            errors |= dict.fromkeys(("required", "invalid", "min_value", "max_value"), wrong)
            return forms.IntegerField(min_value=lowest, max_value=highest, **says)
        case fields.Choice(choices=texts, words=words):
            errors |= dict.fromkeys(("required", "invalid_choice"), f"{label}: choose one.")
            choices = [(text, words(text)) for text in texts]
            return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **says)
        case fields.Day():
            return DayField(label, initial=timezone.localdate, validators=[check_not_later])
        case fields.TextList(fewest=fewest, most=most):
            return Lines(fewest=fewest, most=most, **says)
        case fields.Flag():
            return forms.BooleanField(**says)
        case fields.Text(longest=longest):
            errors["max_length"] = f"{label}: {longest} characters at most."
            return forms.CharField(max_length=longest, validators=[check_showable], **says)
    raise TypeError(f"no field of a move: {spec!r}")


def _made(of: type, cleaned: Mapping[str, Any], names: Names, suffix: str = "") -> Any:
    """Return a move or a record; what was left empty is at its default."""
    values = {}
    for name, (spec, default) in specs(of).items():
        value: Any = cleaned.get(f"{name}{suffix}")
        match spec:
            case fields.Points():
                typed = {seat: cleaned[f"by-{seat}"] for seat in names}
                value = {seat: points for seat, points in typed.items() if points is not None}
            case fields.Day():
                value = value.isoformat()
            case fields.Changes():
                value = {seat: cleaned[f"by-{seat}"] for seat in names if cleaned[f"by-{seat}"]}
                if not value:
                    raise ValidationError("Nothing would change: strike the event instead.")
            case fields.RecordList(of=part):
                places = range(places_in(cleaned, spec))
                value = tuple(_made(part, cleaned, names, f"-{at}") for at in places)
            case fields.Choice(of=choice) if value:
                value = choice(value)
            case fields.SeatList():
                value = tuple(dict.fromkeys(value))
        is_empty = value in (None, "", ()) and default is not MISSING
        values[name] = default if is_empty else value
    return of(**values)
