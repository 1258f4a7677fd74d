"""Sets that the version before counted on the day on which they ended are moved to their own."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from scoring.models import SetFacts, SetResult
from scoring.record import counting

from ..grouped import group, play
from ..tables import everything, run

NIGHT = datetime(2026, 3, 31, 20, 30, tzinfo=UTC)  # 22:30 in Berlin
LONG = timedelta(minutes=130)


@pytest.fixture
def counted_before(db):
    """Sets of two playgroups as the version before left them, and as they are to be."""
    berlin, other = group(zone="Europe/Berlin"), group("Friday group")
    for of, began in ((berlin, NIGHT), (berlin, NIGHT + LONG), (other, NIGHT)):
        play(of, began, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}, until=began + LONG)
        play(of, began - timedelta(days=1), {"Cy": (9, 9, 9), "Ann": (1, 1, 1)})
    right = contents(everything())
    for result in SetResult.objects.filter(game_set__playgroup=berlin):
        ended_on = (result.finished_at + timedelta(hours=2)).date()
        moved = {(result.player_id, result.played_on), (result.player_id, ended_on)}
        SetResult.objects.filter(pk=result.pk).update(played_on=ended_on)
        SetFacts.objects.filter(pk=result.game_set_id).update(played_on=ended_on)
        counting.count_days(moved)
    return right


def contents(rows):
    """Return the rows of all tables; tallies without their keys, which a recount renews."""
    rows["Tally"] = sorted(str({**row, "id": None}) for row in rows["Tally"])
    return rows


def migrate() -> None:
    loader = MigrationLoader(connection)
    key = next(key for key in loader.disk_migrations if key[1].endswith("days_of_sets"))
    state = loader.project_state(key)
    loader.disk_migrations[key].operations[0].code(state.apps, None)


@pytest.mark.parametrize("move", [migrate, partial(run, "verify_ledger", "--repair")])
def test_sets_of_an_older_version_are_moved_to_the_day_they_began(counted_before, move):
    assert contents(everything()) != counted_before

    move()

    moved = everything()
    assert contents(everything()) == counted_before
    migrate()
    assert everything() == moved, "they are moved once"
