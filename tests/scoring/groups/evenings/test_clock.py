"""The clock of a round: paused, extended, stopped, each undone by one tap."""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from scoring.groups.evenings import commands
from scoring.groups.evenings.clock import Change, change_clock, clock_of
from scoring.groups.evenings.editing import edit_evening
from scoring.groups.evenings.views import plan_of
from scoring.models import Evening, Round
from scoring.record.errors import GroupRefused
from tests.scoring.grouped import group, play_one_game
from tests.scoring.tables import text, unchanged

from ...browsing import problem
from ..visitors import account, at, browser
from .pages import NINE, night

pytestmark = pytest.mark.django_db


@pytest.fixture
def round() -> Round:
    """Two tables, with 50 minutes from now on."""
    round = commands.pair_round(night(group("Friday"), NINE[:6], minutes=50))
    commands.begin_round(round)
    round.refresh_from_db()
    return round


def minutes(round: Round) -> float | None:
    """Return how long the round takes altogether, as its clock says."""
    round.refresh_from_db()
    clock = clock_of(round.evening, round)
    assert round.begun_at
    return (clock.end - round.begun_at) / timedelta(minutes=1) if clock else None


def later(round: Round, passed: int) -> datetime:
    assert round.begun_at
    return round.begun_at + timedelta(minutes=passed)


def tables(round: Round) -> list[int | None]:
    return [table.game_set.clock_minutes for table in round.tables.select_related("game_set")]


def test_what_is_left_stands_while_the_clock_is_paused(round):
    change_clock(round, Change.PAUSE, at=later(round, 10))
    change_clock(round, Change.PAUSE, at=later(round, 12))
    clock = clock_of(round.evening, round)
    assert (clock.left_text, tables(round)) == ("40:00", [0, 0])

    change_clock(round, Change.RESUME, at=later(round, 25))
    change_clock(round, Change.RESUME, at=later(round, 30))

    assert (minutes(round), tables(round)) == (65, [65, 65])
    assert clock_of(round.evening, round).left is None


@pytest.mark.parametrize(
    ("change", "back", "between"),
    [
        (Change.LONGER, Change.SHORTER, 55),
        (Change.SHORTER, Change.LONGER, 45),
        (Change.STOP, Change.START, None),
    ],
)
def test_what_is_done_to_a_clock_is_undone_by_its_opposite(round, change, back, between):
    """Also at the tables that play on; the clock of one that has finished stays."""
    play_one_game(round.tables.get(number=2).game_set)
    change_clock(round, change)
    assert (minutes(round), tables(round)) == (between, [between or 0, 50])

    change_clock(round, back)

    assert (minutes(round), tables(round)) == (50, [50, 50])


def test_a_round_takes_from_five_minutes_to_ten_hours_and_no_more_by_a_second_tap(round):
    change_clock(round, Change.LONGER, added=0)
    change_clock(round, Change.LONGER, added=0)
    assert minutes(round) == 55

    for added, change in ((-45, Change.SHORTER), (550, Change.LONGER)):
        Round.objects.update(clock_added=added * 60)
        with unchanged(), pytest.raises(GroupRefused, match="A round takes 5 to 600 minutes"):
            change_clock(round, change)


def test_an_evening_gets_no_fewer_minutes_than_a_round_that_is_played_was_shortened_by(round):
    Round.objects.update(clock_added=-40 * 60 + 30)
    plan = plan_of(round.evening) | {"starts_at": None}

    told = "Round 1 was shortened by 40 minutes, so it needs 41 at least."
    with unchanged(), pytest.raises(GroupRefused, match=told):
        edit_evening(round.evening, **plan | {"minutes": 40})
    edit_evening(round.evening, **plan | {"minutes": 41})
    change_clock(round, Change.PAUSE)
    change_clock(round, Change.RESUME)

    assert tables(round) == [1, 1]


def test_there_is_no_clock_where_none_was_planned_or_nothing_has_begun(round):
    following = commands.pair_round(round.evening)
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.filter(pk=following.pk).update(paused_at=round.begun_at)
    for without in (following, round):
        with unchanged(), pytest.raises(GroupRefused, match="This round has no clock"):
            change_clock(without, Change.PAUSE)
        Evening.objects.update(minutes=None)
    commands.end_evening(round.evening)
    with unchanged(), pytest.raises(GroupRefused, match="This evening is over"):
        change_clock(round, Change.PAUSE)


def test_the_clock_is_changed_by_a_tap_on_the_page_and_every_page_shows_it(round):
    of = round.evening.playgroup
    sam, where = browser(account("sam", of, "scorekeeper")), at(of, "change_clock", 1, 1)
    pages = [at(of, "evening", 1), at(of, "round", 1, 1)]

    assert sam.post(where, {"change": "pause"}, headers={"HX-Request": "true"}).status_code == 204
    for page in pages:
        assert "left, paused" in text(sam.get(page))
        assert "data-until" not in text(sam.get(page))
    shown = text(sam.get(pages[0]))
    assert [word for word in Change.labels if word in shown] == [
        "Let the clock go on",
        "5 minutes more",
        "5 minutes less",
        "Stop the clock",
    ]
    assert "Stop the clock" not in text(browser(None).get(pages[0]))
    assert sam.post(where, {"change": "stop"}).url == pages[0]
    assert "left, paused" not in text(sam.get(pages[0])) + text(sam.get(pages[1]))
    assert "Show the clock again" in text(sam.get(pages[0]))
    for form in ({}, {"change": "begin"}, {"change": "stop", "added": "x"}):
        with unchanged():
            answer = sam.post(where, form)
        assert (answer.status_code, bool(problem(answer))) == (422, True)
    assert sam.post(at(of, "change_clock", 1, 9), {"change": "stop"}).status_code == 404
