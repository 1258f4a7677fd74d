"""Formats without VP: results and boards go by games won, and then by who fell when."""

import re
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from scoring.groups import closing, leaderboard, settings
from scoring.groups.leaderboard import Wanted
from scoring.play import commands
from scoring.rules.formats import CONSPIRACY, LEVELER, REALM_WARS, RULESETS
from scoring.rules.formats.leveler import Overdraw
from scoring.rules.moves import Concede, CrownMonarch, Draw, Lose, PassTurn, Win

from ..browsing import words
from ..grouped import group, play
from ..tables import text
from .test_teams import war
from .visitors import at, browser

pytestmark = pytest.mark.django_db
BEGAN = datetime(2026, 3, 2, 18, tzinfo=UTC)


def level(of, day, *moves, names="Ann Bo Cy"):
    """Play a game of the playgroup's ruleset, finished on a day at noon."""
    at = datetime.combine(day, time(12), UTC)
    table = commands.create_set(RULESETS[of.ruleset], names.split(), seed=1, at=at, playgroup=of)
    commands.start_game(table, 1, first=1, at=at)
    for move in moves:
        commands.record(table, 1, move, at=at)
    return table


def fall(of, names: str, *seats: int, before: tuple = ()):
    """Play a game from which the seats fall one by one, until one has won."""
    return level(of, BEGAN.date(), *before, *map(Concede, seats), names=names)


@pytest.fixture(params=[LEVELER, CONSPIRACY], ids=lambda ruleset: ruleset.key)
def levels(db, request):
    """Di won all three games; of those who won none Cy fell last, Ann and Bo equally early."""
    of = group(ruleset=request.param.key)
    fall(of, "Ann Bo Cy Di", 1, 2, 3)
    fall(of, "Ann Bo Cy Di", 2, 1, 3)
    fall(of, "Ann Bo Cy Di", 1, 2, 3)
    fall(of, "Ann Bo Ev Flo", 2, 1, 3)
    return of


def ranks(of) -> list[tuple[int | None, str, int]]:
    rows = leaderboard.board(of, Wanted(format=of.format)).rows
    return [(row.rank, row.name, row.outlasted) for row in rows]


def test_level_shares_of_games_won_go_by_whom_one_outlasted(levels):
    assert ranks(levels) == [
        (1, "Di", 9),
        (2, "Cy", 6),
        (3, "Ann", 2),
        (3, "Bo", 2),
        (None, "Flo", 3),
        (None, "Ev", 2),
    ]


def test_teams_have_no_column_for_it(db):
    teams = group(ruleset=REALM_WARS.key, name="Teams")
    war(teams, "Ann Bo Cy Di", 1)

    assert "Outlasted" not in words(browser(None).get(at(teams, "board")))


def test_a_season_ends_by_games_won_with_awards_for_games_and_turns_as_monarch(levels):
    reign = (CrownMonarch(4), *[PassTurn()] * 8)
    fall(levels, "Ann Bo Cy Di", 1, 2, 3, before=reign)
    season = settings.add_season(levels, "Spring", BEGAN.date(), BEGAN.date() + timedelta(days=1))
    closing.close(season)

    page = words(browser(None).get(at(levels, "season", season.pk)))
    archive = words(browser(None).get(at(levels, "seasons_archive")))

    assert "Di won with 100 % of games won" in archive
    assert "Champion of Spring Di The greatest share of games won, in 4 games 100 %" in page
    assert "Most games Bo and Ann 5 games" in page
    assert "Most turns as monarch Di 2 turns" in page
    assert "Cy 4 games, won 0 outlasted 2.0 a game" in page


def test_a_finished_game_says_who_outlasted_whom(levels):
    code = fall(levels, "Ann Bo Cy Di", 2, 1, 3).code

    page = words(browser(None).get(f"/s/{code}/"))

    assert page.index("outlasted 2 opponents") < page.index("outlasted 1 opponent")


@pytest.fixture
def saturday(db):
    """A playgroup with four games: Ann wins two, Bo one, and one is drawn by Ann and Bo."""
    made = group("Saturday group", ruleset="leveler")
    level(made, date(2026, 3, 7), Win(1))
    level(made, date(2026, 3, 14), Lose((3,)), Overdraw((1,)))
    level(made, date(2026, 3, 21), Concede(3), Draw())
    level(made, date(2026, 3, 28), Win(1), names="Ann Bo")
    return made


def test_a_playgroup_opens_with_the_format_it_plays(saturday):
    page = text(Client().get(reverse("board", args=[saturday.code])))

    assert re.findall('<th scope="col".*?<a href="[^"]*">([^<&]*)', page) == [
        *("Player", "Games", "Won", "Won in %", "Outlasted", "Rating")
    ]
    assert re.findall(r'<td class="lead">(\d+) %', page) == ["50", "25", "0"]
    assert "The last 4 games: won, not won, not won, won" in page


def test_formats_do_not_mix(saturday):
    play(saturday, date(2026, 4, 4), {"Ann": (20, 20, 20), "Bo": (3, 3, 3)})
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
    play(saturday, date(2026, 4, 4), {"Ann": (20, 20, 20), "Bo": (3, 3, 3)})
    ann = saturday.players.get(name="Ann")
    address = reverse("player", args=[saturday.code, ann.pk])

    def sums(query=""):
        page = text(Client().get(address + query))
        return dict(re.findall("<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", page))

    assert sums() == {"Games": "4", "Games won": "2", "Won in": "50 %"}
    assert sums("?format=coalition")["VP"] == "60"
    assert sums("?format=chess") == sums()
