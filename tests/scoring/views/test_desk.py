"""What stands beside the pad on a wide screen."""

import pytest

from scoring.play import commands
from scoring.rules.corrections import Undo
from scoring.views.log import EVENTS_BESIDE_THE_PAD as EVENTS
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import words
from ..tables import address, holder, record, set_up

pytestmark = pytest.mark.django_db


def test_beside_the_pad_stand_the_standings_of_the_set_and_the_latest_events():
    table = set_up(3)
    record(table, hit(BO, CY, 3), hit(ANN, BO, 21))
    commands.start_game(table, 2, first=BO)
    record(table, hit(BO, CY, 5), hit(CY, ANN, 1), Undo(2), game=2)

    shown = words(holder(table).get(address(table, "desk")))

    assert shown == (
        "Standings 1 Ann 21 + 0 21 VP 2 Bo 3 + 5 8 VP 3 Cy 0 + 0 0 VP "
        "Latest events 3 Undo of 2 2 Cy hits Ann for 1, combat Taken back "
        "1 Bo hits Cy for 5, combat Bo +5 VP · Cy −5 life Whole log Keyboard"
    )


def test_a_long_log_is_cut_to_its_latest_events():
    table = set_up(2)
    record(table, *[hit(ANN, BO, 1)] * (EVENTS + 1))

    shown = words(holder(table).get(address(table, "desk")))

    assert f"Latest events {EVENTS + 1} Ann hits Bo" in shown
    assert shown.count("Ann hits Bo") == EVENTS


def test_before_the_first_event_nothing_is_listed():
    table = set_up(2, first=None)

    assert words(holder(table).get(address(table, "desk"))) == (
        "Latest events No event yet. Whole log Keyboard"
    )
