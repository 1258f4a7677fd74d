"""What the admin is asked that no page of its own would ask: answered as told here, never a 500."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.scoring.tables import everything

from .test_access import called, fill, kept, patterns, signed_in

__all__ = ["kept"]

HUGE, NUL = "9" * 400, "a\0b"
WILD = ("", "0", "-1", HUGE, "x", "[", "http://[", "1.-2.x", NUL)
SPECIAL = ("_popup", "_changelist_filters", "e", "p", "o", "all", "q", "_facets")
SPECIAL += ("_saveasnew", "_continue", "next", "index", "page", "term", "in_force")
LISTS = "admin:auth_user_changelist"
LOOKUPS = ("username__regex=[", "date_joined__year=0", "id__range=1", f"id__in={HUGE}")
LOOKUPS += (f"logentry={HUGE}", f"id__gte={HUGE}", "username__startswith=a", "nothing=1")
FILTERS = {
    "auth_user": ("is_staff__exact", "groups__id__exact", "groups__isnull"),
    "decks_banentry": ("ban_list__id__exact", "ban_list__isnull", "status__exact", "in_force"),
    "decks_card": ("every_type__exact", "override_reason__isempty"),
    "decks_banlist": ("format__exact",),
}
CHOSEN = {"action": "delete_selected", "index": "0"}


@pytest.fixture
def superuser(kept: dict[str, Any]) -> Client:
    return signed_in("superuser")


def names() -> list[str]:
    return sorted({called(pattern) for pattern in patterns()})


@pytest.mark.parametrize("role", ["editor", "superuser"])
def test_an_empty_field_to_go_by_is_as_none(kept, role):
    client = signed_in(role)

    for name in names():
        if name.endswith(("_change", "_delete")):
            place = fill(name, kept)
            for ask in (client.get, client.post):
                plain = status(ask, place, {"x": 1})
                assert status(ask, place, {"x": 1, "_to_field": ""}) == plain < 500, place


def status(ask: Any, place: str, form: dict[str, Any]) -> int:
    """Return the status of an answer, and take back what it did."""
    with transaction.atomic():
        answer = ask(place, form)
        transaction.set_rollback(True)
    return int(answer.status_code)


@pytest.mark.parametrize("field", ["logentry", "groups", "nothing", "pk"])
def test_a_field_that_nothing_goes_by_is_refused(kept, superuser, field):
    for name in ("auth_user_change", "auth_user_delete", "auth_user_add", "auth_user_changelist"):
        assert superuser.get(fill(name, kept), {"_to_field": field}).status_code == 400, name
    assert superuser.get(fill("auth_user_change", kept), {"_to_field": "id"}).status_code == 200


@pytest.mark.parametrize("value", WILD)
def test_no_special_parameter_breaks_a_page(kept, superuser, value):
    before = everything()
    asked = urlencode(dict.fromkeys(SPECIAL, value))

    for place in (fill(name, kept) for name in names() if name != "logout"):
        assert superuser.get(f"{place.partition('?')[0]}?{asked}").status_code < 500, place

    assert everything() == before


@pytest.mark.parametrize("asked", LOOKUPS)
def test_a_list_is_asked_by_its_filters_alone(superuser, asked):
    answer = superuser.get(f"{reverse(LISTS)}?{asked}")

    assert (answer.status_code, answer.headers["Location"]) == (302, f"{reverse(LISTS)}?e=1")


@pytest.mark.parametrize("value", WILD)
def test_a_filter_takes_any_value(kept, superuser, value):
    for model, names_of in FILTERS.items():
        for name in names_of:
            asked = reverse(f"admin:{model}_changelist") + "?" + urlencode({name: value})
            assert superuser.get(asked).status_code in (200, 302, 400), asked


@pytest.mark.parametrize("value", ["x", "1.5", HUGE, "-" + HUGE, NUL])
def test_a_choice_that_is_in_no_list_is_refused(kept, superuser, value):
    before = everything()
    forms = {
        "auth_group_add": {"name": "a", "permissions": value},
        "auth_user_change": {"username": "a", "groups": value},
        "decks_banentry_add": {"card": value},
        "decks_card_change": {"affiliated": ["1", value]},
        "auth_user_changelist": {**CHOSEN, "_selected_action": ["1", value]},
    }

    for name, form in forms.items():
        assert superuser.post(fill(name, kept), form).status_code == 400, name
    assert everything() == before


@pytest.mark.parametrize("value", ["x", HUGE, "1,x", "2026-13-45"])
def test_an_address_fills_no_form(superuser, value):
    place = reverse("admin:decks_banentry_add")
    fields = ("ban_list", "card", "cards", "status", "starts_on", "changed_by", "kept_by")

    for field in fields:
        answer = superuser.get(place, {field: value})
        assert answer.status_code == 200, field
        assert answer.context["adminform"].form.initial == {}, field


def test_whatever_field_is_typed_into_there_are_choices_or_none(kept, superuser):
    for model in apps.get_models():
        for field in model._meta.get_fields():
            asked = {
                "app_label": model._meta.app_label,
                "model_name": model._meta.model_name,
                "field_name": field.name,
            }
            answer = superuser.get(reverse("admin:autocomplete"), asked)
            assert answer.status_code in (200, 403, 404), asked
