"""The forms of announcements. They validate, and save nothing."""

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.forms import (
    DAMAGED,
    DayField,
    Tap,
    any_error,
    check_lines_showable,
    check_showable,
)

from ..catalogue.memory import UnknownCard, find_rows
from ..decks.forms import text_of
from ..models import NAMED_RULES, TITLE_MAX, Announced, BanList, Card, NamedCard, Rule
from ..rules.entries import LIST_MAX, TOO_LONG
from .commands import BY_NAME, OF_CARDS, EntryContent

REASON_MAX, TEXT_MAX, CARDS_MAX = 2000, 10_000, 20_000
STATUSES = {
    Announced.BANNED: "Banned",
    Announced.RESTRICTED: "Restricted: one copy in a deck",
    Announced.LEGAL: "Legal: off the list",
    Announced.WATCHED: "Watched: legal, and looked at",
    Announced.ALLOWED: "Allowed, although a rule bans it",
}


def statuses(ban_list: BanList) -> list[tuple[str, str]]:
    fitting = (*(BY_NAME if ban_list.is_by_name else OF_CARDS), Announced.LEGAL)
    return [(status, label) for status, label in STATUSES.items() if status in fitting]


def long_text(what: str, most: int) -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=most,
        validators=[check_lines_showable],
        error_messages={"max_length": f"{what} too long: {most} characters at most."},
    )


class VersionForm(forms.Form):  # of a draft that its editor was looking at
    version = forms.IntegerField(
        min_value=0, max_value=2**31 - 1, error_messages=any_error(DAMAGED)
    )


class TitleForm(forms.Form):
    title = forms.CharField(
        max_length=TITLE_MAX,
        validators=[check_showable],
        error_messages={
            "required": "Give the announcement a title.",
            "max_length": f"The title is too long: {TITLE_MAX} characters at most.",
        },
    )
    text = long_text("The reasons are", TEXT_MAX)


class WordsForm(TitleForm):
    on = DayField("The day")


class NewDraftForm(WordsForm, Tap):
    lines = long_text("The list of cards is", CARDS_MAX)
    then = DayField("The day to restore", required=False)


class DraftForm(WordsForm, VersionForm):
    pass


class PublishedWordsForm(TitleForm, VersionForm):
    pass


class LineForm(VersionForm):
    card = forms.CharField(
        required=False,
        max_length=200,
        validators=[check_showable],
        error_messages={"max_length": "There is no card with such a long name."},
    )
    suggested = forms.CharField(required=False, max_length=200)
    rule = forms.ChoiceField(
        required=False,
        choices=[("", ""), *Rule.choices],
        error_messages={"invalid_choice": "There is no such group of cards. Choose another."},
    )
    cards = long_text("The list of cards is", CARDS_MAX)
    status = forms.ChoiceField(error_messages=any_error("Choose what the list says of it."))
    reason = long_text("The reason is", REASON_MAX)

    def __init__(self, data: Any, *, ban_list: BanList) -> None:
        super().__init__(data)
        self.ban_list = ban_list
        cast(forms.ChoiceField, self.fields["status"]).choices = statuses(ban_list)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        name = cleaned.get("suggested") or cleaned.get("card")
        if not self.errors and bool(name) == bool(cleaned.get("rule")):
            raise ValidationError(
                "Choose either a card or a group of cards."
                if name
                else "Which card? Type its English name, or choose a group of cards."
            )
        return cleaned

    def content(self) -> EntryContent:
        """:raises UnknownCard: if it names an unknown card."""
        values = self.cleaned_data
        rule, status, reason = values["rule"], values["status"], values["reason"]
        if self.ban_list.is_by_name and not rule:
            return EntryContent(NamedCard(values["card"]), status, reason)
        names = [values["suggested"] or values["card"]]
        if rule:
            names = list(filter(None, map(str.strip, values["cards"].splitlines())))
        known = find_rows(names)
        if unknown := [name for name in names if name not in known]:
            raise UnknownCard(unknown[0])
        cards = frozenset(known.values()) if rule in NAMED_RULES else frozenset[Card]()
        return EntryContent(Rule(rule) if rule else known[names[0]], status, reason, cards)


class PastedForm(VersionForm):  # a file overrides the text
    text = forms.CharField(required=False, strip=False)
    file = forms.FileField(required=False, allow_empty_file=True)
    is_whole = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if file := cleaned.get("file"):
            cleaned["text"] = text_of(file)
        text = cleaned.get("text") or ""
        if len(text) > LIST_MAX:
            raise ValidationError(TOO_LONG)
        if not text.strip() and not self.errors:
            raise ValidationError("Paste a list, or choose a file.")
        check_lines_showable(text)
        return cleaned


class PublishForm(forms.Form):
    seen = forms.CharField(
        max_length=100, error_messages=dict.fromkeys(("required", "max_length"), DAMAGED)
    )
    agrees_to_past = forms.BooleanField(required=False)
    reason = long_text("The reason is", REASON_MAX)
    without_reason = forms.BooleanField(required=False)
