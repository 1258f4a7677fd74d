"""Evenings in a playgroup's document, refused where they can't be; written and read again."""

import json
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from coalition_site.lib.untrusted import MalformedDocument
from scoring.groups.data import audit
from scoring.groups.data.exporting import export_group
from scoring.groups.data.importing import import_group
from scoring.groups.evenings import commands, queries, reseating, standings
from scoring.groups.evenings.clock import FIELDS, Change, change_clock
from scoring.groups.evenings.simulation import play_evening
from scoring.groups.people import merging
from scoring.models import Evening, Playgroup
from tests.lengths import long
from tests.scoring.grouped import group, play_one_game
from tests.scoring.groups.data.test_importing import put, written
from tests.scoring.groups.evenings.pages import NINE, night
from tests.scoring.rules.play import hit
from tests.scoring.tables import unchanged

pytestmark = pytest.mark.django_db
APRIL = datetime(2026, 4, 1, 18, tzinfo=UTC)
SIX = NINE[:6]


@pytest.fixture(scope="module")
def rows(shared_rows: Any) -> Playgroup:
    with shared_rows():
        club = group("Club")
        evening = night(club, SIX, rounds=3, minutes=50, starts_at=APRIL)
        for table in commands.begin_round(commands.pair_round(evening), at=APRIL):
            play_one_game(table.game_set, hit(1, 2, 4))
        commands.leave(evening, club.players.get(name="Ann"))
        commands.arrive(evening, ["Gast", "Hal"], as_guests=True)
        drawn = commands.pair_round(evening)
        reseating.move(drawn, club.players.get(name="Bo"), queries.BYE)
        night(club, (), usual_size=4, starts_at=APRIL + timedelta(days=2000))
        return club


@pytest.fixture
def club(rows: Playgroup, db: None) -> Playgroup:
    """A playgroup with an evening in its second round, which was changed by hand, and a plan."""
    return deepcopy(rows)


def ranks(evening: Evening) -> list[tuple[Any, ...]]:
    rows = standings.standings(queries.read_evening(evening))
    return [(one.rank, one.player.name, one.score, one.here) for one in rows]


def test_evenings_are_written_and_read_again_as_they_were_and_go_on(club):
    document = written(club)

    copy = import_group(document, None)

    begun, drawn = document["evenings"][0]["rounds"]
    assert (begun["quality"][:2], drawn["quality"]) == ([0, 0], None)
    assert (begun["byes"], drawn["byes"][-1]) == ([], "Bo")
    assert written(copy)["evenings"] == document["evenings"]
    assert [ranks(one) for one in copy.evenings.all()] == [
        ranks(one) for one in club.evenings.all()
    ]
    assert list(audit.faults(copy)) == []
    tables = commands.begin_round(commands.pair_round(copy.evenings.get(number=1)))
    assert sum(len(table.game_set.names) for table in tables) == 7
    assert list(audit.faults(copy)) == []


def test_a_round_whose_people_turned_out_to_be_one_person_comes_back_to_be_paired_again(club):
    gast, hal = club.players.filter(name__in=["Gast", "Hal"])
    merging.merge(gast, hal)
    document = written(club)

    copy = import_group(document, None)

    assert written(copy)["evenings"] == document["evenings"]
    assert list(audit.faults(copy)) == list(audit.faults(club)) == []


def test_a_round_that_begins_while_the_document_is_written_waits_for_the_next_one(club):
    evening, parts = club.evenings.get(number=1), export_group(club)
    begun = [next(parts) for _ in range(3)]  # the first set is written

    commands.begin_round(commands.pair_round(evening))
    document = json.loads("".join([*begun, *parts]))

    first, drawn = document["evenings"][0]["rounds"]
    assert (first["begun_at"], drawn["begun_at"]) == (APRIL.isoformat(), None)
    import_group(document, None)


def test_the_seed_that_scorekeepers_links_come_from_is_not_handed_out(club):
    club.evenings.update(seed=2**61 + 987_654_321)

    assert str(2**61 + 987_654_321) not in "".join(export_group(club))


