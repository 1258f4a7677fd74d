"""A link that is revoked in the middle of a game: what its old key gets from that moment on."""

from __future__ import annotations

import asyncio

import pytest
from django.test import Client

from scoring.live import hub
from scoring.models import GameSet, Playgroup
from scoring.models.people import Visibility
from scoring.play import commands
from tests.scoring.browsing import words
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, events, holder, record, set_up, tap_id, text, unchanged

from .world import World, build

OLD, NEW = "the-old-key", "the-new-key"
HTMX = {"HX-Request": "true"}
HIT = {"source": ANN, "target": BO, "kind": "combat", "amount": 4, "tap_id": tap_id(1)}
TOLD = "To score at this table you need its current scorekeeper link"


@pytest.fixture
def world(db: None) -> World:
    """A world of this test alone: others here commit."""
    return build()


@pytest.fixture
def table(db: None) -> GameSet:
    return set_up(key=OLD)


def test_the_next_tap_is_refused_with_the_reason_and_counts_once_with_the_new_link(table):
    old, new = holder(table, OLD), holder(table, NEW)
    old.get(address(table, "score"))
    old.post(address(table, "hit", 1), HIT, headers=HTMX)
    commands.change_key(table, NEW)
    late = HIT | {"tap_id": tap_id(2), "amount": 1}

    with unchanged():
        answers = [
            old.post(address(table, "hit", 1), late, headers=HTMX),
            old.post(address(table, "hit", 1), HIT, headers=HTMX),  # which is on record
            old.post(address(table, "undo", 1), {"tap_id": tap_id(3), "of": tap_id(1)}),
            old.get(address(table, "score"), headers=HTMX),  # an open page asks; then loads anew
            old.get(address(table, "line", 1, 1)),
        ]
    assert [answer.status_code for answer in answers] == [403] * 5
    assert all(TOLD in words(answer) for answer in answers)
    assert 'id="outbox"' in text(answers[0])  # where a phone shows the taps that it kept

    again = [new.post(address(table, "hit", 1), late).status_code for _ in range(2)]
    assert again == [302, 302]
    assert len(events(table)) == 2


def test_it_can_still_watch_where_anybody_can(table):
    old = holder(table, OLD)
    commands.change_key(table, None)

    pages = ["watch", "table", "log", "export", "stream"]
    assert [old.get(address(table, name)).status_code for name in pages] == [200] * 5
    assert OLD not in text(old.get(address(table, "watch")))


def test_in_a_private_playgroup_nothing_is_there_any_more(world: World):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    table = world.group.sets.get(finished_at=None)
    commands.change_key(table, OLD)
    old = holder(table, OLD)
    pages = ["watch", "table", "log", "export", "score", "stream"]
    assert [old.get(address(table, name)).status_code for name in pages] == [200] * 6

    commands.change_key(table, NEW)

    assert [old.get(address(table, name)).status_code for name in pages] == [404] * 6
    assert old.post(address(table, "hit", 1), HIT).status_code == 404


SEAT, NEW_SEAT = "the-key-of-a-seat", "the-new-key-of-a-seat"
OF_A_SEAT = ["watch", "table", "log", "export", "seat", "stream"]


def seated(table: GameSet, key: str = SEAT) -> Client:
    """Return a player's phone that has opened the link of Ann's seat."""
    phone = Client()
    answer = phone.get(address(table, "take_seat_key", key))
    assert (answer.status_code, answer["Location"]) == (302, address(table, "seat"))
    return phone


@pytest.mark.parametrize("key", [NEW_SEAT, None])
def test_a_seats_old_link_opens_no_private_table(world: World, key: str | None):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    table = world.group.sets.get(finished_at=None)
    commands.change_seat_key(table, ANN, SEAT)
    phone = seated(table)
    assert [phone.get(address(table, name)).status_code for name in OF_A_SEAT] == [200] * 6

    commands.change_seat_key(table, ANN, key)

    with unchanged():
        answers = [phone.get(address(table, name)) for name in (*OF_A_SEAT, "score")]
        answers.append(phone.get(address(table, "take_seat_key", SEAT)))
        answers.append(phone.post(address(table, "seat_confirm", 1), {"tap_id": tap_id(1)}))
    assert [answer.status_code for answer in answers] == [404] * 9
    if key:
        assert seated(table, key).get(address(table, "seat")).status_code == 200


def test_a_seats_old_link_only_watches_a_table_that_anybody_can_watch(table):
    commands.change_seat_key(table, ANN, SEAT)
    phone = seated(table)
    commands.change_seat_key(table, ANN, NEW_SEAT)

    with unchanged():
        seen = [phone.get(address(table, name)).status_code for name in OF_A_SEAT]
        confirmed = phone.post(address(table, "seat_confirm", 1), {"life": 25, "tap_id": tap_id(1)})

    assert seen == [200, 200, 200, 200, 403, 200]
    assert confirmed.status_code == 403


def test_a_stream_that_is_open_says_that_something_changed_and_never_what(transactional_db):
    """It lasts for minutes after its link was revoked: it must have nothing to tell."""
    table = set_up(key=OLD)

    async def hear() -> list[str]:
        stream, said = hub.signals(f"s{table.pk}", "here"), []
        async for line in stream:
            said.append(line)
            if len(said) == 2:
                await asyncio.to_thread(_tap, table)
            if len(said) == 3:
                await stream.aclose()  # type: ignore[attr-defined]
                return said
        return said

    said = asyncio.run(asyncio.wait_for(hear(), 20))

    assert said == ["retry: 2000\n\n", "data: 1\n\n", "data: 2\n\n"]
    assert hub.LASTS <= 600


def _tap(table: GameSet) -> None:
    from django.db import connection

    commands.change_key(table, NEW)
    record(table, hit(ANN, BO, 3))
    connection.close()
