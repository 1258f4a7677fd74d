"""An evening: people come and go, rounds are drawn, changed by hand, begun and taken back."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from scoring.groups.evenings import commands, queries, standings
from scoring.groups.playgroups import create_playgroup
from scoring.models import Evening, GameSet, Round
from scoring.models.people import Visibility
from scoring.play import commands as play
from scoring.play.errors import GroupRefused
from scoring.rules.formats import COALITION_906, RULESETS
from scoring.rules.moves import Win
from tests.scoring.rules.play import hit
from tests.scoring.tables import record

pytestmark = pytest.mark.django_db
NINE = ["Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal", "Ida"]


@pytest.fixture
def evening(django_user_model) -> Evening:
    owner = django_user_model.objects.create_user("olga")
    group = create_playgroup(
        "Friday", owner, visibility=Visibility.UNLISTED, ruleset=COALITION_906.key
    )
    evening = commands.create_evening(
        group, "Friday night", COALITION_906, rounds=2, usual_size=3, seed=5
    )
    commands.arrive(evening, NINE)
    return evening


def seated(round: Round) -> list[list[str]]:
    return [[player.name for player in table] for table in queries.seating(round).values()]


def named(evening: Evening, name: str):
    return evening.playgroup.players.get(name=name)


def play_round(evening: Evening, number: int) -> None:
    """Play one game at each table, won by the first seat, and call the sets."""
    for table in evening.rounds.get(number=number).tables.all():
        play.start_game(table.game_set, 1, first=1)
        record(table.game_set, hit(1, 2, 4), Win(1))
        play.call_set(table.game_set)


def test_everybody_who_is_here_sits_once(evening):
    drawn = commands.draw_round(evening)

    assert sorted(chain(*seated(drawn))) == NINE
    assert [len(table) for table in seated(drawn)] == [3, 3, 3]
    assert (drawn.number, drawn.repeats, drawn.fewest) == (1, 0, 0)


def test_a_round_that_is_drawn_again_comes_from_other_chances(evening):
    first = seated(commands.draw_round(evening))
    again = commands.draw_round(evening)

    assert seated(again) != first
    assert (again.number, again.draws, evening.rounds.count()) == (1, 2, 1)


def test_an_evening_of_the_same_seed_is_drawn_alike(evening):
    other = commands.create_evening(
        evening.playgroup, "Copy", COALITION_906, rounds=2, usual_size=3, seed=5
    )
    commands.arrive(other, NINE)

    assert seated(commands.draw_round(other)) == seated(commands.draw_round(evening))
    assert (evening.number, other.number) == (1, 2)


def test_a_round_that_begins_seats_a_table_for_each_group_of_players_of_the_playgroup(evening):
    drawn = commands.draw_round(evening)

    tables = commands.begin_round(drawn)

    sets = [table.game_set for table in tables]
    assert [list(game_set.names.values()) for game_set in sets] == seated(drawn)
    assert {game_set.playgroup for game_set in sets} == {evening.playgroup}
    assert {seat.player.name for game_set in sets for seat in game_set.seats.all()} == set(NINE)
    assert commands.begin_round(drawn) == tables
    assert GameSet.objects.count() == 3


def test_the_second_round_seats_new_opponents_by_the_standings(evening):
    commands.begin_round(commands.draw_round(evening))
    play_round(evening, 1)

    second = commands.draw_round(evening)

    assert (second.number, second.repeats, second.fewest) == (2, 0, 0)
    assert [one.rank for one in standings.standings(evening)] == [1, 1, 1, 4, 4, 4, 4, 4, 4]


def test_games_in_progress_count_as_they_stand(evening):
    tables = commands.begin_round(commands.draw_round(evening))
    play.start_game(tables[0].game_set, 1, first=1)
    record(tables[0].game_set, hit(1, 2, 4))

    first, *others = standings.standings(evening)

    assert (first.rank, first.score.points, first.is_playing) == (1, 4, True)
    assert Counter(one.rank for one in others) == {2: 2, None: 6}


def test_a_late_comer_joins_the_next_round_and_who_left_has_no_place(evening):
    commands.begin_round(commands.draw_round(evening))
    commands.arrive(evening, ["Jo"])
    commands.leave(evening, named(evening, "Ann"))

    second = commands.draw_round(evening)

    assert sorted(chain(*seated(second))) == sorted([*NINE[1:], "Jo"])


def test_a_drawn_round_does_not_outlive_a_change_of_people(evening):
    commands.draw_round(evening)

    commands.arrive(evening, ["Jo"])

    assert evening.rounds.count() == 0


def test_a_person_is_moved_by_hand_before_the_round_begins(evening):
    drawn = commands.draw_round(evening)
    moved = seated(drawn)[0][0]

    commands.move(drawn, named(evening, moved), 2)

    assert seated(drawn)[1][-1] == moved
    drawn.refresh_from_db()
    assert (drawn.repeats, drawn.fewest, drawn.spread) == (None, None, None)


def test_a_table_that_its_format_does_not_allow_does_not_begin(evening):
    drawn = commands.draw_round(evening)
    for name in seated(drawn)[0][:2]:
        commands.move(drawn, named(evening, name), 2)
    commands.move(drawn, named(evening, seated(drawn)[2][0]), 2)

    with pytest.raises(GroupRefused, match="Table 1 has 1 people"):
        commands.begin_round(drawn)

    assert GameSet.objects.count() == 0


def test_a_round_that_has_begun_can_neither_be_changed_nor_taken_back(evening):
    drawn = commands.draw_round(evening)
    commands.begin_round(drawn)

    for change in (
        lambda: commands.move(drawn, named(evening, "Ann"), 2),
        lambda: commands.undo_round(drawn),
    ):
        with pytest.raises(GroupRefused, match="has begun already"):
            change()

    assert evening.rounds.count() == 1


def test_a_drawn_round_is_taken_back(evening):
    commands.undo_round(commands.draw_round(evening))

    assert evening.rounds.count() == 0


def test_an_evening_that_is_over_draws_no_round_until_it_is_reopened(evening):
    commands.end_evening(evening)
    with pytest.raises(GroupRefused, match="This evening is over"):
        commands.draw_round(evening)

    commands.reopen_evening(evening)

    assert commands.draw_round(evening).number == 1


def test_byes_go_round(evening):
    evening.ruleset = RULESETS["realm-wars"].key
    evening.usual_size = 4
    evening.save()
    byes: Counter[str] = Counter()
    for _ in range(3):
        drawn = commands.draw_round(evening)
        byes.update(place.player.name for place in drawn.places.filter(table=0))
        commands.begin_round(drawn)

    assert sum(byes.values()) >= 3
    assert set(byes.values()) == {1}


def test_tables_of_a_size_that_the_format_does_not_have_are_refused(evening):
    with pytest.raises(GroupRefused, match="have 3, 4, 5 players"):
        commands.create_evening(evening.playgroup, "Big", COALITION_906, rounds=2, usual_size=6)
