"""What finished sets leave in a playgroup: results, tallies, ratings, streaks and facts, also when
corrected."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from openskill.models import PlackettLuce

from scoring.groups.board.leaderboard import Filters, leaderboard
from scoring.groups.data import audit
from scoring.groups.people import merging
from scoring.groups.sets.membership import take_out, take_set
from scoring.models import GameSet, Player, Playgroup, SetFacts, SetResult, Tally
from scoring.record import commands
from scoring.record.audit import faults
from scoring.rules import recap, sets
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.formats import COALITION_906, LEVELER, REALM_WARS
from scoring.rules.moves import Concede, CrownMonarch, Draw, PassTurn, Win

from ..grouped import group, play, ratings, tallies
from ..rules.play import ANN, BO, CY, game_of, hit, play_set
from ..tables import results, run

MARCH, APRIL, WEEK = date(2026, 3, 6), date(2026, 4, 3), timedelta(weeks=1)
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

    board = leaderboard(thursday, Filters()).rows
    assert [(row.sets, row.sets_won) for row in board] == [(10, 0)] * 3
    assert set(SetResult.objects.values_list("rank", "streak")) == {(1, 0)}
    assert list(audit.faults(thursday)) == []


def test_a_shared_first_place_with_points_is_won_by_all_who_share_it(thursday):
    play(thursday, MARCH, {"Ann": (5, 0, 0), "Bo": (0, 5, 0), "Cy": (0, 0, 0)})

    board = leaderboard(thursday, Filters()).rows
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


def test_who_sat_together_at_a_drawn_table_is_corrected_and_the_teams_rated_anew(thursday):
    for move in (Win(ANN), Draw()):  # Ann and Bo, who won together, are a team again
        table = commands.create_set(REALM_WARS, ["Ann", "Bo", "Cy", "Di"], playgroup=thursday)
        commands.start_game(table, 1, first=ANN)
        commands.record(table, 1, move)

    take_set(table, thursday, {1: "Ann", 2: "Cy", 3: "Bo", 4: "Di"}, are_players=True)

    assert list(audit.faults(thursday)) == []


def test_an_old_set_is_corrected_by_as_many_statements_after_many_sets(thursday, monkeypatch):
    """Ratings are a chain, so that all later ones change with a rank."""
    monkeypatch.setattr(
        "scoring.record.streaks.BATCH", 2
    )  # so that few rows more are a statement more

    def play_weeks(first: int, last: int) -> None:
        for week in range(first, last):
            play(thursday, MARCH + week * WEEK, BO_WINS if week % 5 == 4 else EVEN)

    def correct() -> int:
        with transaction.atomic():
            with CaptureQueriesContext(connection) as captured:
                commands.record(GameSet.objects.earliest("pk"), 1, Amend(2, hit(2, 1, 20)))
            assert list(audit.faults(thursday)) == []
            transaction.set_rollback(True)
        return len(captured)

    play_weeks(0, 7)
    few = correct()
    play_weeks(7, 20)

    assert few == correct()


# --- leaving early ---
def leave_early(of: Playgroup, day: date) -> GameSet:
    """Play a set in which Ann wins game 1 and drops, and Bo wins games 2 and 3. The third is Cy."""
    at = datetime.combine(day, time(12), UTC)
    table = commands.create_set(COALITION_906, ["Ann", "Bo", "Cy"], seed=1, at=at, playgroup=of)
    commands.start_game(table, 1, first=ANN, at=at)
    commands.record(table, 1, Win(ANN), at=at)
    commands.start_game(table, 2, first=BO, dropped=(ANN,), at=at)
    commands.record(table, 2, Win(BO), at=at)
    commands.start_game(table, 3, first=CY, at=at)
    commands.record(table, 3, Win(BO), at=at)
    return table


def test_what_was_missed_counts_as_nothing_on_the_board_as_in_the_set(thursday):
    for week in range(3):
        table = leave_early(thursday, MARCH + week * WEEK)

    assert results(table) == [(BO, 1, 42, 3, 2), (ANN, 2, 21, 3, 1), (CY, 3, 0, 3, 0)]
    assert [
        (row.name, row.rank, row.per_game, round(row.won_share, 2), round(row.at_cap, 2))
        for row in leaderboard(thursday, Filters()).rows
    ] == [("Bo", 1, 14.0, 0.67, 0.67), ("Ann", 2, 7.0, 0.33, 0.33), ("Cy", 3, 0.0, 0.0, 0.0)]
    assert list(audit.faults(thursday)) == []


def test_who_conceded_with_the_penalty_has_the_games_after_it_too():
    games = game_of(ANN, Win(ANN)), game_of(BO, Concede(ANN), Win(BO)), game_of(CY, Win(BO))
    played = play_set(*games, players=3)

    orders = list(map(recap.turn_order, played.games))
    of = [sets.sums(played.state, seat, orders) for seat in (ANN, BO, CY)]
    assert [one["games_played"] for one in of] == [3, 3, 3]


BO_WINS = {"Ann": (1, 1, 1), "Bo": (9, 9, 9)}
EVENING = datetime(2026, 3, 6, 18, tzinfo=UTC)


def streaks(of: Playgroup, name: str) -> list[int | None]:
    results = SetResult.objects.filter(player__playgroup=of, player__name=name)
    return list(results.order_by("finished_at", "game_set").values_list("streak", flat=True))


def season(of: Playgroup, winners: str) -> list[GameSet]:
    """Play a set each day, won by Ann ("A") or Bo ("B")."""
    return [
        play(of, MARCH + timedelta(days=day), EVEN if winner == "A" else BO_WINS)
        for day, winner in enumerate(winners)
    ]


def test_a_finished_set_leaves_its_facts(thursday):
    table = commands.create_set(COALITION_906, ["Ann", "Bo", "Cy"], at=EVENING, playgroup=thursday)
    moves = {
        1: [hit(1, 2, 5), hit(1, 3, 4, "hero"), PassTurn(), hit(1, 2, 7), Draw()],
        2: [CrownMonarch(2), PassTurn(), PassTurn(), hit(2, 3, 3), PassTurn(), Draw()],
        3: [hit(2, 1, 2), Concede(1), Concede(3)],
    }
    for number, entries in moves.items():
        began = EVENING + timedelta(hours=number)
        commands.start_game(table, number, first=1, at=began)
        for minute, move in enumerate(entries):
            commands.record(table, number, move, at=began + timedelta(minutes=minute * 9))

    facts = SetFacts.objects.get()
    results = SetResult.objects.order_by("seat__number")
    assert (facts.format, facts.played_on, facts.playgroup) == ("coalition", MARCH, thursday)
    assert (facts.highest, facts.margin) == (24, 8)
    assert (facts.best_turn, facts.best_turn_game) == (21, 3)
    assert (facts.minutes, facts.minutes_game) == (45, 2)
    assert facts.conceded is True
    assert [(of.best_turn, of.monarch_turns) for of in results] == [(9, 0), (21, 2), (0, 0)]


def test_a_format_without_vp_has_no_facts_of_points(thursday):
    table = commands.create_set(LEVELER, ["Ann", "Bo"], at=EVENING, playgroup=thursday)
    commands.start_game(table, 1, first=1, at=EVENING)
    commands.record(table, 1, Draw(), at=EVENING)

    facts = SetFacts.objects.get()

    assert (facts.highest, facts.margin, facts.best_turn, facts.conceded) == (None,) * 3 + (False,)
    assert (streaks(thursday, "Ann"), streaks(thursday, "Bo")) == ([0], [0])  # nobody won


def test_a_corrected_set_counts_later_streaks_again(thursday):
    tables = season(thursday, "AAABAA")

    commands.record(tables[1], 1, Amend(2, hit(2, 1, 20)))  # Bo has won this

    assert streaks(thursday, "Ann") == [1, 0, 1, 0, 1, 2]
    assert streaks(thursday, "Bo") == [0, 1, 0, 1, 0, 0]
    assert list(SetFacts.objects.order_by("pk").values_list("streak", flat=True)) == [1] * 5 + [2]


def test_a_set_that_is_reopened_or_taken_out_leaves_no_facts_here(thursday):
    first, second = season(thursday, "AA")

    commands.record(first, 3, Strike(3))
    assert (streaks(thursday, "Ann"), SetFacts.objects.count()) == ([1], 1)
    take_out(second)
    assert list(SetFacts.objects.values_list("playgroup", "streak")) == [(None, None)]


def test_merged_players_have_the_streaks_of_both(thursday):
    season(thursday, "AA")
    play(thursday, MARCH + timedelta(days=5), {"Anna": (7, 7, 7), "Bo": (1, 1, 1)})
    anna = Player.objects.get(name="Anna")

    merging.merge(anna, Player.objects.get(name="Ann"))
    assert streaks(thursday, "Ann") == [1, 2, 3]
    assert list(audit.faults(thursday)) == []
    merging.separate(Player.objects.get(name="Anna"))
    assert (streaks(thursday, "Ann"), streaks(thursday, "Anna")) == ([1, 2], [1])


def test_repair_counts_what_an_older_version_wrote(thursday):
    season(thursday, "AAB")
    complete = list(SetFacts.objects.order_by("pk").values())
    SetFacts.objects.all().delete()
    SetResult.objects.update(best_turn=None, monarch_turns=None, streak=None)
    season(thursday, "A")  # after the upgrade, on the same day as the first

    run("verify_ledger")
    run("verify_ledger", "--repair")

    assert list(SetFacts.objects.order_by("pk").values())[1:3] == [
        row | {"streak": streak} for row, streak in zip(complete[1:3], (3, 1), strict=True)
    ]
    assert (streaks(thursday, "Ann"), streaks(thursday, "Bo")) == ([1, 2, 3, 0], [0, 0, 0, 1])


def test_what_was_tampered_with_is_a_fault_and_repaired(thursday):
    first, second = season(thursday, "AA")
    before = tallies(thursday), ratings(thursday)
    Tally.objects.filter(span="day", player__name="Ann").update(victory_points=99)
    SetResult.objects.filter(game_set=second, player__name="Bo").update(mu=30.0)
    SetFacts.objects.filter(game_set=first).update(best_turn=99)
    SetFacts.objects.filter(game_set=second).update(streak=99)
    SetResult.objects.filter(game_set=first, rank=1).update(streak=9)
    code = thursday.code

    assert list(faults(first)) == [f"set {first.code}: its facts are not what its games give"]
    assert list(audit.faults(thursday)) == [
        f"playgroup {code}: the tallies of its days are not what its sets give",
        f"playgroup {code}: the tallies of its months are not what its sets give",
        f"playgroup {code}: ratings are not what its sets give, from {second.code} on",
        f"playgroup {code}: streaks are not what its sets give, from {first.code} on",
        f"playgroup {code}: facts of its sets are not what its results give",
    ]
    commands.repair(first)
    audit.repair(thursday)
    assert (list(faults(first)), list(audit.faults(thursday))) == ([], [])
    assert (tallies(thursday), ratings(thursday)) == before
