"""Formats without VP: boards go by games won, and then by who fell when; and teams."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from scoring.groups.board.leaderboard import Filters, leaderboard
from scoring.groups.seasons import closing
from scoring.groups.settings import commands as settings
from scoring.groups.statistics.teams import Team, teams
from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.formats import CONSPIRACY, LEVELER, REALM_WARS, RULESETS
from scoring.rules.formats.leveler import Overdraw
from scoring.rules.moves import Concede, CrownMonarch, Draw, Lose, PassTurn, Win

from ...browsing import words
from ...grouped import group, play
from ...tables import text
from ..evenings.pages import BEGAN, sums
from ..visitors import at, browser

pytestmark = pytest.mark.django_db


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
    rows = leaderboard(of, Filters(format=of.format)).rows
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


def test_a_season_ends_by_games_won_with_awards_for_games_and_turns_as_monarch(levels):
    reign = (CrownMonarch(4), *[PassTurn()] * 8)
    reigned = fall(levels, "Ann Bo Cy Di", 1, 2, 3, before=reign)
    season = settings.add_season(levels, "Spring", BEGAN.date(), BEGAN.date() + timedelta(days=1))
    closing.close(season)

    game = words(browser(None).get(f"/s/{reigned.code}/"))
    page = words(browser(None).get(at(levels, "season", season.pk)))
    archive = words(browser(None).get(at(levels, "seasons_archive")))

    assert game.index("outlasted 2 opponents") < game.index("outlasted 1 opponent")
    assert "Di won with 100 % of games won" in archive
    assert "Champion of Spring Di The greatest share of games won, in 4 games 100 %" in page
    assert "Most games Bo and Ann 5 games" in page
    assert "Most turns as monarch Di 2 turns" in page
    assert "Cy 4 games, won 0 outlasted 2.0 per game" in page


@pytest.fixture
def saturday(db):
    """A playgroup with four games: Ann wins two, Bo one, and one is drawn by Ann and Bo."""
    made = group("Saturday group", ruleset="leveler")
    level(made, date(2026, 3, 7), Win(1))
    level(made, date(2026, 3, 14), Lose((3,)), Overdraw((1,)))
    level(made, date(2026, 3, 21), Concede(3), Draw())
    level(made, date(2026, 3, 28), Win(1), names="Ann Bo")
    return made


def test_a_playgroup_opens_with_the_format_it_plays_and_sorts_by_its_columns(saturday):
    board = reverse("board", args=[saturday.code])
    page = text(Client().get(board))

    assert re.findall('<th scope="col".*?<a href="[^"]*">([^<&]*)', page) == [
        *("Player", "Games", "Won", "Won in %", "Outlasted", "Rating")
    ]
    assert re.findall(r'<td class="lead">(\d+) %', page) == ["50", "25", "0"]
    assert "The last 4 games: won, not won, not won, won" in page
    for sort, by in (("games_won", "games_won"), ("at_cap", "won_share")):  # of other boards
        page = text(Client().get(f"{board}?sort={sort}"))
        assert f"sort={by}" in re.findall('aria-sort="[a-z]*"><a href="([^"]*)"', page)[0]


def test_formats_do_not_mix(saturday):
    play(saturday, date(2026, 4, 4), {"Ann": (20, 20, 20), "Bo": (3, 3, 3)})
    where = reverse("board", args=[saturday.code]) + "?format=coalition"
    ann = reverse("player", args=[saturday.code, saturday.players.get(name="Ann").pk])

    rows = leaderboard(saturday, Filters(format="leveler")).rows
    assert [(row.name, row.games) for row in rows] == [("Ann", 4), ("Bo", 4), ("Cy", 3)]
    for query in ("", "&ruleset=leveler"):
        assert "Ranked by VP per game" in text(Client().get(where + query))
    assert Client().get(f"{where}&ruleset=chess").status_code == 422
    leveler = {"Games": "4", "Games won": "2", "Won in": "50 %"}
    assert [sums(Client().get(ann + query)) for query in ("", "?format=chess")] == [leveler] * 2
    assert sums(Client().get(f"{ann}?format=coalition"))["VP"] == "60"


# --- teams ---
def war(of, names: str, winner: int | None, times: int = 1) -> GameSet:
    """Play games of the first half of the players against the second, won by a seat's team.

    Return the table of the last of them.
    """
    for day in range(times):
        at = BEGAN + timedelta(days=day)
        table = commands.create_set(REALM_WARS, names.split(), at=at, playgroup=of)
        commands.start_game(table, 1, first=1, at=at)
        commands.record(table, 1, Win(winner) if winner else Draw(), at=at)
    return table


def listed(teams: Sequence[Team]) -> list[tuple[int | None, str, int, int]]:
    return [
        (team.rank, " ".join(sorted(name for _, name in team.players)), team.games, team.won)
        for team in teams
    ]


@pytest.fixture
def wars(db):
    """Ann and Bo won three games and drew one; Ann, Bo and Cy lost one of threes."""
    of = group(ruleset=REALM_WARS.key)
    war(of, "Ann Bo Cy Di", 1, times=3)
    war(of, "Cy Di Bo Ann", None)
    war(of, "Ann Cy Bo Ed Di Flo", 4)
    return of


def test_each_team_stands_on_the_page_once(db):
    of = group(ruleset=REALM_WARS.key)
    war(of, "Ann Bo Cy Di", 1, times=3)
    twos = words(browser(None).get(at(of, "teams")))
    war(of, "Ann Cy Bo Ed Di Flo", 4)
    threes = words(browser(None).get(at(of, "teams")))

    counts = [(page.count(" Ann and Bo "), "Pairs" in page) for page in (twos, threes)]
    assert counts == [(1, False), (1, True)]
    assert threes.replace(" ,", ",").count("Ann, Bo and Cy") == 1


def test_teams_rank_by_the_share_of_games_won_which_some_have_in_common(wars):
    war(wars, "Gil Hal Ike Jo", 1, times=3)
    war(wars, "Gil Hal Ike Jo", 3)

    pairs, larger = map(listed, teams(wars))
    assert pairs == [
        (1, "Gil Hal", 4, 3),
        (2, "Ann Bo", 5, 3),
        (3, "Ike Jo", 4, 1),
        (4, "Cy Di", 4, 0),
        (None, "Di Ed", 1, 1),
        (None, "Di Flo", 1, 1),
        (None, "Ed Flo", 1, 1),
        (None, "Ann Cy", 1, 0),
        (None, "Bo Cy", 1, 0),
    ]
    assert larger == [(None, "Di Ed Flo", 1, 1), (None, "Ann Bo Cy", 1, 0)]
    wars.players.filter(name__in=["Bo", "Gil", "Flo"]).update(is_guest=True)
    pairs, larger = ([who for _, who, *_ in listed(found)] for found in teams(wars))
    assert pairs == ["Ike Jo", "Cy Di", "Di Ed", "Ann Cy"], "teams with guests are left out"
    assert larger == []


def test_pairs_of_a_season_count_its_days_only(wars, django_assert_num_queries):
    season = settings.add_season(wars, "Two days", BEGAN.date(), BEGAN.date() + timedelta(days=1))

    with django_assert_num_queries(2):
        of_season = teams(wars, season)
    page = words(browser(None).get(f"{at(wars, 'teams')}?season={season.pk}"))

    assert listed(of_season.larger) == [(None, "Di Ed Flo", 1, 1), (None, "Ann Bo Cy", 1, 0)]
    assert listed(of_season.pairs)[:2] == [(1, "Ann Bo", 4, 2), (2, "Cy Di", 3, 0)]
    assert "1 Ann and Bo 2 of 4 50" in page
    assert "2 March 2026 to 3 March 2026" in page
    for key in ("0", "x", "999"):
        assert browser(None).get(f"{at(wars, 'teams')}?season={key}").status_code == 404


def test_tabs_are_those_of_the_format_and_of_what_was_played_in_others(wars):
    wars.ruleset = LEVELER.key
    wars.save()
    play(wars, BEGAN.date(), {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})

    assert shown(group(ruleset=REALM_WARS.key)) == ["Teams"]
    assert shown(wars) == ["Heroes", "Teams"]


def shown(of) -> list[str]:
    page = words(browser(None).get(at(of, "seasons_archive")))
    tabs = page.split("Leaderboard")[1].split("Head to head")[0].split()
    return [tab for tab in tabs if tab in ("Heroes", "Teams")]
