"""An evening: people come and go, rounds are paired and begun, and it is cancelled or ends."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from itertools import chain

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.groups.data import audit
from scoring.groups.evenings import commands, queries, reseating, standings
from scoring.groups.news import webhooks
from scoring.groups.people import merging
from scoring.groups.sets import membership as set_membership
from scoring.models import (
    Attendee,
    Delivery,
    Evening,
    GameSet,
    Place,
    Playgroup,
    Round,
    RoundTable,
    Seat,
)
from scoring.record import commands as play
from scoring.record import counting, seating
from scoring.record.errors import GroupRefused
from scoring.rules.formats import COALITION_906, RULESETS
from tests.scoring.grouped import group, play_one_game
from tests.scoring.rules.play import hit
from tests.scoring.tables import unchanged

from . import pages
from .pages import NINE

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    return pages.night(group("Friday"))


def seated(round: Round) -> list[list[str]]:
    rows = queries.read_evening(round.evening)
    tables = rows.seated(round).values()
    return [[rows.players[key].name for key in table] for table in tables]


def ranks(evening: Evening) -> list[standings.Standing]:
    return standings.standings(queries.read_evening(evening))


def named(evening: Evening, name: str):
    return evening.playgroup.players.get(name=name)


def play_round(evening: Evening, number: int) -> None:
    """Play one game at each table, in which the first seat scores."""
    for table in evening.rounds.get(number=number).tables.all():
        play_one_game(table.game_set, hit(1, 2, 4))


def test_planning_an_evening_locks_its_playgroup_before_anything_is_read(evening, monkeypatch):
    """Two who plan at once would otherwise read the same highest number."""
    of = evening.playgroup
    before: list[list[dict[str, str]]] = []
    with CaptureQueriesContext(connection) as asked:
        monkeypatch.setattr(counting, "lock_group", lambda _: before.append(asked.captured_queries))
        commands.create_evening(of, "Next", COALITION_906, rounds=1, usual_size=3)

    assert [query for query in before[0] if "SELECT" in query["sql"]] == []


def test_an_evening_of_the_same_seed_is_drawn_alike_but_otherwise_if_drawn_again(evening):
    other = pages.night(evening.playgroup)

    first, again = seated(commands.pair_round(other)), commands.pair_round(other)

    assert first == seated(commands.pair_round(evening)) != seated(again)
    assert (again.number, again.draws, other.rounds.count()) == (1, 2, 1)
    assert (evening.number, other.number) == (1, 2)


def test_who_sat_together_within_a_year_is_seated_apart_if_that_costs_nothing(evening):
    pages.evening(evening.playgroup, dict.fromkeys(NINE[:6:2], 0), day=0)
    pages.evening(evening.playgroup, dict.fromkeys(NINE[:3], 0), day=369)
    evening.starts_at = pages.BEGAN + timedelta(days=370)
    evening.save()

    paired = [seated(commands.pair_round(evening)) for _ in range(5)]

    together = [{*table} for tables in paired for table in tables]
    assert max(len(table & {*NINE[:3]}) for table in together) == 1
    assert max(len(table & {*NINE[:6:2]}) for table in together) > 1


def test_rounds_seat_everybody_once_at_tables_of_the_playgroup_with_new_opponents(evening):
    """The second by the standings."""
    evening.minutes = 50
    evening.save()
    drawn = commands.pair_round(evening)
    assert sorted(chain(*seated(drawn))) == NINE
    assert [len(table) for table in seated(drawn)] == [3, 3, 3]
    assert (drawn.number, drawn.repeats, drawn.fewest) == (1, 0, 0)

    tables = commands.begin_round(drawn)

    sets = [table.game_set for table in tables]
    assert [list(game_set.names.values()) for game_set in sets] == seated(drawn)
    assert {(game_set.playgroup, game_set.minutes) for game_set in sets} == {
        (evening.playgroup, 50)
    }
    assert {seat.player.name for game_set in sets for seat in game_set.seats.all()} == set(NINE)
    assert commands.begin_round(drawn) == tables
    assert GameSet.objects.count() == 3
    play_round(evening, 1)
    second = commands.pair_round(evening)
    assert (second.number, second.repeats, second.fewest) == (2, 0, 0)
    assert [one.rank for one in ranks(evening)] == [1, 1, 1, 4, 4, 4, 4, 4, 4]


def rounds(evening: Evening, *of_rounds: dict[str, int]) -> None:
    """Play rounds at one table each, with the points of who sits there; all others have a bye."""
    here = evening.attendees.select_related("player")
    for number, points in enumerate(of_rounds, 1):
        round = Round.objects.create(
            evening=evening, number=number, draws=1, begun_at=evening.starts_at
        )
        names = [*points, *(one.player.name for one in here if one.player.name not in points)]
        for position, name in enumerate(names, 1):
            table = 1 if name in points else queries.BYE
            round.places.create(player=named(evening, name), table=table, position=position)
        game_set = play.create_set(COALITION_906, list(points), seed=1, playgroup=evening.playgroup)
        round.tables.create(number=1, game_set=game_set)
        scored = enumerate(points.values(), 1)
        play_one_game(game_set, *(hit(seat, 1 + seat % len(points), vp) for seat, vp in scored))


MEDIAN = {"Ann": 2, "Bo": 6, "Cy": 7}, {"Bo": 10, "Cy": 9}
HALVES = {"Ann": 9, "Bo": 1}, {"Bo": 1, "Cy": 9}


@pytest.mark.parametrize(
    ("of_rounds", "stand"),
    [
        (MEDIAN, [(1, "Bo", 16), (1, "Cy", 16), (3, "Ann", 9)]),
        (HALVES, [(1, "Ann", 18), (1, "Cy", 18), (3, "Bo", 2)]),
        ((*HALVES, HALVES[1]), [(1, "Cy", 27), (2, "Bo", 3), (None, "Ann", 27)]),
    ],
)
def test_a_bye_counts_the_median_at_least_and_a_rank_takes_a_table_in_half_of_the_rounds(
    of_rounds, stand
):
    small = pages.night(group("Small"), ["Ann", "Bo", "Cy"], rounds=3)
    rounds(small, *of_rounds)

    assert [(one.rank, one.player.name, one.total) for one in ranks(small)] == stand


def test_whoever_comes_after_a_draw_waits_and_whoever_leaves_gives_up_the_place(evening):
    drawn = commands.pair_round(evening)
    moved = seated(drawn)[0][0]
    reseating.move(drawn, named(evening, moved), 2)
    stays = seated(drawn)
    assert stays[1][-1] == moved
    drawn.refresh_from_db()
    assert (drawn.repeats, drawn.fewest, drawn.spread) == (None, None, None)

    commands.arrive(evening, ["Jo"])
    commands.leave(evening, named(evening, stays[1][0]))

    drawn.refresh_from_db()
    assert seated(drawn) == [stays[0], stays[1][1:], stays[2]]  # what was moved by hand stays moved
    assert [place.player.name for place in drawn.places.filter(table=queries.BYE)] == ["Jo"]
    assert len(list(chain(*seated(commands.pair_round(evening))))) == 9
    for name in [*NINE, "Jo"]:
        commands.leave(evening, named(evening, name))
    assert evening.rounds.count() == 0, "a paired round that everybody left is gone"


def test_whoever_comes_twice_or_comes_back_is_here_once_and_new_names_may_be_guests(evening):
    commands.leave(evening, named(evening, "Ann"))
    commands.come(evening, named(evening, "Ann"))
    commands.arrive(evening, ["ann", "Bo", "Gast"], as_guests=True)

    here = [*NINE[:6], "Gast", *NINE[6:]]
    assert sorted(one.player.name for one in ranks(evening) if one.here) == here
    assert list(evening.playgroup.players.filter(is_guest=True)) == [named(evening, "Gast")]


def test_whoever_comes_while_an_evening_is_read_is_known(evening):
    late = iter(["Jo"])

    def arrive_first(execute, sql, *rest):
        if 'FROM "scoring_attendee"' in sql and (name := next(late, None)):
            commands.arrive(evening, [name])
        return execute(sql, *rest)

    with connection.execute_wrapper(arrive_first):
        rows = queries.read_evening(evening)

    assert sorted(rows.players[key].name for key in rows.here) == [*NINE, "Jo"]


# --- two taps, and two players who are one person ---
def test_a_round_that_is_asked_for_twice_is_drawn_once(evening):
    first = commands.pair_round(evening, after=(1, 0))
    reseating.move(first, named(evening, seated(first)[0][0]), 2)
    moved = seated(first)

    again = commands.pair_round(evening, after=(1, 0))

    assert (again, seated(again)) == (first, moved)
    drawn_again = commands.pair_round(evening, after=(1, 1))
    assert drawn_again.draws == 2
    commands.begin_round(drawn_again)
    assert commands.pair_round(evening, after=(1, 2)) == drawn_again, "the page is from before that"


def test_players_who_turn_out_to_be_one_person_stand_and_sit_as_one(evening):
    commands.begin_round(commands.pair_round(evening))
    play_round(evening, 1)
    commands.arrive(evening, ["Anna"])
    merging.merge(named(evening, "Ann"), named(evening, "Anna"))

    rows = queries.read_evening(evening)
    stood = {one.player.name: one.score.games for one in standings.standings(rows)}

    assert stood == dict.fromkeys(["Anna", *NINE[1:]], 1)
    assert sorted(chain(*seated(commands.pair_round(evening)))) == sorted(stood)
    commands.leave(evening, named(evening, "Anna"))
    assert [one.player.name for one in ranks(evening) if not one.here] == ["Anna"]


def test_a_round_does_not_begin_with_a_person_at_two_places_or_a_table_that_is_not_allowed(evening):
    commands.arrive(evening, ["Anna"])
    drawn = commands.pair_round(evening)
    merging.merge(named(evening, "Ann"), named(evening, "Anna"))

    for change in (
        commands.begin_round,
        lambda drawn: reseating.move(drawn, named(evening, "Bo"), 2),
    ):
        with pytest.raises(GroupRefused, match="Anna has two places in this round"):
            change(drawn)
    drawn = commands.pair_round(evening)
    for name in seated(drawn)[0][:2]:
        reseating.move(drawn, named(evening, name), 2)
    reseating.move(drawn, named(evening, seated(drawn)[2][0]), 2)
    with pytest.raises(GroupRefused, match="Table 1 has 1 person, and"):
        commands.begin_round(drawn)

    assert GameSet.objects.count() == 0


# --- corrections of who sat there ---
def test_a_corrected_seat_moves_the_place_and_the_set_of_an_evening_stays_there(evening):
    """Nobody sits at two tables of a round, and those who sat in one are two people."""
    (table, *_) = commands.begin_round(commands.pair_round(evening))
    (wrong, one, *rest), (other, *_), _ = seated(evening.rounds.get())
    stays = "This is table 1 of round 1 of Friday night: it stays"
    merging.merge(seating.add_player(evening.playgroup, "Nick"), named(evening, other))

    for why, change in (
        (
            "Nick sat at another table of this round",
            lambda: set_membership.take_set(table.game_set, evening.playgroup, {1: "Nick"}),
        ),
        (
            f"{other} sat at another table of this round",
            lambda: set_membership.take_set(table.game_set, evening.playgroup, {1: other}),
        ),
        (stays, lambda: set_membership.take_out(table.game_set)),
        (stays, lambda: set_membership.take_set(table.game_set, group("Other"))),
        (
            "both had a place in round 1 of Friday night",
            lambda: merging.merge(named(evening, one), named(evening, other)),
        ),
    ):
        with pytest.raises(GroupRefused, match=why):
            change()
    set_membership.take_set(table.game_set, evening.playgroup, {1: "Jo"})

    assert seated(evening.rounds.get())[0] == ["Jo", one, *rest]
    assert wrong not in chain(*seated(evening.rounds.get()))


# --- rounds ---
def test_a_round_is_changed_and_taken_back_until_it_begins(evening):
    commands.undo_round(commands.pair_round(evening))
    assert evening.rounds.count() == 0
    old, drawn = commands.pair_round(evening), commands.pair_round(evening)
    for change in (
        commands.begin_round,
        lambda old: reseating.move(old, named(evening, "Ann"), 2),
    ):
        with pytest.raises(GroupRefused, match="was paired again"):
            change(old)
    commands.begin_round(drawn)

    with pytest.raises(GroupRefused, match="has begun already"):
        commands.undo_round(drawn)

    assert evening.rounds.count() == 1


def test_byes_go_round_also_where_each_round_is_drawn_again(evening):
    evening.ruleset = RULESETS["realm-wars"].key
    evening.usual_size = 4
    evening.save()
    byes: Counter[str] = Counter()
    for _ in NINE:
        drawn = commands.pair_round(evening)
        commands.begin_round(drawn)
        reseating.draw_again(drawn, drawn.draws)
        byes.update(drawn.places.filter(table=queries.BYE).values_list("player__name", flat=True))

    assert byes == dict.fromkeys(NINE, 1)


def test_no_round_is_drawn_after_twenty_or_once_an_evening_is_over_until_it_is_reopened(evening):
    commands.end_evening(evening)
    with pytest.raises(GroupRefused, match="This evening is over"):
        commands.pair_round(evening)
    commands.reopen_evening(evening)
    for _ in range(20):
        commands.begin_round(commands.pair_round(evening))

    with pytest.raises(GroupRefused, match="at most 20 rounds"):
        commands.pair_round(evening)


# --- cancelling ---
def begun(evening: Evening) -> list[GameSet]:
    return [table.game_set for table in commands.begin_round(commands.pair_round(evening))]


def test_tables_that_were_seated_stay_in_the_playgroup_and_can_still_be_played(evening, client):
    """As long as no game stands there; no stranger sees them, and no standings are sent."""
    of, tables = evening.playgroup, begun(evening)
    address = "https://hooks.slack.com/hook"
    webhooks.save(of, "json", address, site="https://table.example", key="key")
    commands.end_evening(evening)
    assert Delivery.objects.count() == 1
    play.start_game(tables[0], 1, first=1)
    play.take_back_game(tables[0], 1)

    commands.cancel_evening(evening)

    assert not Evening.objects.exists()
    assert not Delivery.objects.exists()
    assert list(of.sets.order_by("pk")) == tables
    assert all(table.key_hash for table in of.sets.all())
    tables[0].refresh_from_db()
    play.start_game(tables[0], 1, first=1)
    assert list(audit.faults(of)) == []
    Playgroup.objects.update(visibility="private")
    code = tables[0].code
    pages = [reverse(name, args=[code]) for name in ("watch", "table", "log", "export", "stream")]
    pages.append(reverse("api_set", args=[code]))
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 404)


def test_a_round_that_begins_meanwhile_keeps_the_evening(evening, monkeypatch):
    lock_group = counting.lock_group

    def begin_first(group: int) -> None:
        monkeypatch.setattr(counting, "lock_group", lock_group)
        begun(evening)

    monkeypatch.setattr(counting, "lock_group", begin_first)

    with unchanged(), pytest.raises(GroupRefused, match="A round was begun meanwhile"):
        commands.cancel_evening(evening)


# --- the audit ---
@pytest.fixture
def of(db: None) -> Playgroup:
    """A playgroup with an evening of two rounds that have begun; nine people, so one has a bye."""
    of = group()
    evening = commands.create_evening(
        of, "Friday", RULESETS["realm-wars"], rounds=2, usual_size=4, seed=3
    )
    commands.arrive(evening, NINE)
    for _ in range(2):
        commands.begin_round(commands.pair_round(evening))
    return of


def bye_again() -> None:
    """Let whoever had the bye of the first round have that of the second as well."""
    had = Place.objects.get(round__number=1, table=0).player_id
    second = Place.objects.filter(round__number=2)
    now = second.get(table=0).player_id
    sat = second.get(player=had)
    Seat.objects.filter(game_set__round_table__round__number=2, player=had).update(player=now)
    second.get(table=0).delete()
    Place.objects.filter(pk=sat.pk).update(player=now)
    Place.objects.create(round=sat.round, player_id=had, table=0, position=1)
    counted, *_ = audit._drawn(queries.read_evening(Evening.objects.get()), sat.round)
    Round.objects.filter(number=2).update(repeats=counted, fewest=0)


BREACHES: list[tuple[Callable[[], object], str]] = [
    (
        lambda: Round.objects.filter(number=2).update(number=3),
        r"evening 1, rounds are numbered \[1, 3\]",
    ),
    (lambda: Attendee.objects.first().delete(), "round 1: Ann has a place and never came"),
    (
        lambda: RoundTable.objects.filter(round__number=1, number=1).delete(),
        r"round 1: people sit at tables \[1, 2\], and sets are at \[2\]",
    ),
    (
        lambda: GameSet.objects.filter(round_table__number=2).update(playgroup=group("Other")),
        "round 1: the set of table 2 is not in the playgroup",
    ),
    (
        lambda: Place.objects.filter(table=1, position=1).update(position=9),
        "round 1: at table 1 sit [A-Z].*, and the places are of [A-Z].*",
    ),
    (
        lambda: Round.objects.filter(number=1).update(begun_at=None),
        "round 1: it has tables and has not begun",
    ),
    (
        lambda: Round.objects.filter(number=2).update(repeats=F("repeats") + 1),
        r"round 2: pairs that meet again are (\d+), and should be \d+",
    ),
    (bye_again, "round 2: somebody has a bye who had more byes than somebody at a table"),
]


@pytest.mark.parametrize(("breach", "fault"), BREACHES)
def test_what_is_wrong_with_an_evening_is_named(of, breach, fault):
    assert list(audit.faults(of)) == []

    breach()

    found = next(fault for fault in audit.faults(of) if "evening" in fault)
    assert re.search(fault, found), found


@pytest.fixture
def paired(db: None) -> Round:
    """A second round, in which everybody has another name; two pairs of the six meet again."""
    evening = pages.night(group(), NINE[:6])
    commands.begin_round(commands.pair_round(evening))
    paired = commands.pair_round(evening)
    for place in paired.places.select_related("player"):
        place.player = evening.playgroup.players.create(
            name=f"{place.player} again", merged_into=place.player
        )
        place.save()
        evening.attendees.create(player=place.player)
    return paired


def test_people_may_have_been_merged_before_a_round_was_paired_or_after_it(paired):
    of = paired.evening.playgroup
    found = []
    for repeats in range(4):
        Round.objects.filter(pk=paired.pk).update(repeats=repeats, fewest=0)
        found.append(list(audit.faults(of)))

    wrong = "evening 1, round 2: pairs that meet again are 3, and should be 2"
    assert found == [[], [], [], [f"playgroup {of.code}: {wrong}"]]


def test_a_round_that_was_paired_for_merged_people_is_sound_after_they_are_separated(paired):
    for place in paired.places.all():
        merging.separate(place.player)

    assert list(audit.faults(paired.evening.playgroup)) == []


def test_a_corrected_seat_of_an_earlier_round_is_no_fault_of_the_next(of):
    """Whoever sat at that table instead may have met somebody of the second round."""
    first = Round.objects.get(number=1)
    waited = first.places.get(table=0).player
    for table in first.tables.all():
        for seat in range(1, 5):
            with transaction.atomic():
                set_membership.take_set(table.game_set, of, {seat: waited.name})
                found = list(audit.faults(of))
                transaction.set_rollback(True)
            assert found == []
