"""The forms of the admin. A change of a ban list is tried out before it is saved."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ..bans import commands
from ..bans.commands import BanRefused
from ..bans.impact import Change, decks_made_illegal
from ..models import BanEntry, BanList, Card, CreatureType, Deck, Rule, Subject

AGREED = "although"  # the name of the checkbox under the decks that become illegal


class BanForm(forms.ModelForm):
    """A new entry of a ban list, or a new reason or end of an existing entry.

    A change that makes saved decks illegal is refused until its editor ticks a checkbox below
    these decks (``made_illegal``). ``agreement`` is the value of the checkbox. It is derived from
    the change and the decks, so agreeing to one change never agrees to another.
    """

    user: User
    made_illegal: list[Deck]
    agreement: str

    class Meta:
        model = BanEntry
        fields = ()  # the admin lists them
        help_texts = {
            "card": "A single card. For a group of cards choose a rule below instead.",
            "rule": "A group of cards instead of a single card.",
            "cards": "Only for Depictions and Named cards: all the cards that the rule covers. "
            "A new entry for the rule replaces the old entry with all its cards.",
            "status": "Watched cards are legal. Allowed cards are legal even if a rule bans them.",
            "starts_on": "The day it takes effect. Until then the list stays as it is.",
            "ends_on": "The first day on which it is no longer in force.",
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.made_illegal, self.agreement = [], ""

    @property
    def named(self) -> list[Deck]:
        """The decks among those made illegal whose names this editor may read."""
        if self.user.has_perm("decks.view_deck"):
            return self.made_illegal
        return [deck for deck in self.made_illegal if deck.owner_id == self.user.pk]

    @property
    def unnamed(self) -> int:
        return len(self.made_illegal) - len(self.named)

    @property
    def subject(self) -> Subject:
        card: Card | None = self.cleaned_data["card"]
        return card or Rule(self.cleaned_data["rule"])

    @property
    def _is_new(self) -> bool:
        return self.instance.pk is None

    def clean(self) -> None:
        """Try out the change."""
        # Without super(): the model's checks would refuse a new entry beside an entry in force,
        # which saving ends.
        if self.errors:
            return
        if self._is_new and bool(self.cleaned_data["card"]) == bool(self.cleaned_data["rule"]):
            self.add_error("card", "Choose either a card or a rule.")
            return
        self._change = self._as_change()
        try:
            self._try_out()
        except BanRefused as refusal:
            self.add_error("starts_on" if self._is_new else "ends_on", str(refusal))

    def _try_out(self) -> None:
        commands.lock(self._ban_list)  # so that nothing changes between trying and saving
        self.made_illegal = decks_made_illegal(self._ban_list, self._change, self._takes_effect())
        self.agreement = self._fingerprint()
        if self.made_illegal and self.data.get(AGREED) != self.agreement:
            self.add_error(None, "Not saved yet: this makes saved decks illegal. See below.")

    def apply(self) -> BanEntry:
        """Save the change of a valid form."""
        return self._change()

    @property
    def _ban_list(self) -> BanList:
        ban_list: BanList = (
            self.cleaned_data["ban_list"] if self._is_new else self.instance.ban_list
        )
        return ban_list

    def _as_change(self) -> Change:
        values = self.cleaned_data
        if not self._is_new:
            return partial(
                commands.amend, self.instance, values["reason"], values["ends_on"], self.user
            )
        return partial(
            commands.ban,
            values["ban_list"],
            self.subject,
            values["status"],
            values["reason"],
            values["starts_on"],
            self.user,
            values["cards"],
        )

    def _takes_effect(self) -> date:
        """Return the first day, today or later, on which the change makes a difference."""
        if self._is_new:
            first: date = self.cleaned_data["starts_on"]
        else:
            ends: list[date | None] = [self.instance.ends_on, self.cleaned_data["ends_on"]]
            first = min(filter(None, ends), default=date.min)
        return max(timezone.localdate(), first)

    def _fingerprint(self) -> str:
        assert isinstance(self.data, QueryDict)
        values = sorted((name, str(self.data.getlist(name))) for name in self.fields)
        decks = [deck.pk for deck in self.made_illegal]
        return salted_hmac("decks.ban", repr((self.instance.pk, values, decks))).hexdigest()


class CardForm(forms.ModelForm):
    """A card's affiliations as an editor decides them, and why."""

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
    """A ban list. The base of a house list must be the list of its own format."""

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
