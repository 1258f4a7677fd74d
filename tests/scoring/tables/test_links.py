"""The links of a table: the public one, and the secret one that lets people score."""

import re

import pytest
from django.test import Client

from coalition_site.lib.qr import qr_code

from ..browsing import text, words
from . import KEY, address, holder, set_up, tap_id

pytestmark = pytest.mark.django_db

NEEDS_KEY = "To score at this table you need its current scorekeeper link"


def test_the_page_shows_both_links(table, scorer):
    page = scorer.get(address(table, "links"))

    assert f'value="http://testserver{address(table, "watch")}"' in text(page)
    assert f'value="http://testserver{address(table, "take_key", KEY)}"' in text(page)
    assert text(page).count('class="qr"') == 2
    parts = 'id="([a-z]*)" readonly|data-(share|copy)="([a-z]*)"[^>]* hidden'
    assert re.findall(parts, text(page)) == [
        (name, "", "") if not button else ("", button, name)
        for name in ("public", "secret")
        for button in ("", "share", "copy")
    ]
    assert "no-store" in page["Cache-Control"]


def test_a_qr_code_fills_a_page_of_its_own_with_its_link(table, scorer):
    """Around the code are four light modules, as its standard asks."""
    links = {
        "qr": address(table, "watch"),
        "secret_qr": address(table, "take_key", KEY),
    }

    for query, back in (("", "watch"), ("?links", "links")):  # the page it was opened from
        page = scorer.get(address(table, "qr") + query)
        assert re.findall('class="btn block" href="(.*?)"', text(page)) == [address(table, back)]
    for name, link in links.items():
        page = scorer.get(address(table, name))
        assert qr_code(f"http://testserver{link}", border=4) in text(page)
        assert f"http://testserver{link}" in words(page)
    assert "no-store" in page["Cache-Control"]
    gives_away = (
        "Whoever opens this link can record, correct and take back everything at this table, "
        "and lock you out with a new link."
    )
    assert [gives_away in words(one) for one in (page, scorer.get(address(table, "links")))] == [
        True,
        True,
    ]


def test_opening_the_secret_link_gives_the_key_and_hides_it_from_the_address(table):
    client = Client()

    response = client.get(address(table, "take_key", KEY))

    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert "no-store" in response["Cache-Control"]
    assert response.cookies[f"key-{table.code}"].value == KEY
    assert client.get(address(table, "score")).status_code == 200


def test_a_wrong_link_gives_nothing_and_a_table_without_a_key_is_scored_by_nobody(table):
    set_up(key="another-key")

    for key in (KEY.upper(), KEY[:-1], f"{KEY}-", "0" * 2000, table.key_hash, "another-key"):
        response = Client().get(address(table, "take_key", key))
        assert response.status_code == 403, key
        assert NEEDS_KEY in words(response)
        assert f"key-{table.code}" not in response.cookies
    without = set_up(key=None)
    for key in ("", "None", "null", KEY):
        assert holder(without, key).get(address(without, "score")).status_code == 403


@pytest.mark.parametrize(
    ("form", "leads_to", "may_score"), [({}, "links", 200), ({"close": 1}, "watch", 403)]
)
def test_a_new_link_locks_out_whoever_has_the_old_link_and_closing_it_everybody(
    table, scorer, form, leads_to, may_score
):
    other = holder(table)

    response = scorer.post(address(table, "change_key"), {"tap_id": tap_id(1), **form})

    assert (response.status_code, response["Location"]) == (302, address(table, leads_to))
    assert scorer.get(address(table, "score")).status_code == may_score
    assert other.get(address(table, "score")).status_code == 403
    assert Client().get(address(table, "take_key", KEY)).status_code == 403
    assert scorer.get(address(table, "watch")).status_code == 200


def test_a_new_link_whose_answer_was_lost_is_handed_over_when_requested_again(table, scorer):
    form = {"tap_id": tap_id(1)}
    lost = holder(table).post(address(table, "change_key"), form)
    assert scorer.get(address(table, "score")).status_code == 403

    response = scorer.post(address(table, "change_key"), form)

    assert (response.status_code, response["Location"]) == (302, address(table, "links"))
    handed_over = [
        {name: morsel.value for name, morsel in answer.cookies.items()}
        for answer in (lost, response)
    ]
    assert handed_over[0] == handed_over[1]
    assert len(handed_over[0]) == 1
    for key in ("", "another-key"):  # who knows only the id of the tap gets nothing
        assert holder(table, key).post(address(table, "change_key"), form).status_code == 403
    assert scorer.get(address(table, "score")).status_code == 200
