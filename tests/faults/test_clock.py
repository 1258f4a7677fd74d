"""The clock of the machine jumps back, by seconds or by days: nothing breaks, and order stays."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import EventRow, Scorekeeper
from scoring.play import commands
from scoring.rules.moves import Draw, PassTurn
from tests.scoring.browsing import words
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, check_books, holder, record, set_up, tap_id, text
from tests.security.world import build

JUMPS = [timedelta(seconds=5), timedelta(days=2), timedelta(days=400)]
NOW = timezone.now
Jump = Callable[[timedelta], None]


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Jump:
    def back(by: timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: NOW() - by)

    return back


@pytest.mark.parametrize("by", JUMPS, ids=str)
@pytest.mark.django_db
def test_a_game_goes_on_in_the_order_of_its_numbers(jump: Jump, by: timedelta):
    table = set_up()
    client = holder(table)
    client.get(address(table, "score"))
    client.post(address(table, "turn", 1), {"tap_id": tap_id(1)})

    jump(by)
    answers = [client.post(address(table, "turn", 1), {"tap_id": tap_id(n)}) for n in (2, 3, 3)]
    again = client.post(address(table, "undo", 1), {"tap_id": tap_id(4), "of": tap_id(3)})

    assert [answer.status_code for answer in (*answers, again)] == [302] * 4
    rows = list(EventRow.objects.order_by("seq").values_list("seq", "at", "tap_id"))
    assert [(seq, tap) for seq, _, tap in rows] == [(n, tap_id(n)) for n in (1, 2, 3, 4)]
    assert rows[0][1] > rows[1][1]  # as the clock said
    check_books(table)
    for name in ("watch", "table", "log", "score", "export"):
        assert client.get(address(table, name)).status_code == 200


@pytest.mark.parametrize("by", JUMPS, ids=str)
@pytest.mark.django_db
def test_a_game_and_a_set_may_end_before_they_began(jump: Jump, by: timedelta):
    table = set_up()
    record(table, hit(ANN, BO, 5))

    jump(by)
    record(table, Draw())
    for number in (2, 3):
        commands.start_game(table, number, first=None)
        record(table, PassTurn(), Draw(), game=number)

    check_books(table)
    client = holder(table)
    for name in ("watch", "table", "log", "score", "export"):
        answer = client.get(address(table, name))
        assert answer.status_code == 200, name
        assert "-1 day" not in text(answer), name


@pytest.mark.parametrize("by", JUMPS, ids=str)
@pytest.mark.django_db
def test_a_scorekeeper_is_seen_though_the_clock_jumped(jump: Jump, by: timedelta):
    """And who left before that is not seen for as long as the clock went back."""
    table = set_up()
    first, left = holder(table), holder(table)
    for number, client in enumerate((first, left), 1):
        # Refused, since there is no such event: it is numbered, and no line of the log names it.
        client.post(address(table, "undo", 1), {"tap_id": tap_id(number), "event": 99})

    jump(by)
    first.get(address(table, "score"))
    third = holder(table)
    page = third.get(address(table, "score"))

    seen = {one.number: one.seen_at for one in Scorekeeper.objects.all()}
    near = by <= timedelta(seconds=10)
    assert abs(seen[1] - timezone.now()) < timedelta(seconds=60)
    assert "Phone 1" in words(page)
    assert ("Phone 2" in words(page)) is near


@pytest.mark.parametrize("by", JUMPS[1:], ids=str)
@pytest.mark.django_db
def test_every_page_opens_and_a_playgroup_is_run_after_the_clock_jumped(jump: Jump, by: timedelta):
    world = build()
    clients, form = world.clients(), {"tap_id": tap_id(1), "role": "member"}

    jump(by)

    for role in ("key", "owner", "superuser"):
        for _, where in world.addresses:
            clients[role].get(where)  # or it raises what is wrong
    for _, where in world.addresses:
        if where.startswith(f"/g/{world.group.code}/"):
            clients["owner"].post(where, form)
