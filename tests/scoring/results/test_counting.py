"""What finished sets leave in a playgroup: results, tallies and ratings, also when corrected."""

from datetime import UTC, date, datetime, timedelta

import pytest
from openskill.models import PlackettLuce

from scoring.groups import audit, leaderboard
from scoring.models import Playgroup, SetFacts, SetResult, Tally
from scoring.play import commands
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.formats import COALITION_README
from scoring.rules.moves import Draw

from ..grouped import group, play, ratings, tallies
from ..rules.play import hit
from ..tables import everything

MARCH, APRIL = date(2026, 3, 6), date(2026, 4, 3)
EVEN = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}


@pytest.fixture
def thursday(db: None) -> Playgroup:
    return group()


def test_a_finished_set_is_tallied_by_day_and_month(thursday):
    play(thursday, MARCH, {"Ann": (20, 7, 0), "Bo": (3, 0, 0), "Cy": (0, 0, 9)})

    assert tallies(thursday) == [
        # name, day, ruleset, size, sets, won, games, VP, games won, at 21, first, last, outlasted,
        # turns as monarch
        ("Ann", MARCH, "coalition-906", 3, 1, 1, 3, 27, 0, 0, 3, 27, 0, 0, 0, 0),
        ("Bo", MARCH, "coalition-906", 3, 1, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0),
        ("Cy", MARCH, "coalition-906", 3, 1, 0, 3, 9, 0, 0, 0, 0, 3, 9, 0, 0),
    ]
    month = date(2026, 3, 1)
    assert tallies(thursday, "month") == [
        (name, month, *rest) for name, _, *rest in tallies(thursday)
    ]


def test_sets_of_a_day_are_summed_by_ruleset_and_size(thursday):
    play(thursday, MARCH, EVEN)
    play(thursday, MARCH, EVEN)
    play(thursday, MARCH, EVEN | {"Cy": (0, 0, 0)})
    play(thursday, MARCH, EVEN | {"Cy": (0, 0, 0)}, ruleset=COALITION_README)

    sums = [(key, size, sets, points) for _, _, key, size, sets, _, _, points, *_ in _of("Ann")]

    assert sums == [
        ("coalition-906", 2, 2, 42),
        ("coalition-906", 3, 1, 21),
        ("coalition-readme", 3, 1, 21),
    ]


def _of(name: str) -> list[tuple]:
    return [row for row in tallies(Playgroup.objects.get()) if row[0] == name]


def test_a_set_past_midnight_counts_on_the_day_and_in_the_month_and_year_it_began(db):
    berlin = group(zone="Europe/Berlin")
    began = datetime(2025, 12, 31, 21, 30, tzinfo=UTC)

    play(berlin, began, EVEN, until=began + timedelta(minutes=130))

    days = [{row[1] for row in tallies(berlin, span)} for span in ("day", "month", "year")]
    assert days == [{date(2025, 12, 31)}, {date(2025, 12, 1)}, {date(2025, 1, 1)}]
    assert SetFacts.objects.get().played_on == date(2025, 12, 31)
    assert list(audit.faults(berlin)) == []


def test_nobody_won_a_set_in_which_nobody_scored(thursday):
    for day in range(10):
        play(thursday, MARCH + timedelta(days=day), dict.fromkeys(("Ann", "Bo", "Cy"), (0, 0, 0)))

    board = leaderboard.board(thursday, leaderboard.Wanted()).rows
    assert [(row.sets, row.sets_won) for row in board] == [(10, 0)] * 3
    assert set(SetResult.objects.values_list("rank", "streak")) == {(1, 0)}
    assert list(audit.faults(thursday)) == []


def test_a_shared_first_place_with_points_is_won_by_all_who_share_it(thursday):
    play(thursday, MARCH, {"Ann": (5, 0, 0), "Bo": (0, 5, 0), "Cy": (0, 0, 0)})

    board = leaderboard.board(thursday, leaderboard.Wanted()).rows
    assert {(row.name, row.sets_won) for row in board} == {("Ann", 1), ("Bo", 1), ("Cy", 0)}