def test_a_clock_that_was_changed_comes_back_as_it_is(club):
    evening = club.evenings.get(number=1)
    round = evening.rounds.get(number=1)
    for change in (Change.LONGER, Change.PAUSE, Change.STOP):
        change_clock(round, change)

    document = written(club)

    copy = import_group(document, None).evenings.get(number=1).rounds.get(number=1)
    assert [getattr(copy, name) for name in FIELDS] == [300, round.paused_at, True]
    document["evenings"][0]["rounds"][0]["clock"]["added"] = 2**31
    with unchanged(), pytest.raises(MalformedDocument, match=r"rounds\[0\].clock.added: must be"):
        import_group(document, None)


@pytest.mark.parametrize("days", [2, *long(6)])
def test_invented_evenings_of_all_formats_come_back_as_they_were(days):
    of, dice = group(), Random(7)
    for day in range(days):
        play_evening(dice, of, APRIL + timedelta(days=2 * day))
    merging.merge(of.players.first(), of.players.create(name="Somebody new"))
    document = written(of)

    copy = import_group(document, None)

    assert written(copy)["evenings"] == document["evenings"]
    assert list(audit.faults(copy)) == list(audit.faults(of)) == []


@pytest.mark.parametrize(
    ("path", "value", "wrong"),
    [
        ("name", "", ".name: must be a text"),
        ("ruleset", "chess", ".ruleset: must be one of"),
        ("rounds_planned", 0, ".rounds_planned: must be a whole number from 1 to 20"),
        ("usual_size", 9, ".usual_size: must be a whole number from 2 to 8"),
        ("minutes", 601, ".minutes: must be a whole number from 1 to 600"),
        ("starts_at", "2101-01-01T00:00Z", ".starts_at: must be a time from 1990-01-01"),
        ("ended_at", "2099-01-01T00:00Z", ".ended_at: must be a time from 1990-01-01"),
        ("people.0.name", "Zoe", ".people[0].name: must be one of Ann"),
        ("people.1.name", "Ann", ".people[1].name: appears twice"),
        ("people.0.here", 1, ".people[0].here: must be true or false"),
        ("people", [], ": round 1: "),
        ("rounds.0.begun_at", None, ".rounds[0].begun_at: must be a time in all rounds"),
        ("rounds.0.draws", 0, ".rounds[0].draws: must be a whole number from 1"),
        ("rounds.0.quality", [0, 0], ".rounds[0].quality: must have 3 items"),
        ("rounds.0.quality", [0, 1, 0], ".rounds[0].quality: must begin with a number"),
        (
            "rounds.0.quality",
            [1, 0, 0],
            ": round 1: pairs that meet again are 1, and should be 0",
        ),
        ("rounds.0.byes", ["Ann"], ".rounds[0].tables: Ann has two places"),
        ("rounds.0.tables.0.people", ["Ann"], ""),
        ("rounds.0.tables.1.number", 1, ".rounds[0].tables[1].number: appears twice"),
        ("rounds.0.tables.1.set", 0, ".rounds[0].tables[1].set: must be the place"),
        ("rounds.0.tables.1.set", -1, ".rounds[0].tables[1].set: must be the place"),
        ("rounds.0.tables.1.set", True, ".rounds[0].tables[1].set: must be the place"),
        ("rounds.0.tables.1.set", None, ": round 1: people sit at tables [1, 2], and"),
        ("rounds.1.tables.0.set", 1, ".rounds[1].tables[0].set: must be the place"),
        ("rounds", [{}] * 21, ".rounds: must have at most 20 items"),
    ],
)
def test_an_evening_that_can_not_be_is_refused_with_its_place(club, path, value, wrong):
    document = put(written(club), f"evenings.0.{path}", value)

    with unchanged(), pytest.raises(MalformedDocument) as refused:
        import_group(document, None)

    assert str(refused.value).startswith(f"evenings[0]{wrong}")
