"""The counters in the rows of the board: life and poison, one player at a time."""

import pytest

from tests.scoring.rules.play import BO

from ..browsing import refusal
from ..tables import address, events, text, the_game, unchanged


@pytest.mark.parametrize(
    ("sent", "entry"),
    [
        ({"life": "2.-7"}, {"type": "life", "changes": {"2": -7}}),
        ({"life": "3.9999"}, {"type": "life", "changes": {"3": 9999}}),
        ({"poison": "4.1"}, {"type": "poison", "changes": {"4": 1}}),
    ],
)
def test_a_change_is_one_event(table, tap, sent, entry):
    answer = tap("change", 1, **sent)

    assert (answer.status_code, answer["Location"]) == (302, address(table, "score"))
    assert [one for _, one, _ in events(table)] == [entry]


def test_a_change_in_place_is_answered_without_what_the_phone_has(table, tap):
    answer = tap("change", 1, htmx=True, pad="1-1-", life="2.-1")

    assert answer["HX-Reswap"] == "none"
    assert 'id="counters-2" hx-preserve' in text(answer)
    assert "lose 5 life" not in text(answer)


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({}, "Choose for whom."),
        ({"life": "9.1"}, "Choose for whom."),
        ({"life": "2.0"}, "This form is damaged. Reload the page."),
        ({"life": "2.12345"}, "This form is damaged. Reload the page."),
        ({"life": "2.+1"}, "This form is damaged. Reload the page."),
        ({"poison": "2.1\n"}, "This form is damaged. Reload the page."),
    ],
)
def test_what_no_key_sends_is_refused_and_changes_nothing(tap, sent, problem):
    with unchanged():
        answer = tap("change", 1, **sent)

    assert refusal(answer) == (422, problem)


def test_who_is_out_has_no_counters_and_is_refused(table, tap, scorer):
    tap("change", 1, life=f"{BO}.-25")

    page = text(scorer.get(address(table, "score")))

    assert "Ann: lose 5 life" in page
    assert "Bo: lose 5 life" not in page
    with unchanged():
        assert tap("change", 1, life=f"{BO}.1").status_code == 422
    assert the_game(table).length == 1
