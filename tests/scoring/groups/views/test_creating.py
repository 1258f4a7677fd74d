"""Making a playgroup."""

import re

import pytest
from django.urls import reverse

from scoring.models import Playgroup
from scoring.rules.formats import RULESETS

from ...browsing import refusal, words
from ...tables import tap_id, text, unchanged
from ..visitors import account, at, browser, roles

pytestmark = pytest.mark.django_db

FORM = {
    "tap_id": tap_id(1),
    "name": "Thursday",
    "visibility": "private",
    "ruleset": "coalition-2026",
}


def test_whoever_creates_a_playgroup_owns_it():
    client = browser("olga")
    client.cookies["zone"] = "Europe/Berlin"

    response = client.post(reverse("groups"), FORM)

    made = Playgroup.objects.get()
    assert (response.status_code, response["Location"]) == (302, at(made, "board"))
    asked = ("Thursday", "private", "coalition-2026", "Europe/Berlin")
    assert (made.name, made.visibility, made.ruleset, made.zone) == asked
    assert roles(made) == {"olga": "owner"}


def test_the_rulesets_are_described_where_they_are_chosen():
    olga = browser("olga")
    page_of_groups = olga.get(reverse("groups"))
    olga.post(reverse("groups"), FORM)
    settings = olga.get(at(Playgroup.objects.get(), "settings"))

    for page, chosen in ((page_of_groups, "coalition-906"), (settings, "coalition-2026")):
        assert re.findall('name="ruleset" value="([^"]*)" checked', text(page)) == [chosen]
        assert all(one.summary in words(page) for one in RULESETS.values() if one.is_ranked)


def test_an_empty_board_leads_owners_to_a_table_and_to_people():
    olga = browser("olga")
    olga.post(reverse("groups"), FORM | {"visibility": "public"})
    made = Playgroup.objects.get()
    account("sam", made, "scorekeeper")

    pages = [words(browser(who).get(at(made, "board"))) for who in ("olga", "sam", None)]

    assert ["Start a table , and invite people" in page for page in pages] == [True, False, False]
    assert ["here yet. Start a table ." in page for page in pages] == [False, True, False]


def test_a_playgroup_made_twice_by_one_tap_exists_once():
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
        ({"visibility": ""}, "Choose who sees it."),
        ({"ruleset": "chess"}, "Choose a ruleset."),
    ],
)
def test_a_playgroup_that_makes_no_sense_is_refused(form, message):
    client = browser("olga")

    with unchanged():
        status, problem = refusal(client.post(reverse("groups"), FORM | form))

    assert status == 422
    assert message in problem
