"""One link for a night: a seat's link goes on with whoever sits there, from table to table."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import GameSet, SeatLink
from scoring.models.record import Phones
from scoring.record import commands, proposals
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.scoring.rules.play import ANN, BO, CY

from ..browsing import words
from . import KEY, address, holder, record, seat_holder, tap_id

HTMX = {"HX-Request": "true"}


@pytest.fixture
def table(db: None) -> GameSet:
    """Of three, of whom Bo alone has a name yet."""
    table = commands.create_set(COALITION_906, ["", "Bo", ""], key=KEY)
    commands.begin(table)
    return table


def play_again(table: GameSet, tap: int = 1, draw: str = "") -> GameSet:
    form = {"tap_id": tap_id(tap), "draw": draw}
    holder(table).post(address(table, "play_again"), form)
    return GameSet.objects.latest("pk")


def links(table: GameSet) -> dict[int, str]:
    of_table = SeatLink.objects.filter(seat__game_set=table)
    return dict(of_table.values_list("seat__number", "key_hash"))


def where(phone: Client, table: GameSet, **options: Any) -> str | None:
    return phone.get(address(table, "seat"), **options).get("Location")


@pytest.mark.parametrize("draw", ["", "1"])
def test_a_phone_goes_on_to_the_next_table_by_itself(table, draw):
    bo, cy = seat_holder(table, BO), seat_holder(table, CY)
    proposals.set_phones(table, Phones.TRUSTED)
    seat = address(table, "seat")
    etag = bo.get(seat)["ETag"]

    second = play_again(table, draw=draw)
    assert play_again(table, draw=draw) == second  # the same tap
    third = commands.seat_again(second, key="another", shuffles=False)
    commands.begin(third)

    assert len(links(second)) == len(links(third)) == 2
    assert third.phones == Phones.TRUSTED
    [number] = [number for number, name in third.names.items() if name == "Bo"]
    assert links(third)[number] == links(table)[BO]
    for earlier in (table, second):
        assert where(bo, earlier) == where(cy, earlier) == address(third, "seat")
        news = bo.get(address(earlier, "seat"), headers=HTMX | {"If-None-Match": etag})
        assert news["Location"] == address(third, "seat")
    assert words(bo.get(address(third, "seat"))).startswith("Bo’s seat")
    assert "Bo" not in words(cy.get(address(third, "seat"))).partition("seat")[0]
    # By the link itself, too.
    answer = Client().get(address(table, "take_seat_key", f"the-key-of-seat-{BO}"), follow=True)
    assert answer.redirect_chain[-1][0] == address(third, "seat")


def test_a_phone_stays_at_a_table_where_they_play_on_after_the_next_ones_game_was_taken_back(table):
    bo, second = seat_holder(table, BO), play_again(table)

    commands.take_back_game(second, 1)

    assert where(bo, table) is None
    assert words(bo.get(address(table, "seat"))).startswith("Bo’s seat")


def test_a_link_that_is_ended_or_replaced_opens_no_table_of_the_night_any_more(table):
    bo = seat_holder(table, BO)
    second = play_again(table)

    commands.change_seat_key(second, BO, None)

    assert SeatLink.objects.count() == 0
    pages = [bo.get(address(each, "seat")) for each in (table, second)]
    assert [page.status_code for page in pages] == [403, 403]


def test_a_link_of_another_night_is_not_carried_on(table):
    seat_holder(table, ANN)
    record(table, Draw())
    commands.call_set(table)
    GameSet.objects.update(finished_at=timezone.now() - timedelta(hours=25))

    assert links(play_again(table)) == {}
