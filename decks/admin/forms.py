"""The forms of the admin: what an editor says, checked and tried out before it is saved."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ..bans import commands
from ..bans.commands import BanRefused, Change, Subject
from ..models import BanEntry, BanList, Card, CreatureType, Deck, Rule

AGREED = "although"  # the checkbox under the decks that become illegal


class BanForm(forms.ModelForm):
    """An entry of a ban list: a new one, or another reason or end for one that is there.

    A change that makes registered decks illegal is refused once, with ``breaks`` to be shown.
    ``agreement`` is the value of the checkbox under them: it stands for this change and these
    decks, so a yes to one change is none to another.
    """

    user: User
    breaks: list[Deck]
    agreement: str

    class Meta:
        model = BanEntry
        fields = ()  # the admin says which
        help_texts = {
            "card": "A card, or else a rule below.",
            "rule": "A group of cards instead of a single one.",
            "cards": "For Depictions and Named cards: the cards that the rule means. "
            "One entry names all these cards: a new one takes the place of the old.",
            "status": "Watched cards may be played. Allowed ones may be although a rule bans them.",
            "starts_on": "The day it takes effect; until then the list says what it says now.",
            "ends_on": "The first day on which it is not in force any more.",
        }

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.breaks, self.agreement = [], ""

    @property
    def subject(self) -> Subject:
        return self.cleaned_data["card"] or Rule(self.cleaned_data["rule"])

    @property
    def _is_new(self) -> bool:
        return self.instance.pk is None

    def clean(self) -> None:
        """Try the change. Without Django's own checks: what is in force ends by the new entry."""
        if self.errors:
            return
        if self._is_new and bool(self.cleaned_data["card"]) == bool(self.cleaned_data["rule"]):
            self.add_error("card", "Choose a card or a rule: one of the two.")
            return
        self._change = self._as_change()
        try:
            self._try_out()
        except BanRefused as refusal:
            self.add_error("starts_on" if self._is_new else "ends_on", str(refusal))

    def _try_out(self) -> None:
        commands.hold(self._ban_list)  # what was tried out is what will be saved
        self.breaks = commands.what_breaks(self._ban_list, self._change, self._takes_effect())
        self.agreement = self._fingerprint()
        if self.breaks and self.data.get(AGREED) != self.agreement:
            self.add_error(None, "Not saved yet: it makes registered decks illegal. See below.")

    def make(self) -> BanEntry:
        """Save the change, which was valid."""
        return self._change()

    @property
    def _ban_list(self) -> BanList:
        return self.cleaned_data["ban_list"] if self._is_new else self.instance.ban_list

    def _as_change(self) -> Change:
        said = self.cleaned_data
        if not self._is_new:
            return partial(
                commands.amend, self.instance, said["reason"], said["ends_on"], self.user
            )
        return partial(
            commands.ban,
            said["ban_list"],
            self.subject,
            said["status"],
            said["reason"],
            said["starts_on"],
            self.user,
            said["cards"],
        )

    def _takes_effect(self) -> date:
        """Return the first day from today on which the change makes a difference."""
        if self._is_new:
            return max(timezone.localdate(), self.cleaned_data["starts_on"])
        ends = filter(None, (self.instance.ends_on, self.cleaned_data["ends_on"]))
        return max(timezone.localdate(), min(ends, default=date.min))

    def _fingerprint(self) -> str:
        said = sorted((name, str(self.data.getlist(name))) for name in self.fields)
        decks = [deck.pk for deck in self.breaks]
        return salted_hmac("decks.ban", repr((self.instance.pk, said, decks))).hexdigest()


class CardForm(forms.ModelForm):
    """A card's affiliations as an editor sees them, and why."""

    affiliated = forms.ModelMultipleChoiceField(
        CreatureType.objects.all(),
        required=False,
        label="types",
        widget=AutocompleteSelectMultiple(Card._meta.get_field("types"), admin.site),
    )

    class Meta:
        model = Card
        fields = ("every_type", "override_reason")
        labels = {"override_reason": "reason"}
        help_texts = {
            "every_type": "It belongs to every type, also to those yet to come.",
            "override_reason": "Why they are not what its text says. Taken away, its text counts.",
        }

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if "affiliated" in self.fields:
            self.initial["affiliated"] = list(self.instance.types.values_list("pk", flat=True))

    def clean(self) -> dict[str, Any]:
        said = super().clean()
        if said.get("every_type") and said.get("affiliated"):
            self.add_error("affiliated", "A card of every type has none of its own.")
        was_settled = bool(self.initial.get("override_reason"))
        is_changed = {"affiliated", "every_type"} & set(self.changed_data)
        if is_changed and not said.get("override_reason") and not was_settled:
            self.add_error("override_reason", "Say why: its text says something else.")
        return said


class BanListForm(forms.ModelForm):
    """A list; one that stands on another stands on the list of its own format."""

    class Meta:
        model = BanList
        fields = ("key", "name", "format", "base", "illegal_decks")
        labels = {"illegal_decks": "when an illegal deck is to be played"}
        help_texts = {"base": "The list that these house bans stand on; empty for a format's own."}

    def clean(self) -> dict[str, Any]:
        said = super().clean()
        base = said.get("base")
        if base and (base.base_id or base.format != said.get("format")):
            self.add_error("base", "A house list stands on the list of its own format.")
        return said
