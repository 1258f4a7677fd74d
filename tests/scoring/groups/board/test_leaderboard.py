"""The leaderboard: who stands where, by which results, and at which cost."""

import re
from copy import deepcopy
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis.strategies import dates, integers

from scoring.groups.board import tally_spans
from scoring.groups.board.leaderboard import Filters, leaderboard, rank_without
from scoring.models import Playgroup, Season, Tally
from scoring.rules.formats import COALITION_README

from ...browsing import words
from ...grouped import group, play
from ...tables import text

MARCH, DAY, ONE = date(2026, 3, 6), date(2026, 3, 20), timedelta(days=1)
ANN_LEADS = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}
BO_LEADS = {"Ann": (1, 1, 1), "Bo": (9, 9, 9)}
ANN_6, ANN_21 = ("Ann", None, 2, 6, 1.0), ("Ann", None, 1, 21, 7.0)
BO_9, CY_6 = ("Bo", None, 1, 9, 3.0), ("Cy", None, 1, 6, 2.0)
ALL = [("Ann", 1, 6, 90, 5.0), ("Bo", 1, 6, 90, 5.0), CY_6]


@pytest.fixture(scope="module")
def rows(shared_rows: Any) -> Playgroup:
    with shared_rows():
        of = group()
        for week, points in enumerate((ANN_LEADS, ANN_LEADS, ANN_LEADS, BO_LEADS, BO_LEADS)):
            play(of, MARCH + timedelta(weeks=week), points)
        play(of, date(2026, 5, 8), ANN_LEADS | {"Cy": (0, 0, 6)}, ruleset=COALITION_README)
    return of


@pytest.fixture
def spring(rows: Playgroup, db: None) -> Playgroup:
    """Five sets of two in March and April, one of three in May under another ruleset."""
    return deepcopy(rows)


def standing(of: Playgroup, **filters: object) -> list[tuple[str, int | None, int, int, float]]:
    """Return a board's lines: name, rank, sets, VP, VP per game."""
    board = leaderboard(of, Filters(**filters))
    return [
        (row.name, row.rank, row.sets, row.victory_points, round(row.per_game, 2))
        for row in board.rows
    ]


def get(of: Playgroup, **query: object):
    return Client().get(reverse("board", args=[of.code]), query)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ALL),
        ({"first": date.min, "last": date.max}, ALL),
        ({"last": DAY}, [("Ann", 1, 3, 63, 7.0), ("Bo", 2, 3, 27, 3.0)]),
        ({"first": DAY + ONE, "last": date(2026, 4, 3)}, [("Bo", None, 2, 54, 9.0), ANN_6]),
        ({"first": DAY, "last": DAY}, [("Ann", 1, 1, 21, 7.0), ("Bo", 2, 1, 9, 3.0)]),
        ({"size": 3}, [ANN_21, BO_9, CY_6]),
        ({"ruleset": "coalition-readme", "size": 2}, []),
        ({"first": date(2026, 5, 9)}, []),
    ],
)
def test_everybody_is_ranked_by_points_a_game_of_what_is_wanted(spring, filters, expected):
    assert standing(spring, **filters) == expected


def test_long_spans_read_by_month_count_the_same_days(spring, monkeypatch):
    firsts = [date(2026, 3, 1), date(2026, 3, 2), date(2025, 12, 31)]
    lasts = [date(2026, 5, 7), date(2026, 5, 31), date(2026, 12, 30)]

    def standings() -> dict[tuple[date, date], object]:
        spans = product(firsts, lasts)
        return {(first, last): standing(spring, first=first, last=last) for first, last in spans}

    daily = standings()
    monkeypatch.setattr(tally_spans, "DAYS_MAX", 10)

    assert standings() == daily


def test_the_race_has_a_month_s_points_when_it_ends_or_today_but_not_after_a_season(
    spring, monkeypatch
):
    monkeypatch.setattr(tally_spans, "DAYS_MAX", 10)
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 5, 20, tzinfo=UTC))

    rows = {row.name: row for row in leaderboard(spring, Filters()).rows}
    season = leaderboard(spring, Filters(first=MARCH, last=date(2026, 5, 8))).rows

    months = {date(2026, 3, 31): (66, 12), date(2026, 4, 30): (3, 3), date(2026, 5, 20): (21, 3)}
    assert rows["Ann"].by_day == months
    assert max(season[0].by_day) == date(2026, 5, 8)


