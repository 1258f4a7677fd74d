"""Teams and pairs of teammates, in formats that are played in teams."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from scoring.groups import settings
from scoring.groups.teams import Team, teams
from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats import LEVELER, REALM_WARS
from scoring.rules.moves import Draw, Win

from ..browsing import words
from ..grouped import group, play
from .visitors import at, browser

BEGAN = datetime(2026, 3, 2, 18, tzinfo=UTC)


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


def test_where_all_teams_are_two_the_page_shows_them_once(db):
    of = group(ruleset=REALM_WARS.key)
    war(of, "Ann Bo Cy Di", 1, times=3)
    twos = words(browser(None).get(at(of, "teams")))
    war(of, "Ann Cy Bo Ed Di Flo", 4)
    threes = words(browser(None).get(at(of, "teams")))

    assert [(page.count(" Ann and Bo 3 "), "Pairs" in page) for page in (twos, threes)] == [
        (1, False),
        (1, True),
    ]


def test_teams_rank_by_the_share_of_games_won_which_some_have_in_common(wars):
    war(wars, "Gil Hal Ike Jo", 1, times=3)
    war(wars, "Gil Hal Ike Jo", 3)

    assert listed(teams(wars).whole) == [
        (1, "Ann Bo", 4, 3),
        (1, "Gil Hal", 4, 3),
        (3, "Ike Jo", 4, 1),
        (4, "Cy Di", 4, 0),
        (None, "Di Ed Flo", 1, 1),
        (None, "Ann Bo Cy", 1, 0),
    ]


def test_pairs_of_a_season_count_its_days_only(wars, django_assert_num_queries):
    season = settings.add_season(wars, "Two days", BEGAN.date(), BEGAN.date() + timedelta(days=1))

    with django_assert_num_queries(2):
        of_season = teams(wars, season)
    page = words(browser(None).get(f"{at(wars, 'teams')}?season={season.pk}"))

    assert listed(of_season.whole) == [
        (1, "Ann Bo", 3, 2),
        (2, "Cy Di", 3, 0),
        (None, "Di Ed Flo", 1, 1),
        (None, "Ann Bo Cy", 1, 0),
    ]
    assert listed(of_season.pairs)[:2] == [(1, "Ann Bo", 4, 2), (2, "Cy Di", 3, 0)]
    assert "1 Ann and Bo 3 2 67 %" in page
    assert "1 Ann and Bo 4 2 50 %" in page
    assert "2 March 2026 to 3 March 2026" in page


def test_teams_with_guests_are_left_out(wars):
    wars.players.filter(name="Bo").update(is_guest=True)

    assert [who for _, who, *_ in listed(teams(wars).whole)] == ["Cy Di", "Di Ed Flo"]


@pytest.mark.parametrize("key", ["0", "x", "999"])
def test_a_season_that_is_not_there_has_no_teams(wars, key):
    assert browser(None).get(f"{at(wars, 'teams')}?season={key}").status_code == 404


def test_the_page_takes_as_many_queries_after_few_games_and_many(wars, django_assert_num_queries):
    for _ in range(2):
        with django_assert_num_queries(5):
            assert browser(None).get(at(wars, "teams")).status_code == 200
        war(wars, "Ann Cy Bo Ed Di Flo", 4, times=12)


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
