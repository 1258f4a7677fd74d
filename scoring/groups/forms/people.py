"""Who plays in a playgroup: a player's name, who is the same person, who sat at a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from ...models import Player, Seat
from .fields import NameField


class PlayerForm(forms.Form):
    """A player's name, and whether lists leave the player out."""

    name = NameField("Give the player a name.")
    is_guest = forms.BooleanField(required=False)


class MergeForm(forms.Form):
    """The player into whom another is merged."""

    into = forms.ModelChoiceField(
        Player.objects.none(),
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose a player of this playgroup."
        ),
    )

    def __init__(self, data: Mapping[str, Any], *, player: Player) -> None:
        super().__init__(data)
        others = Player.objects.filter(playgroup=player.playgroup_id)
        into = self.fields["into"]
        assert isinstance(into, forms.ModelChoiceField)
        into.queryset = others.select_related("playgroup")


class TakeForm(forms.Form):
    """Who sat at a table, by the names of the playgroup's players."""

    def __init__(self, data: Mapping[str, Any], *, seats: Iterable[Seat]) -> None:
        super().__init__(data)
        self.seats = list(seats)
        for seat in self.seats:
            self.fields[f"seat-{seat.number}"] = NameField(f"Who is {seat.name}? Type a name.")

    @property
    def names(self) -> dict[int, str]:
        """The players' names by seat number, of a valid form."""
        return {seat.number: self.cleaned_data[f"seat-{seat.number}"] for seat in self.seats}
