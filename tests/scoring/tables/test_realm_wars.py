"""The addresses of Realm Wars: what a pad sends is recorded, and what is wrong is told."""

import pytest

from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.formats.realm_wars.moves import BeginPhase
from tests.scoring.rules.play import ANN, BO, CY

from ..browsing import refusal, words
from . import address, check_books, events, record, set_up, unchanged


@pytest.fixture
def table(db):
    """Four players in a game, Ann's team to begin."""
    return set_up(ruleset=REALM_WARS)


@pytest.mark.parametrize(
    ("what", "form", "entry"),
    [
        (
            "zone_damage",
            {"player": CY, "zone": "quest", "amount": ["", "3"]},
            {"type": "zone_damage", "players": ["3"], "zone": "quest", "amount": 3},
        ),
        (
            "development",
            {"player": CY, "zone": "quest", "amount": "", "by": 1},
            {"type": "development", "player": "3", "zone": "quest", "by": 1},
        ),
        ("deck", {"player": BO, "empty": 1}, {"type": "deck", "players": ["2"], "empty": True}),
    ],
)
def test_what_is_tapped_is_recorded(table, tap, what, form, entry):
    response = tap("own", 1, what, **form)

    assert (response.status_code, events(table)) == (302, [(1, entry, None)])
    check_books(table)


@pytest.mark.parametrize(
    ("what", "form", "told"),
    [
        ("zone_damage", {"player": CY, "zone": "capital", "amount": 3}, "Zone: choose one."),
        (
            "act",
            {"player": CY},
            "The team of Cy does not have priority. The other team passes first.",
        ),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(table, tap, what, form, told):
    with unchanged():
        answers = [tap("own", 1, what, htmx=htmx, **form) for htmx in (True, False)]

    assert [refusal(answer) for answer in answers] == [(422, told)] * 2


@pytest.mark.parametrize("what", ["lose", "concede_to"])
def test_endings_that_the_format_lacks_are_not_there(table, scorer, tap, what):
    assert scorer.get(address(table, "end", 1, what)).status_code == 404
    with unchanged():
        assert tap("end", 1, what, player=ANN, players=ANN).status_code == 404


def test_moves_that_the_format_lacks_are_refused(table, tap):
    with unchanged():
        response = tap("more", 1, player=ANN, monarch="crown")

    assert refusal(response) == (422, "There is no such thing in Realm Wars (Warhammer: Invasion).")


def test_whoever_may_watch_reads_the_answers_of_the_phase_and_none_before_a_game(table, client):
    not_begun = set_up(ruleset=REALM_WARS, first=None, key="another")
    page = client.get(address(table, "answers"))
    record(table, BeginPhase("battlefield"))
    later = client.get(address(table, "answers"))

    assert page.content.decode().count("<dt>") == 18
    assert "In the kingdom phase" in words(page)
    assert words(later).index("In the battlefield phase") < words(later).index("What is attacked?")
    assert words(later).index("What is attacked?") < words(later).index("In every phase")
    assert client.get(address(not_begun, "answers")).status_code == 404
