"""Formats without VP on a playgroup's pages: games won rank, and then who fell when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scoring.groups import closing, leaderboard, settings
from scoring.groups.leaderboard import Wanted
from scoring.play import commands
from scoring.rules.formats import CONSPIRACY, LEVELER, REALM_WARS, RULESETS
from scoring.rules.moves import Concede, CrownMonarch, PassTurn

from ..browsing import words
from ..grouped import group
from .test_teams import war
from .visitors import at, browser

BEGAN = datetime(2026, 3, 2, 18, tzinfo=UTC)


def fall(of, names: str, *seats: int, before: tuple = ()):
    """Play a game of the playgroup's from which the seats fall one by one, until one has won."""
    table = commands.create_set(RULESETS[of.ruleset], names.split(), at=BEGAN, playgroup=of)
    commands.start_game(table, 1, first=1, at=BEGAN)
    for move in (*before, *map(Concede, seats)):
        commands.record(table, 1, move, at=BEGAN + timedelta(minutes=5))
    return table


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
