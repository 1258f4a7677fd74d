"""The forms of the admin."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelectMultiple

from ..models import BanList, Card, CreatureType


class CardForm(forms.ModelForm):
    affiliated = forms.ModelMultipleChoiceField(
        CreatureType.objects.filter(is_none=False),
        required=False,
        label="types",
        widget=AutocompleteSelectMultiple(Card._meta.get_field("types"), admin.site),
    )

    class Meta:
        model = Card
        fields = ("every_type", "override_reason")
        labels = {"override_reason": "reason"}
        help_texts = {
            "every_type": "The card belongs to every type, including future types.",
            "override_reason": "Why the affiliations differ from the card's text. "
            "Empty this to use the text again.",
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "affiliated" in self.fields:
            self.initial["affiliated"] = list(self.instance.types.values_list("pk", flat=True))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("every_type") and cleaned.get("affiliated"):
            self.add_error("affiliated", "Choose either every type or single types.")
        was_overridden = bool(self.initial.get("override_reason"))
        is_changed = {"affiliated", "every_type"} & set(self.changed_data)
        if is_changed and not cleaned.get("override_reason") and not was_overridden:
            self.add_error("override_reason", "Give a reason: this differs from the card's text.")
        return cleaned


class BanListForm(forms.ModelForm):
    class Meta:
        model = BanList
        fields = ("key", "name", "format", "base", "illegal_decks")
        labels = {"illegal_decks": "when somebody brings an illegal deck"}
        help_texts = {"base": "The list that house bans add to. Leave a format's own list empty."}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        base = cleaned.get("base")
        if base and (base.base_id or base.format != cleaned.get("format")):
            self.add_error("base", "Choose the list of the same format as the base.")
        return cleaned
