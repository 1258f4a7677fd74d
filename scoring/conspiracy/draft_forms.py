"""The forms that draw and seat the tables of a draft."""

from __future__ import annotations

from typing import Any

from django import forms

from coalition_site.lib.forms import Tap

from ..models import GameSet
from .splits import DRAWS_MAX, Drawn


class DrawForm(forms.Form):
    """How the tables of a draft are drawn; what is left out is as usual."""

    draw = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=DRAWS_MAX,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"It can be drawn {DRAWS_MAX} times at most."
        ),
    )
    sizes = forms.RegexField(
        r"^[3-5](-[3-5])*\Z", required=False, error_messages={"invalid": "Choose the sizes again."}
    )
    who = forms.TypedMultipleChoiceField(
        coerce=int, required=False, error_messages={"invalid_choice": "Choose who plays again."}
    )

    def __init__(self, data: Any, *, draft: GameSet) -> None:
        super().__init__(data)
        who = self.fields["who"]
        assert isinstance(who, forms.TypedMultipleChoiceField)
        who.choices = [(str(seat), name) for seat, name in draft.names.items()]

    def drawn(self, game: int) -> Drawn:
        """Return what was chosen, the usual for what can't be.

        >>> class NoDraft: names = {}
        >>> DrawForm({"draw": "x"}, draft=NoDraft()).drawn(1)
        Drawn(game=1, times=1, sizes=(), playing=())
        """
        self.full_clean()
        data = self.cleaned_data
        sizes = tuple(int(size) for size in (data.get("sizes") or "").split("-") if size)
        return Drawn(game, data.get("draw") or 1, sizes, tuple(data.get("who") or ()))


class SplitForm(Tap, DrawForm):
    """Seats the tables as drawn, or with ``same`` as in the game before."""

    same = forms.BooleanField(required=False)
