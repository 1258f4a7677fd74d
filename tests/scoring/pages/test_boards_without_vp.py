"""Formats without VP: results, ratings and leaderboards go by games won."""

import re
from datetime import UTC, date, datetime, time

import pytest
from django.test import Client
from django.urls import reverse

from scoring.groups import leaderboard
from scoring.groups.leaderboard import Wanted
from scoring.models import SetResult
from scoring.play import commands
from scoring.rules.formats.leveler import LEVELER, Overdraw
from scoring.rules.moves import Concede, Draw, Lose, Win

from ..browsing import words
from ..grouped import group
from ..grouped import play as play_coalition
from ..tables import check_books, text

pytestmark = pytest.mark.django_db

MARCH = date(2026, 3, 7)


def play(of, day, *entries, names=("Ann", "Bo", "Cy")):
    """Play a game of Leveler, finished on a day at noon."""
    at = datetime.combine(day, time(12), UTC)
    table = commands.create_set(LEVELER, names, seed=1, at=at, playgroup=of)
    commands.start_game(table, 1, first=1, at=at)
    for entry in entries:
        commands.record(table, 1, entry, at=at)
    return table


@pytest.fixture
def saturday(db):
    """A playgroup with four games: Ann wins two, Bo one, and one is drawn by Ann and Bo."""
    made = group("Saturday group", ruleset="leveler")
    play(made, date(2026, 3, 7), Win(1))
    play(made, date(2026, 3, 14), Lose((3,)), Overdraw((1,)))
    play(made, date(2026, 3, 21), Concede(3), Draw())
    play(made, date(2026, 3, 28), Win(1), names=("Ann", "Bo"))
    return made


def results(table):
    found = SetResult.objects.filter(game_set=table).order_by("seat__number")
    return [(one.rank, one.games_won, one.victory_points) for one in found]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([Win(2)], [(2, 0, 0), (1, 1, 0), (2, 0, 0)]),
        ([Lose((1,)), Draw()], [(3, 0, 0), (1, 0, 0), (1, 0, 0)]),
        ([Lose((1,)), Overdraw((2, 3))], [(3, 0, 0), (1, 0, 0), (1, 0, 0)]),
        ([Draw()], [(1, 0, 0), (1, 0, 0), (1, 0, 0)]),
    ],
)
def test_who_wins_is_first_and_a_draw_is_shared_by_who_was_still_there(entries, expected):
    table = play(group(), MARCH, *entries)

    assert results(table) == expected
    check_books(table)


def test_a_playgroup_opens_with_the_format_it_plays(saturday):
    page = text(Client().get(reverse("board", args=[saturday.code])))

    assert re.findall('<th scope="col".*?<a href="[^"]*">([^<&]*)', page) == [
        *("Player", "Games", "Won", "Won in %", "Outlasted", "Rating")
    ]
    assert re.findall(r'<td class="lead">(\d+) %', page) == ["50", "25", "0"]
    assert "The last 4 games: won, not won, not won, won" in page


def test_formats_do_not_mix(saturday):
    play_coalition(saturday, date(2026, 4, 4), {"Ann": (20, 20, 20), "Bo": (3, 3, 3)})
    where = reverse("board", args=[saturday.code]) + "?format=coalition"

    rows = leaderboard.board(saturday, Wanted(format="leveler")).rows
    assert [(row.name, row.games) for row in rows] == [("Ann", 4), ("Bo", 4), ("Cy", 3)]
    for query in ("", "&ruleset=leveler"):
        assert "Ranked by VP per game" in text(Client().get(where + query))
    assert Client().get(f"{where}&ruleset=chess").status_code == 422


@pytest.mark.parametrize("sort", ["games_won", "at_cap"])
def test_the_board_sorts_by_its_own_columns(saturday, sort):
    page = Client().get(reverse("board", args=[saturday.code]) + f"?sort={sort}")

    assert page.status_code == 200
    shown = "won_share" if sort == "at_cap" else sort  # a column of other boards
    assert f"sort={shown}" in re.findall('aria-sort="[a-z]*"><a href="([^"]*)"', text(page))[0]


def test_a_players_page_has_each_format_apart(saturday):
    play_coalition(saturday, date(2026, 4, 4), {"Ann": (20, 20, 20), "Bo": (3, 3, 3)})
    ann = saturday.players.get(name="Ann")
    address = reverse("player", args=[saturday.code, ann.pk])

    def sums(query=""):
        page = text(Client().get(address + query))
        return dict(re.findall("<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", page))

    assert sums() == {"Games": "4", "Games won": "2", "Won in": "50 %"}
    assert sums("?format=coalition")["VP"] == "60"
    assert sums("?format=chess") == sums()


def test_last_games_say_who_won_instead_of_points(saturday):
    page = words(Client().get(reverse("board", args=[saturday.code])))
    assert (
        "Last sets 28 March Ann won Bo 21 March Ann Bo Cy 14 March Bo won Ann Cy "
        "7 March Ann won Bo Cy Records"
    ) in page
