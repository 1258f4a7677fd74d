"""What invented evenings leave behind is right, and what is wrong is noticed."""

import re
from collections.abc import Callable

import pytest
from django.db import transaction
from django.db.models import F

from scoring.groups import audit, set_membership
from scoring.groups.evenings import commands, queries
from scoring.models import Attendee, Evening, GameSet, Place, Playgroup, Round, RoundTable, Seat
from scoring.rules.formats import RULESETS
from tests.scoring.grouped import group

pytestmark = pytest.mark.django_db


@pytest.fixture
def of(db: None) -> Playgroup:
    """A playgroup with an evening of two rounds that have begun; nine people, so one has a bye."""
    of = group()
    evening = commands.create_evening(
        of, "Friday", RULESETS["realm-wars"], rounds=2, usual_size=4, seed=3
    )
    commands.arrive(evening, ["Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal", "Ida"])
    for _ in range(2):
        commands.begin_round(commands.draw_round(evening))
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
    counted, _ = audit._drawn(queries.read(Evening.objects.get()), sat.round, int)
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


def test_a_corrected_seat_of_an_earlier_round_is_no_fault_of_the_next(of):
    """Whoever sat at that table instead may have met somebody of the second round."""
    first = Round.objects.get(number=1)
    waited = first.places.get(table=0).player
    for table in first.tables.all():
        for seat in range(1, 5):
            with transaction.atomic():
                set_membership.take(table.game_set, of, {seat: waited.name})
                found = list(audit.faults(of))
                transaction.set_rollback(True)
            assert found == []