def test_a_quick_table_leaves_results_and_counts_nowhere(thursday):
    play(None, MARCH, EVEN)

    results = SetResult.objects.values_list("player", "played_on", "mu", "sigma")
    assert list(results) == [(None, None, None, None)] * 2
    assert not Tally.objects.exists()


def test_a_correction_counts_again_what_it_touches_and_nothing_else(thursday):
    table = play(thursday, MARCH, EVEN)
    play(thursday, MARCH + timedelta(days=1), EVEN)
    before = tallies(thursday)

    commands.record(table, 1, Amend(1, hit(1, 2, 9)))

    untouched = [row for row in before if row[:2] != ("Ann", MARCH)]
    assert [row for row in tallies(thursday) if row not in untouched] == [
        ("Ann", MARCH, "coalition-906", 2, 1, 1, 3, 23, 0, 0, 3, 23, 0, 0, 0, 0)
    ]
    assert list(audit.faults(thursday)) == []


@pytest.mark.parametrize("last", [Undo(), Strike(3)])
def test_a_set_that_is_opened_again_is_out_until_it_ends_and_counts_on_its_day(thursday, last):
    table = play(thursday, MARCH, EVEN)

    commands.record(table, 3, last, at=datetime(2026, 6, 1, tzinfo=UTC))
    assert (tallies(thursday), tallies(thursday, "month"), ratings(thursday)) == ([], [], [])
    commands.record(table, 3, hit(1, 2, 2), at=datetime(2026, 6, 1, tzinfo=UTC))
    commands.record(table, 3, Draw(), at=datetime(2026, 6, 1, tzinfo=UTC))

    assert [(row[0], row[1], row[7]) for row in tallies(thursday)] == [
        ("Ann", MARCH, 23),
        ("Bo", MARCH, 9),
    ]
    assert list(audit.faults(thursday)) == []


def test_ratings_follow_the_ranks_in_the_order_of_play(thursday):
    play(thursday, APRIL, {"Bo": (9, 9, 9), "Cy": (1, 1, 1), "Ann": (1, 1, 1)})
    play(thursday, MARCH, EVEN)  # was forgotten, and is told later

    model = PlackettLuce()
    [ann], [bo] = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    [bo2], [cy], [ann2] = model.rate([[bo], [model.rating()], [ann]], ranks=[1, 2, 2])
    assert ratings(thursday) == [
        ("Ann", ann.mu, ann.sigma),
        ("Bo", bo.mu, bo.sigma),
        ("Bo", bo2.mu, bo2.sigma),
        ("Cy", cy.mu, cy.sigma),
        ("Ann", ann2.mu, ann2.sigma),
    ]


def test_another_playgroup_is_not_touched(thursday):
    other = group("Friday group")
    play(other, MARCH, EVEN)
    before = (tallies(other), ratings(other))

    play(thursday, MARCH, EVEN)

    assert (tallies(other), ratings(other)) == before


def _counted(rows: dict) -> object:
    """Return tallies without their keys, and results."""
    without_ids = [{name: row[name] for name in row if name != "id"} for row in rows["Tally"]]
    return sorted(without_ids, key=str), rows["SetResult"]


def test_audit_reports_what_was_tampered_with_and_repair_mends_it(thursday):
    play(thursday, MARCH, EVEN)
    before = _counted(everything())
    Tally.objects.filter(span="day", player__name="Ann").update(victory_points=99)
    SetResult.objects.filter(player__name="Bo").update(mu=30.0)
    code = SetResult.objects.first().game_set.code

    faults = list(audit.faults(thursday))

    assert faults == [
        f"playgroup {thursday.code}: the tallies of its days are not what its sets give",
        f"playgroup {thursday.code}: the tallies of its months are not what its sets give",
        f"playgroup {thursday.code}: ratings are not what its sets give, from {code} on",
    ]
    audit.repair(thursday)
    assert _counted(everything()) == before
