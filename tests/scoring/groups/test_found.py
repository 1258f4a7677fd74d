"""Making a playgroup."""

from __future__ import annotations

import pytest
from django.urls import reverse

from scoring.models import Playgroup

from ..pages import refusal
from ..tables import tap_id, unchanged
from .visitors import at, browser, roles

pytestmark = pytest.mark.django_db

FORM = {
    "tap_id": tap_id(1),
    "name": "Thursday",
    "visibility": "private",
    "ruleset": "coalition-2026",
}


def test_who_makes_a_playgroup_owns_it():
    client = browser("olga")
    client.cookies["zone"] = "Europe/Berlin"

    response = client.post(reverse("groups"), FORM)

    made = Playgroup.objects.get()
    assert (response.status_code, response["Location"]) == (302, at(made, "board"))
    assert (made.name, made.visibility, made.ruleset, made.zone) == (
        "Thursday",
        "private",
        "coalition-2026",
        "Europe/Berlin",
    )
    assert roles(made) == {"olga": "owner"}


def test_a_playgroup_made_twice_by_one_tap_is_one():
    olga, pat = browser("olga"), browser("pat")

    places = [olga.post(reverse("groups"), FORM)["Location"] for _ in range(2)]
    others = [
        pat.post(reverse("groups"), FORM)["Location"],
        olga.post(reverse("groups"), FORM | {"name": "Friday"})["Location"],
        olga.post(reverse("groups"), FORM | {"visibility": "public"})["Location"],
        olga.post(reverse("groups"), FORM | {"ruleset": "coalition-906"})["Location"],
    ]

    assert places[0] == places[1]
    assert len({places[0], *others}) == Playgroup.objects.count() == 5


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"name": ""}, "Give the playgroup a name."),
        ({"name": "x" * 81}, "The name is too long: 80 characters at most."),
        ({"name": "a\0"}, "Null characters are not allowed."),
        ({"visibility": ""}, "Choose who sees it."),
        ({"ruleset": "chess"}, "Choose a ruleset."),
        ({"tap_id": ""}, "This form is damaged. Load the page anew."),
    ],
)
def test_a_playgroup_that_makes_no_sense_is_refused(form, message):
    client = browser("olga")

    with unchanged():
        status, told = refusal(client.post(reverse("groups"), FORM | form))

    assert status == 422
    assert message in told


def test_who_is_not_signed_in_is_sent_to_sign_in():
    with unchanged():
        response = browser(None).post(reverse("groups"), FORM)

    assert response["Location"] == f"{reverse('login')}?next={reverse('groups')}"


def test_who_brings_a_playgroup_and_is_not_signed_in_is_led_to_the_form():
    response = browser(None).post(reverse("import_group"))

    assert response["Location"] == f"{reverse('login')}?next={reverse('groups')}"
