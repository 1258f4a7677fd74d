"""A link that is revoked in the middle of a game: what its old key gets from that moment on."""

import pytest
from django.test import Client

from scoring.models import GameSet, Playgroup
from scoring.models.people import Visibility
from scoring.play import commands
from tests.scoring.browsing import words
from tests.scoring.rules.play import ANN, BO
from tests.scoring.tables import address, events, holder, set_up, tap_id, text, unchanged

from .world import World

OLD, NEW = "the-old-key", "the-new-key"
HTMX = {"HX-Request": "true"}
HIT = {"source": ANN, "target": BO, "kind": "combat", "amount": 4, "tap_id": tap_id(1)}
TOLD = "To score at this table you need its current scorekeeper link"


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
