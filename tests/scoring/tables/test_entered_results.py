"""A result entered at a running table: its form, and where it is marked as entered."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from scoring.groups.sets.membership import take_set
from scoring.models import SetFacts
from scoring.record import commands
from scoring.rules.corrections import Amend
from scoring.rules.results import EnterResult, How
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import form_to, problem, words
from ..grouped import group, tallies
from . import (
    address,
    check_books,
    check_export,
    events,
    points,
    record,
    set_up,
    tap_id,
    unchanged,
)

pytestmark = pytest.mark.django_db

DAY = "2026-03-12"
WON = EnterResult(DAY, {ANN: 21, BO: 5, CY: 0, DI: 12}, ANN, How.VICTORY_POINTS)
TYPED = {
    "day": DAY,
    "by-1": "21",
    "by-2": "5",
    "by-3": "0",
    "by-4": "12",
    "winner": "1",
    "how": "victory points",
}


@pytest.fixture
def where(table):
    return address(table, "own", 1, "result")


def test_the_more_page_leads_to_the_result_until_something_has_happened(table, scorer, where):
    more = address(table, "more", 1)

    assert where in scorer.get(more).content.decode()
    record(table, hit(ANN, BO, 3))
    assert where not in scorer.get(more).content.decode()


def test_a_result_is_entered_by_its_form(table, scorer, where):
    form = form_to(scorer.get(where), where)

    scorer.post(where, form.fields | TYPED)

    assert form.fields["day"] == [str(timezone.localdate())]
    assert [entry for _, entry, *_ in events(table)] == [
        {
            "type": "result",
            "day": DAY,
            "points": {"1": 21, "2": 5, "3": 0, "4": 12},
            "winner": "1",
            "how": "victory points",
        }
    ]
    assert points(table) == {ANN: 21, BO: 5, CY: 0, DI: 12}
    check_books(table)
    check_export(table)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"day": ""}, "Played on is not a date: write it like 2026-03-09."),
        ({"day": str(timezone.localdate() + timedelta(days=2))}, "is still to come."),
        ({"by-3": ""}, "The VP of Cy are missing. Give 0 to whoever has none."),
        ({"by-2": "21"}, "Bo can't have 21 VP and not win: whoever reaches 21 wins."),
        ({"by-2": "21"}, "If a card kept one from winning, score the game move by move."),
    ],
)
def test_a_result_that_does_not_fit_is_refused_with_what_was_typed(
    table, scorer, where, typed, told
):
    with unchanged():
        answer = scorer.post(where, {"tap_id": tap_id(1), **TYPED, **typed})

    assert told in problem(answer)
    assert answer.status_code == 422
    assert form_to(answer, where).fields["by-1"] == ["21"]


def test_a_result_is_marked_as_entered_wherever_the_game_is_shown(table, scorer):
    record(table, WON)
    pad, log = (
        words(scorer.get(address(table, "score"))),
        words(Client().get(address(table, "log"))),
    )
    board, middle = (words(Client().get(address(table, name))) for name in ("watch", "table"))
    commands.call_set(table)
    final = words(Client().get(address(table, "watch")))
    read = Client().get(f"/api/v1/sets/{table.code}").json()

    for page in (pad, board):
        assert "21 VP (entered)." in page
    for page in (middle, log):
        assert "Result entered, played on 12 March 2026: Ann 21 VP, Bo 5 VP, Cy 0 VP," in page
    assert "Ended by: 21 VP (entered). 1 game." in final
    assert "Nobody kept score: the results were entered afterwards." in final
    assert read["games"][0]["entered_for"] == DAY


def test_a_set_counts_on_the_day_for_which_its_first_game_was_entered():
    """And on the day on which it began once that is taken back."""
    of = group()
    table = set_up(2)
    for number, day in enumerate((DAY, "2026-03-19"), 1):
        commands.start_game(table, number, first=ANN)
        record(table, EnterResult(day, {ANN: 21, BO: 5}, ANN), game=number)
    commands.call_set(table)
    take_set(table, of)

    assert [(name, str(day)) for name, day, *_ in tallies(of)] == [("Ann", DAY), ("Bo", DAY)]
    assert set(SetFacts.objects.values_list("minutes", "best_turn")) == {(0, 0)}
    call_command("verify_ledger")

    record(table, Amend(1, EnterResult("2026-03-05", {ANN: 21, BO: 5}, ANN)))

    assert {str(day) for _, day, *_ in tallies(of)} == {"2026-03-05"}
