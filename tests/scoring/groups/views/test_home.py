"""The way in: the home page, and starting a table."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring import access
from scoring.models import GameSet
from scoring.rules.formats import RULESETS
from scoring.rules.moves import Draw

from ...browsing import refusal, text, words
from ...tables import KEY, address, holder, record, set_up, tap_id, the_game, unchanged

pytestmark = pytest.mark.django_db

FORM = {"tap_id": tap_id(1), "name": ["Ann", "Bo", "", "Cy"], "ruleset": "coalition-906"}


def start(client: Client | None = None, **form: object):
    data = {key: value for key, value in (FORM | form).items() if value is not None}
    return (client or Client()).post(reverse("start"), data)


@pytest.mark.parametrize("name", ["home", "start"])
def test_a_wrong_method_is_405(name):
    methods = {"home": "GET, HEAD", "start": "GET, HEAD, POST"}[name]
    for method in {"POST", "PUT", "DELETE"} - set(methods.split(", ")):
        response = getattr(Client(), method.lower())(reverse(name))
        assert (response.status_code, response["Allow"]) == (405, methods)


def test_the_home_page_explains_to_a_stranger_how_it_works():
    set_up()

    page = words(Client().get(reverse("home")))

    assert "How it works" in page
    assert "Tables you score" not in page


def test_the_home_page_lists_the_tables_that_this_browser_keeps():
    table, other = set_up(), set_up(key="another-key")
    record(table, Draw())

    page = holder(table).get(reverse("home"))

    assert address(table, "score") in text(page)
    assert address(other, "score") not in text(page)
    assert "Game 1 of 3" in words(page)


def test_the_home_page_leaves_out_tables_whose_key_was_changed():
    page = holder(set_up(), "an-old-key").get(reverse("home"))

    assert "Tables you score" not in words(page)


def test_a_table_is_started_by_chance():
    client = Client()

    response = start(client)

    table = GameSet.objects.get()
    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert table.names == {1: "Ann", 2: "Bo", 3: "Cy"}
    assert the_game(table).rolled
    assert client.get(address(table, "score")).status_code == 200


def test_a_table_whose_start_was_drawn_already_asks_who():
    client = Client()

    response = start(client, starter="said")

    assert "Who starts?" in words(client.get(response["Location"]))
    table = GameSet.objects.get()
    client.post(address(table, "start_game", 1), {"tap_id": tap_id(2), "starter": 2})
    assert the_game(table).turn_order == [2, 3, 1]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_each_ruleset_can_be_chosen(ruleset):
    names = ["Ann", "Bo", "Cy", "Di"] if RULESETS[ruleset].allows(4) else FORM["name"]
    start(ruleset=ruleset, name=names)

    assert GameSet.objects.get().ruleset == ruleset


def test_a_start_sent_twice_makes_one_table_and_gives_its_key_again():
    """The answer to the first one, with its cookie, may never have arrived."""
    first = start()

    with unchanged():
        lost = Client()
        second = start(lost)

    assert (second.status_code, second["Location"]) == (302, first["Location"])
    assert lost.get(second["Location"]).status_code == 200


def test_names_are_trimmed():
    start(name=["  Ann ", "\tBo\n"])

    assert GameSet.objects.get().names == {1: "Ann", 2: "Bo"}


SHORT = "“Section 906” is for 2 to 5 players: {} named."


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"name": ["Ann"]}, SHORT.format(1)),
        ({"name": ["", " ", "\t"]}, SHORT.format(0)),
        ({"name": None}, SHORT.format(0)),
        ({"name": list("abcdef")}, SHORT.format(6)),
        (
            {"name": ["Ann", "Bo"], "ruleset": "coalition-readme"},
            "“Overview” is for 3 to 5 players: 2 named.",
        ),
        ({"name": ["Ann", "ann"]}, "ann sits here twice. Tell them apart, as in “ann B.”"),
        ({"name": ["Ann", "x" * 81]}, "xxxxxxxxxxxxxxxxxxxx… is too long: 80 characters at most."),
        ({"tap_id": "x"}, "This form is damaged. Reload the page."),
        ({"ruleset": None}, "Choose a ruleset."),
        ({"ruleset": ""}, "Choose a ruleset."),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(form, message):
    with unchanged():
        status, problem = refusal(start(**form))

    assert status == 422
    assert message in problem


@pytest.mark.parametrize(
    "form", [{"ruleset": "chess"}, {"ruleset": "<b>"}, {"starter": "me"}, {"tap_id": None}]
)
def test_a_choice_that_is_none_is_refused(form):
    with unchanged():
        response = start(**form)

    assert response.status_code == 422
    assert refusal(response)[1]


@pytest.mark.parametrize("mark", ["\0", "\x07", "\x1b", "a\nb", "a\tb", "\x7f", "\x9b", "\ud800"])
def test_a_name_with_a_control_character_is_refused(mark):
    """A lone half of a character arrives as a replacement character, which can be shown."""
    if mark == "\ud800":
        assert start(name=["Ann", b"B\xed\xa0\x80o"]).status_code == 302
        return

    with unchanged():
        status, problem = refusal(start(name=["Ann", f"B{mark}o"]))

    assert status == 422
    assert "a character that can't be shown" in problem


def test_after_a_refusal_the_form_keeps_what_was_typed():
    page = text(start(name=["Ann", "ann", "Cy & Co"], ruleset="coalition-readme"))

    assert 'value="Ann"' in page
    assert 'value="Cy &amp; Co"' in page
    assert page.count("checked") == 2


def test_the_key_stands_in_a_cookie_that_scripts_do_not_see():
    response = start()

    cookie = response.cookies[f"key-{GameSet.objects.get().code}"]
    assert cookie.value == access.key_for(tap_id(1), "coalition-906", "Ann", "Bo", "Cy")
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert cookie["max-age"] == 400 * 24 * 60 * 60


def test_a_browser_keeps_the_keys_of_its_latest_tables():
    cookies = [f"key-{at}" for at in range(25)]  # a browser sends the oldest first
    client = Client(headers={"cookie": "; ".join(f"{name}=secret" for name in cookies)})

    code = start(client)["Location"].split("/")[2]

    given = {name: cookie["max-age"] for name, cookie in client.cookies.items()}
    assert given == {"key-1": 0, f"key-{code}": 400 * 24 * 60 * 60}


def test_a_new_table_does_not_take_the_key_of_another():
    table = set_up()
    client = holder(table)

    start(client)

    assert client.get(address(table, "score")).status_code == 200
    assert access.key_for(tap_id(1), "coalition-906", "Ann", "Bo", "Cy") != KEY


def test_the_same_form_with_other_names_is_another_table():
    """Back in the browser after a start, the page is sent again as it was, or changed."""
    first, again, other = start(), start(), start(name=["Ann", "Bo"])

    assert first["Location"] == again["Location"] != other["Location"]
    assert GameSet.objects.count() == 2
