"""What owners change: the settings of a playgroup, and its own ban list."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from coalition_site.lib.forms import check_lines_showable, check_showable
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from coalition_site.lib.untrusted import TEXT_MAX
from decks.bans import commands
from decks.bans.commands import BanRefused
from decks.catalogue.memory import closest_names, find_rows
from decks.models import NAME_MAX as CARD_NAME_MAX
from decks.models import BanEntry, Card, Playing, Status
from decks.queries import has_cards

from ...models import Playgroup
from ...models.people import HOUSE_RULES_MAX, Visibility
from ..bases import group_page
from ..decorators import owner_view, takes_form, takes_posts
from ..fields import RANKED, RULESET_CHOICES, DayField, NameField, any_error
from . import commands as group_settings

STATUSES = (
    (Status.BANNED, "Banned"),
    (Status.ALLOWED, "Allowed, although the format bans it"),
    (Status.WATCHED, "Watched"),
)


known_zones = cache(available_timezones)  # it reads hundreds of files
OWN = ("name", "visibility", "ruleset", "zone", "house_rules")


class SettingsForm(forms.Form):
    rulesets = RANKED  # with their descriptions, for pages
    name = NameField("Give the playgroup a name.")
    visibility = forms.ChoiceField(
        label="Who sees it",
        choices=[
            (Visibility.UNLISTED, "Whoever has its link"),
            (Visibility.PUBLIC, "Everybody, and it is listed"),
            (Visibility.PRIVATE, "Its members only"),
        ],
        error_messages=any_error("Choose who sees it."),
    )
    ruleset = forms.ChoiceField(
        label="Default ruleset",
        choices=RULESET_CHOICES,
        error_messages=any_error("Choose a ruleset."),
    )
    zone = forms.ChoiceField(label="Time zone", error_messages=any_error("Choose a time zone."))
    house_rules = forms.CharField(
        required=False,
        max_length=HOUSE_RULES_MAX,
        validators=[check_lines_showable],
        error_messages={
            "max_length": f"The house rules are too long: {HOUSE_RULES_MAX} characters at most."
        },
    )
    illegal_decks = forms.ChoiceField(
        label="A deck that is not legal",
        choices=[
            (Playing.ALLOW, "May be played"),
            (Playing.WARN, "May be played, with a warning"),
            (Playing.REFUSE, "Is refused at the table"),
        ],
        error_messages=any_error("Choose what happens with illegal decks."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        known = known_zones()
        listed = {name for name in known if "/" in name and not name.startswith("Etc/")}
        # One that was imported may have an old name, as in EST5EDT.
        zones = sorted(listed | {"UTC"} | {self.initial["zone"]} & known)
        field = self.fields["zone"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(zone, zone.replace("_", " ")) for zone in zones]


class HouseBanForm(forms.Form):
    card = forms.CharField(
        max_length=CARD_NAME_MAX,
        error_messages={
            "required": "Which card? Type its English name.",
            "max_length": "There is no card with such a long name.",
        },
    )
    status = forms.ChoiceField(
        choices=STATUSES, error_messages=any_error("Choose what the list says of it.")
    )
    reason = forms.CharField(required=False, max_length=TEXT_MAX, validators=[check_showable])
    starts_on = DayField("The first day")

    def clean_card(self) -> Card:
        name = self.cleaned_data["card"]
        card = find_rows([name]).get(name)
        if card is None and not has_cards():
            raise ValidationError(
                "No card has been imported yet: whoever runs this site can do it by the command "
                "import_cards."
            )
        if card is None:
            near = closest_names([name])[name]
            hint = f" Did you mean {' or '.join(near)}?" if near else " Type its English name."
            raise ValidationError(f"There is no card called {name}.{hint}")
        return card


class EndBanForm(forms.Form):
    reason = forms.CharField(required=False, max_length=TEXT_MAX, validators=[check_showable])
    ends_on = DayField("The day", required=False)


def settings_page(
    request: Request, group: Playgroup, refused: Refused | None = None
) -> HttpResponse:
    form = SettingsForm(request.POST if refused else None, initial=_initial(group))
    return group_page(request, "groups/settings.html", group, refused, form=form)


def _initial(group: Playgroup) -> dict[str, Any]:
    own = {name: getattr(group, name) for name in OWN}
    return own | {"illegal_decks": group.house.illegal_decks if group.house else Playing.WARN}


@takes_form(owner_view, settings_page)
def settings(request: Request, group: Playgroup) -> HttpResponse:
    data = cleaned_data(SettingsForm(request.POST, initial=_initial(group)))
    told = group_settings.change_settings(group, **data)
    messages.success(request, f"Saved. {told}".strip())
    return redirect("settings", group.code)


def bans_page(
    request: Request, group: Playgroup, key: int | None = None, refused: Refused | None = None
) -> HttpResponse:
    today = timezone.localdate()
    of_list = BanEntry.objects.filter(ban_list=group.house_id, ban_list__isnull=False)
    entries = of_list.select_related("card", "ban_list").order_by("-starts_on", "-pk")
    return group_page(
        request,
        "groups/bans.html",
        group,
        refused,
        statuses=STATUSES,
        today=today,
        standing=[entry for entry in entries if entry.ends_on is None or entry.ends_on > today],
        ended=[entry for entry in entries if entry.ends_on and entry.ends_on <= today],
    )


@takes_form(owner_view, bans_page)
def bans(request: Request, group: Playgroup) -> HttpResponse:
    data = cleaned_data(HouseBanForm(request.POST))
    assert request.user.is_authenticated  # as an owner
    group_settings.ban(group, by=request.user, **data)
    return redirect("house_bans", group.code)


@takes_posts(owner_view, bans_page)
def ban(request: Request, group: Playgroup, key: int) -> HttpResponse:
    entries = BanEntry.objects.select_related("ban_list")
    entry = get_object_or_404(entries, pk=key, ban_list__group=group)
    data = cleaned_data(EndBanForm(request.POST))
    assert request.user.is_authenticated  # as an owner
    try:
        commands.amend(entry, data["reason"], data["ends_on"], request.user)
    except BanRefused as refused:
        raise BanRefused(f"{entry}: {refused}") from refused
    return redirect("house_bans", group.code)


@takes_posts(owner_view, bans_page)
def announce(request: Request, group: Playgroup) -> HttpResponse:
    return redirect("new_draft", group_settings.house_list(group).key)
