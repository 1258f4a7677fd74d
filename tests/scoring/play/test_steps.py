"""A step on, such as passing the turn: two phones that tap it at once mean one."""

import pytest

from scoring.rules.formats import RULESETS

from ..tables import address, events, holder, set_up, tap_id

pytestmark = pytest.mark.django_db

STEPS = {
    "coalition-906": "turn/",
    "leveler": "turn/",
    "conspiracy": "turn/",
    "conspiracy-draft": "do/round/",
    "realm-wars": "do/phase/",
}


@pytest.fixture(params=STEPS)
def step(request):
    """Return a way to tap the step of a format on a phone that saw the game at ``seen``."""
    table = set_up(4, ruleset=RULESETS[request.param])
    client = holder(table)
    where = address(table, "score") + f"1/{STEPS[request.param]}"

    def tap(number, seen, **more):
        said = {"tap_id": str(tap_id(number)), "seen": seen, **more}
        return client.post(where, said, headers={"HX-Request": "true"}).status_code

    tap.table, tap.client = table, client
    return tap


def seen(step):
    """Return what of the game the pad on a phone is made for."""
    page = step.client.get(address(step.table, "score")).content.decode()
    return page.split('name="seen" value="')[1].split('"')[0]


def test_two_phones_that_tap_at_once_mean_one_step(step):
    before = seen(step)

    assert (step(1, before), step(2, before)) == (200, 422)
    assert len(events(step.table)) == 1


def test_the_same_tap_sent_again_is_answered_like_the_first(step):
    before = seen(step)

    assert (step(1, before), step(1, before)) == (200, 200)
    assert len(events(step.table)) == 1


def test_a_phone_that_sees_the_game_as_it_is_steps_on(step):
    assert step(1, seen(step)) == 200
    assert step(2, seen(step)) == 200
    assert len(events(step.table)) == 2


def test_a_turn_that_waited_behind_another_names_the_turn_that_its_phone_showed():
    table = set_up(4)

    def tap(number, seen):
        said = {"tap_id": str(tap_id(number)), "seen": seen}
        return holder(table).post(address(table, "turn", 1), said).status_code

    assert (tap(1, "1234"), tap(2, "2341")) == (302, 302)
    assert tap(3, "2341") == 422
    assert len(events(table)) == 2
