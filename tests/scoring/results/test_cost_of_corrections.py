"""A correction of an old set writes what it touches, after many sets by as many statements.

Ratings are a chain, so that all later ones change with a rank; they are written by one statement.
"""

from datetime import date, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scoring.groups import audit
from scoring.models import GameSet, Playgroup, SetFacts, SetResult
from scoring.play import commands
from scoring.results import streaks
from scoring.rules.corrections import Amend, Entry, Strike
from tests.lengths import long

from ..grouped import group, play
from ..rules.play import hit
from ..views.test_query_counts import TRANSACTION

JANUARY, WEEK = date(2026, 1, 9), timedelta(weeks=1)
ANN_WINS, BO_WINS = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}, {"Ann": (1, 1, 1), "Bo": (9, 9, 9)}
CORRECTIONS: dict[str, tuple[int, Entry]] = {
    "points": (1, Amend(1, hit(1, 2, 9))),
    "ranks": (1, Amend(2, hit(2, 1, 20))),
    "opens it again": (3, Strike(3)),
}


def play_weeks(of: Playgroup, weeks: range) -> None:
    """Play a set each week, of which Bo wins each fifth."""
    for week in weeks:
        play(of, JANUARY + week * WEEK, BO_WINS if week % 5 == 4 else ANN_WINS)


def correct(table: GameSet, game: int, entry: Entry) -> tuple[int, set[int], set[int]]:
    """Correct a set, and take it back. Return the number of statements, and the sets of which
    results, apart from ratings, and facts were changed."""
    with transaction.atomic():
        before = rows()
        with CaptureQueriesContext(connection) as captured:
            commands.record(GameSet.objects.get(pk=table.pk), game, entry)
        changed = [now ^ was for now, was in zip(rows(), before, strict=True)]
        assert list(audit.faults(table.playgroup)) == []
        transaction.set_rollback(True)
    statements = sum(not query["sql"].startswith(TRANSACTION) for query in captured)
    of_results, of_facts = ({row[0] for row in some} for some in changed)
    return statements, of_results, of_facts


def rows() -> list[set[tuple[object, ...]]]:
    fields = [field.attname for field in SetResult._meta.fields]
    fixed = sorted(set(fields) - {"id", "mu", "sigma", "game_set_id"})
    results = SetResult.objects.values_list("game_set_id", *fixed)
    return [set(results), set(SetFacts.objects.values_list())]


@pytest.mark.parametrize("what", ["ranks", *long("points", "opens it again")])
def test_an_old_set_is_corrected_by_as_many_statements_after_many_sets(db, monkeypatch, what):
    monkeypatch.setattr(streaks, "BATCH", 2)  # so that few rows more are a statement more
    of = group()
    play_weeks(of, range(7))
    table = of.sets.earliest("finished_at")
    game, entry = CORRECTIONS[what]

    few = correct(table, game, entry)
    play_weeks(of, range(7, 40))
    many = correct(table, game, entry)

    assert few == many
    # Ann's streak of four began with this set. Bo's win in the fifth ends it either way.
    touched = 1 if what == "points" else 4
    assert many[1] == many[2] == set(of.sets.order_by("pk").values_list("pk", flat=True)[:touched])
