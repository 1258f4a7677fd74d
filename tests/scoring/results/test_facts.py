"""What is remarkable about sets, and how many a player won in a row: stored, and corrected."""

from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from scoring.groups import audit, merging
from scoring.groups.set_membership import take_out
from scoring.models import GameSet, Player, Playgroup, SetFacts, SetResult
from scoring.play import commands
from scoring.play.audit import faults
from scoring.rules.corrections import Amend, Strike
from scoring.rules.formats import COALITION_906, LEVELER
from scoring.rules.moves import Concede, CrownMonarch, Draw, PassTurn

from ..grouped import group, play
from ..rules.play import hit

MARCH = date(2026, 3, 6)
ANN_WINS = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}
BO_WINS = {"Ann": (1, 1, 1), "Bo": (9, 9, 9)}
EVENING = datetime(2026, 3, 6, 18, tzinfo=UTC)


@pytest.fixture
def thursday(db: None) -> Playgroup:
    return group()


def streaks(of: Playgroup, name: str) -> list[int | None]:
    results = SetResult.objects.filter(player__playgroup=of, player__name=name)
    return list(results.order_by("finished_at", "game_set").values_list("streak", flat=True))


def season(of: Playgroup, winners: str) -> list[GameSet]:
    """Play a set each day, won by Ann ("A") or Bo ("B")."""
    return [
        play(of, MARCH + timedelta(days=day), ANN_WINS if winner == "A" else BO_WINS)
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

    call_command("verify_ledger", stdout=StringIO())
    call_command("verify_ledger", repair=True, stdout=StringIO())

    assert list(SetFacts.objects.order_by("pk").values())[1:3] == [
        row | {"streak": streak} for row, streak in zip(complete[1:3], (3, 1), strict=True)
    ]
    assert (streaks(thursday, "Ann"), streaks(thursday, "Bo")) == ([1, 2, 3, 0], [0, 0, 0, 1])


def test_tampered_facts_and_streaks_are_faults_and_repaired(thursday):
    first, second = season(thursday, "AA")
    SetFacts.objects.filter(game_set=first).update(best_turn=99)
    SetFacts.objects.filter(game_set=second).update(streak=99)
    SetResult.objects.filter(game_set=first, rank=1).update(streak=9)
    code = thursday.code

    assert list(faults(first)) == [f"set {first.code}: its facts are not what its games give"]
    assert list(audit.faults(thursday)) == [
        f"playgroup {code}: streaks are not what its sets give, from {first.code} on",
        f"playgroup {code}: facts of its sets are not what its results give",
    ]
    commands.repair(first)
    audit.repair(thursday)
    assert (list(faults(first)), list(audit.faults(thursday))) == ([], [])
