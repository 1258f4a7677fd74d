"""Seasons, with who won them."""

import re
from datetime import date, timedelta

import pytest

from scoring.models import Player

from ...browsing import words
from ...tables import text
from .evenings import ask, evening, plain_text


@pytest.fixture
def seasons(group):
    """March, which Ann won; April, which Ann and Bo share; a long one that goes on."""
    for day in range(3):
        evening(group, {"Ann": 9, "Bo": 4}, day=day)
    evening(group, {"Cy": 20, "Bo": 0}, day=3)
    for day in range(31, 34):
        evening(group, {"Ann": 6, "Bo": 6}, day=day)
    today = date.today()  # noqa: DTZ011 - as far as a day matters
    return [
        group.seasons.create(name=name, starts_on=first, ends_on=last)
        for name, first, last in (
            ("March", "2026-03-01", "2026-03-31"),
            ("April", "2026-04-01", "2026-04-30"),
            ("All", "2026-02-28", today + timedelta(days=9)),
            ("January", "2026-01-01", "2026-01-31"),
        )
    ]


def archive(group):
    html = text(ask(group, "seasons_archive"))
    return [
        plain_text(line).split(" ·")[0]
        for line in re.findall(r'<li class="entry">.*?</li>', html, re.S)
    ]


def awards(page):
    pairs = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", text(page), re.S)
    return {plain_text(title): plain_text(who) for title, who in pairs}


def test_seasons_are_listed_with_their_winners_the_latest_first(group, seasons):
    assert archive(group) == [
        "April Ann and Bo won with 6.0 VP per game",
        "March Ann won with 9.0 VP per game",
        "All in progress Ann leads with 7.5 VP per game",
        "January No finished set counts",
    ]


def test_guests_win_no_season(group, seasons):
    Player.objects.filter(name="Ann").update(is_guest=True)

    assert archive(group)[1] == "March Bo won with 3.0 VP per game"


def ranked(page):
    return [plain_text(row) for row in re.findall(r'<td class="rank">.*?</a>', text(page), re.S)]


def test_a_season_shows_its_winner_its_board_and_its_race(group, seasons):
    page, by_sets = (ask(group, "season", seasons[0].pk, sort=by) for by in ("per_game", "sets"))

    assert ranked(page) == ["1 Ann", "2 Bo", "· Cy"]
    assert ranked(by_sets) == ["2 Bo", "1 Ann", "· Cy"]
    for each in (page, by_sets):
        assert "Champion of March Ann The most VP per game, in 3 sets 9.0" in words(each)
    assert "1 March 2026 to 31 March 2026" in words(page)
    assert awards(page) == {
        "Most improved": "Ann +150 rating",
        "Most sets": "Bo 4 sets",
    }
    assert "Victory points over time: Ann has 27, Cy has 20, Bo has 12." in text(page)


def test_winners_who_share_a_season_are_all_named_and_a_season_without_sets_says_so(group, seasons):
    shared, empty = (words(ask(group, "season", seasons[at].pk)) for at in (1, 3))

    assert "Champions of April Ann and Bo The most VP per game 6.0" in shared
    assert "No finished set counts in these days." in empty
