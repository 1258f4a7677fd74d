"""The forms that draw and seat the tables of a draft."""

from __future__ import annotations

from typing import Any

from django import forms

from coalition_site.lib.forms import Tap, check_showable
from coalition_site.lib.untrusted import TEXT_MAX

from ..forms.taps import seat_choices
from ..models import GameSet
from ..rules.formats.conspiracy_draft import NUMBER_MAX, DraftFaceUp, Reveal, TakeNote
from ..rules.move import Move
from .drafting import GIVE_A_NUMBER, Acting
from .splits import DRAWS_MAX, Drawn

COLOURS = ("White", "Blue", "Black", "Red", "Green")
COLOURS_NOTED = 3


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


class DraftCardForm(Tap):
    """Who drafts a card that acts in the draft, and what that player notes for it.

    What a card notes some time after it was drafted is taken ``later``; with ``down`` the card,
    which lies face up, is turned down with its note.
    """

    down = forms.BooleanField(required=False)

    player = forms.TypedChoiceField(
        coerce=int,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose whose card it is."),
    )

    def __init__(self, data: Any, card: Acting, draft: GameSet, *, later: bool) -> None:
        super().__init__(data)
        self.card, self.later = card, later
        player = self.fields["player"]
        assert isinstance(player, forms.TypedChoiceField)
        player.choices = seat_choices(draft.names)
        if card.notes_at_once or (later and card.notes):
            self.fields["noted"] = _noted(card, draft)
            if card.asks == "guess":
                self.fields["right"] = forms.BooleanField(required=False)

    def move(self) -> Move:
        player, data = self.cleaned_data["player"], self.cleaned_data
        if self.card.is_face_up and not self.later:
            return DraftFaceUp(player, self.card.name)
        number, name = _number_and_name(data.get("noted", ""), data.get("right"))
        if self.later:
            return TakeNote(player, self.card.name, number, name, data["down"])
        return Reveal(player, self.card.name, number, name)


def _number_and_name(noted: int | str, is_right: bool | None) -> tuple[int | None, str]:
    """Return what is noted; a guess with whether it ``is_right``.

    >>> _number_and_name("Fork", False)
    (None, 'Fork, guessed wrong')
    """
    if isinstance(noted, int):
        return noted, ""
    guess = "" if is_right is None else f", guessed {'right' if is_right else 'wrong'}"
    return None, f"{noted}{guess}"


class _Colours(forms.MultipleChoiceField):
    def clean(self, value: Any) -> Any:
        chosen = super().clean(value)
        if len(set(chosen)) != COLOURS_NOTED:
            raise forms.ValidationError(self.error_messages["required"])
        return ", ".join(chosen)


def _noted(card: Acting, draft: GameSet) -> forms.Field:
    match card.asks:
        case "number":
            errors = dict.fromkeys(
                ("required", "invalid", "min_value", "max_value"),
                GIVE_A_NUMBER,
            )
            return forms.IntegerField(min_value=1, max_value=NUMBER_MAX, error_messages=errors)
        case "colours":
            errors = dict.fromkeys(
                ("required", "invalid_choice"), "Choose three different colours."
            )
            colours = [(colour, colour) for colour in COLOURS]
            return _Colours(choices=colours, error_messages=errors)
        case "player":
            errors = dict.fromkeys(("required", "invalid_choice"), "Choose who passed it.")
            names = [(name, name) for name in draft.names.values()]
            return forms.ChoiceField(choices=names, error_messages=errors)
    longest = TEXT_MAX - (len(", guessed wrong") if card.asks == "guess" else 0)
    return forms.CharField(
        max_length=longest,
        validators=[check_showable],
        error_messages={
            "required": "Type what is noted.",
            "max_length": f"Type {longest} characters at most.",
        },
    )
