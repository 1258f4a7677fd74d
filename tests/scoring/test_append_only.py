"""The database itself refuses to change the record."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from scoring import commands
from scoring.models import EventRow, LedgerRow
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import DealDamage, Hit, Kind


@pytest.fixture
def _one_hit(db: None) -> None:
    table = commands.create_set(COALITION_906, ["Ann", "Bo"])
    commands.start_game(table, 1)
    hit = Hit(source=1, target=2, amount=3, kind=Kind.COMBAT)
    commands.record(table, 1, DealDamage((hit,)))


@pytest.mark.usefixtures("_one_hit")
@pytest.mark.parametrize(("model", "column"), [(EventRow, "seq"), (LedgerRow, "dealt")])
def test_a_row_of_the_record_can_be_neither_changed_nor_deleted(model, column):
    rows = list(model.objects.values())

    for tamper in (
        lambda: model.objects.update(**{column: 9}),
        lambda: model.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            tamper()

    assert list(model.objects.values()) == rows
