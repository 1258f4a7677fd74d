"""Forms that amend an event: one for each type of move, filled with what it says now."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import check_showable
from coalition_site.lib.untrusted import TEXT_MAX

from ..rules import moves as mv
from ..rules.own import OwnMove
from .moves import form_fields, move_said
from .taps import seat_choices

Names = Mapping[int, str]


class AmendForm(forms.Form):
    """Fields for the facts of one move; ``move()`` is the move that they say.

    ``kinds`` are the kinds of damage that the format knows.
    """

    def __init__(
        self, move: Any, names: Names, data: Any = None, kinds: Collection[mv.Kind] = mv.Kind
    ) -> None:
        self.was, self.names, self.kinds = move, names, kinds
        super().__init__(data)
        self.add_fields(move)

    def add_fields(self, move: Any) -> None:
        """Add a field for each fact, filled from ``move``."""

    def move(self) -> mv.Move:
        """Return the move that the valid form says."""
        raise NotImplementedError

    def add_seat(self, name: str, seat: int | None, label: str, nobody: str = "") -> None:
        choices = [("", nobody)] if nobody else []
        self.fields[name] = forms.TypedChoiceField(
            choices=[*choices, *seat_choices(self.names)],
            coerce=int,
            empty_value=None,
            required=not nobody,
            initial=seat if seat is not None else "",
            label=label,
        )

    def add_number(self, name: str, number: int | None, label: str, low: int, high: int) -> None:
        self.fields[name] = forms.IntegerField(
            min_value=low, max_value=high, initial=number, required=number is not None, label=label
        )


class AmendDamage(AmendForm):
    def add_fields(self, move: mv.DealDamage) -> None:
        for at, hit in enumerate(move.hits):
            which = f" of hit {at + 1}" if len(move.hits) > 1 else ""
            self.add_seat(f"source-{at}", hit.source, f"From{which}", nobody="None")
            self.add_seat(f"target-{at}", hit.target, f"To{which}")
            self.fields[f"kind-{at}"] = forms.ChoiceField(
                choices=[
                    (kind, kind.capitalize())
                    for kind in mv.Kind
                    if kind in self.kinds or kind == hit.kind
                ],
                initial=hit.kind,
                label=f"Kind{which}",
            )
            self.add_number(f"amount-{at}", hit.amount, f"Damage{which}", 1, mv.AMOUNT_MAX)
            self.fields[f"infect-{at}"] = forms.BooleanField(
                required=False, initial=hit.infect, label=f"Infect{which}"
            )
            self.fields[f"lifelink-{at}"] = forms.BooleanField(
                required=False, initial=hit.lifelink, label=f"Lifelink{which}"
            )
            self.add_number(f"toxic-{at}", None, f"Toxic{which}", 1, mv.TOXIC_MAX)
            self.fields[f"toxic-{at}"].initial = hit.toxic or None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for at in range(len(self.was.hits)):
            kind = cleaned.get(f"kind-{at}")
            if cleaned.get(f"source-{at}") is None and kind != mv.Kind.OTHER:
                raise ValidationError("Without a player it can only be other damage.")
            if cleaned.get(f"toxic-{at}") and kind != mv.Kind.COMBAT:
                raise ValidationError("Toxic goes with combat damage only.")
        return cleaned

    def move(self) -> mv.Move:
        return mv.DealDamage(tuple(self._hit(at) for at in range(len(self.was.hits))))

    def _hit(self, at: int) -> mv.Hit:
        said = self.cleaned_data
        return mv.Hit(
            source=said[f"source-{at}"],
            target=said[f"target-{at}"],
            amount=said[f"amount-{at}"],
            kind=mv.Kind(said[f"kind-{at}"]),
            infect=said[f"infect-{at}"],
            lifelink=said[f"lifelink-{at}"],
            toxic=said[f"toxic-{at}"] or 0,
        )


class AmendChanges(AmendForm):
    """Life or poison: a number for each player, empty or 0 for no change."""

    def add_fields(self, move: mv.ChangeLife | mv.ChangePoison) -> None:
        for seat, name in self.names.items():
            self.add_number(f"by-{seat}", None, name, -mv.CHANGE_MAX, mv.CHANGE_MAX)
            self.fields[f"by-{seat}"].initial = move.changes.get(seat)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not any(cleaned.values()):
            raise ValidationError("Nothing would change: strike the event instead.")
        return cleaned

    def move(self) -> mv.Move:
        said = {seat: self.cleaned_data[f"by-{seat}"] for seat in self.names}
        return type(self.was)({seat: by for seat, by in said.items() if by})


class AmendHold(AmendForm):
    def add_fields(self, move: mv.Hold) -> None:
        self.add_seat("player", move.player, "Player")
        for name, label in (("cannot_lose", "Can't lose"), ("cannot_win", "Can't win")):
            self.fields[name] = forms.BooleanField(
                required=False, initial=getattr(move, name), label=label
            )

    def move(self) -> mv.Move:
        return mv.Hold(**self.cleaned_data)


class AmendHero(AmendForm):
    def add_fields(self, move: mv.MoveHero) -> None:
        self.add_seat("player", move.player, "Hero of")
        self.fields["to"] = forms.ChoiceField(
            choices=[(zone, zone.capitalize()) for zone in mv.Zone], initial=move.to, label="To"
        )

    def move(self) -> mv.Move:
        return mv.MoveHero(self.cleaned_data["player"], mv.Zone(self.cleaned_data["to"]))


class AmendPlayer(AmendForm):
    """Events that name one player, or nobody, and sometimes a reason."""

    NOBODY = {mv.PassTurn: "The next player", mv.CrownMonarch: "Nobody"}

    def add_fields(self, move: Any) -> None:
        if hasattr(move, "player"):
            self.add_seat("player", move.player, "Player", self.NOBODY.get(type(move), ""))
        if hasattr(move, "players"):
            self.fields["players"] = forms.TypedMultipleChoiceField(
                choices=seat_choices(self.names),
                coerce=int,
                initial=[str(seat) for seat in move.players],
                widget=forms.CheckboxSelectMultiple,
                label="Who loses",
            )
        if hasattr(move, "reason"):
            self.fields["reason"] = forms.CharField(
                max_length=TEXT_MAX,
                initial=move.reason,
                validators=[check_showable],
                label="Reason",
            )

    def move(self) -> mv.Move:
        said = dict(self.cleaned_data)
        if "players" in said:
            said["players"] = tuple(dict.fromkeys(said["players"]))
        return type(self.was)(**said)


class AmendOwn(AmendForm):
    """Events of one format, by what the rules say of their fields."""

    def add_fields(self, move: OwnMove) -> None:
        self.fields |= form_fields(move, self.names)

    def move(self) -> mv.Move:
        return move_said(type(self.was), self.cleaned_data)


_FORMS: Mapping[type[mv.Move], type[AmendForm]] = {
    mv.DealDamage: AmendDamage,
    mv.ChangeLife: AmendChanges,
    mv.ChangePoison: AmendChanges,
    mv.Hold: AmendHold,
    mv.MoveHero: AmendHero,
}


def amend_form(
    move: mv.Move, names: Names, data: Any = None, *, kinds: Collection[mv.Kind] = mv.Kind
) -> AmendForm:
    """Return the form that amends ``move``, in a format that knows these kinds of damage."""
    usual = AmendOwn if isinstance(move, OwnMove) else AmendPlayer
    return _FORMS.get(type(move), usual)(move, names, data, kinds)