@given(dates(date(2001, 1, 1), date(2040, 1, 1)), integers(0, 5000))
def test_pieces_of_any_days_have_each_of_them_once(first, days):
    end = first + timedelta(days=days)

    pieces = tally_spans.split(first, end)

    assert [first, *(stop for _, _, stop in pieces)] == [*(one for _, one, _ in pieces), end]
    for span, start, stop in pieces:
        assert span == Tally.Span.DAY or start.day == stop.day == 1
        assert span != Tally.Span.YEAR or start.month == stop.month == 1
    days_of = {"day": 1, "month": 28, "year": 365}
    counted = [(stop - start).days // days_of[span] for span, start, stop in pieces]
    assert sum(counted) <= 101 + 36 + 30


def test_guests_have_no_line_and_their_sets_count_for_the_others(spring):
    spring.players.filter(name="Bo").update(is_guest=True)

    board = leaderboard(spring, Filters())

    assert ([row.name for row in board.rows], board.sets) == (["Ann", "Cy"], 6)


@pytest.mark.parametrize(("sets", "is_rated"), [(9, False), (10, True)])
def test_a_rating_stands_from_the_tenth_set_on(thursday, sets, is_rated):
    for week in range(sets):
        play(thursday, MARCH + timedelta(weeks=week), ANN_LEADS)

    rows = leaderboard(thursday, Filters()).rows
    assert {row.name: row.is_rated for row in rows} == {"Ann": is_rated, "Bo": is_rated}


def test_a_line_tells_places_in_the_turn_order_and_games_at_21(thursday):
    play(thursday, MARCH, {"Ann": (20, 0, 1), "Bo": (2, 2, 2)})

    ann, bo = leaderboard(thursday, Filters()).rows

    assert (ann.first, ann.last, ann.at_cap) == (7.0, None, 0.0)
    assert (bo.first, bo.last, bo.games_at_cap) == (None, 2.0, 0)


def test_sets_that_ended_at_the_same_time_stand_in_the_form_in_order(thursday):
    for points in range(12):
        play(thursday, MARCH, {"Ann": (points, 0, 0), "Bo": (0, 0, 0)})

    rows = leaderboard(thursday, Filters()).rows

    [ann] = (row for row in rows if row.name == "Ann")
    assert [past.victory_points for past in ann.form] == list(range(2, 12))


def test_a_season_begins_when_its_day_does_in_the_playgroups_zone(db, monkeypatch):
    tokyo = group(zone="Asia/Tokyo")
    first = datetime(2026, 3, 31, 16, tzinfo=UTC)  # where the playgroup is, it is April
    monkeypatch.setattr(timezone, "now", lambda: first)
    april = {"starts_on": date(2026, 4, 1), "ends_on": date(2026, 4, 30)}
    Season.objects.create(playgroup=tokyo, name="April", **april)
    play(tokyo, date(2026, 3, 30), ANN_LEADS)
    play(tokyo, first, ANN_LEADS)
    visitor = Client()
    visitor.cookies["zone"] = "America/New_York"

    assert "1 set, 1 April to 30 April 2026." in words(
        visitor.get(reverse("board", args=[tokyo.code]))
    )
    assert "in progress" in words(visitor.get(reverse("seasons_archive", args=[tokyo.code])))


def test_the_page_opens_with_the_season_of_today_by_its_name_and_days_put_it_aside(spring):
    today = timezone.localdate()
    old = Season.objects.create(playgroup=spring, name="Old", starts_on=MARCH, ends_on=MARCH)

    assert offered(spring) == {"All days": True, "Old": False}
    assert offered(spring, season=old.pk) == {"All days": False, "Old": True}

    now = Season.objects.create(playgroup=spring, name="Now", starts_on=today, ends_on=today)

    assert offered(spring) == {"Now": True, "All days": False, "Old": False}
    assert offered(spring, season=now.pk) == offered(spring)
    assert offered(spring, season=old.pk, last=DAY)["All days"]
    assert "No finished set of Coalition counts here yet." in words(get(spring))
    assert "6 sets, all days." in words(get(spring, season="all"))
    assert "1 set, 20 March 2026." in words(get(spring, first="2026-03-20", last="2026-03-20"))


def offered(of: Playgroup, **query: object) -> dict[str, bool]:
    """Return the seasons that the board offers, and whether they are chosen."""
    page = get(of, **query).content.decode()
    select = page.split('<select name="season">')[1].split("</select>")[0]
    options = re.findall(r"<option value=\"[^\"]*\"( selected)?>([^<]*)<", select)
    return {name: bool(chosen) for chosen, name in options}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"season": "7"}, "There is no such season. Choose another."),
        ({"first": "x"}, "The first day is not a date."),
        ({"first": "2026-05-01", "last": "2026-04-30"}, "The last day is before the first."),
        ({"ruleset": "x"}, "“x” can't be chosen here. Choose again."),
    ],
)
def test_a_request_that_can_not_be_met_is_refused(spring, query, message):
    response = get(spring, **query)

    assert (response.status_code, message in words(response)) == (422, True)


def test_ranks_that_look_level_are_shown_with_the_digits_that_tell_them_apart(db):
    of = group()
    for week in range(3):
        play(of, MARCH + timedelta(weeks=week), {"Ann": (14, 14, 14), "Bo": (14, 14, 14)})
    season = of.seasons.create(name="Spring", starts_on=MARCH, ends_on=date(2026, 5, 31))
    pages = [reverse("board", args=[of.code]), reverse("season", args=[of.code, season.pk])]
    level = [re.findall(r'class="lead">\s*([\d.]+)', text(Client().get(page))) for page in pages]
    play(of, MARCH + timedelta(weeks=3), {"Ann": (15, 15, 15), "Bo": (15, 15, 14)})

    apart = [re.findall(r'class="lead">\s*([\d.]+)', text(Client().get(page))) for page in pages]

    assert (level, apart) == ([["14.0", "14.0"]] * 2, [["14.25", "14.17"]] * 2)
    again = rank_without("coalition", leaderboard(of, Filters()).rows, {})
    assert [row.per_game_text for row in again] == ["14.25", "14.17"]


def test_any_column_sorts_the_board(spring):
    columns = {"per_game": "Ann Bo Cy", "last": "Bo Cy Ann", "name": "Ann Bo Cy"}
    for column, in_order in columns.items():
        page, names = words(get(spring, sort=column)).split("Ranked by", 1)[1], in_order.split()

        assert sorted(names, key=lambda name: page.index(f"{name} ")) == names
        for rating in ("1555", "1515", "1408"):
            assert page.count(f"{rating} ? , provisional") == 2, "for phones, and in its column"
