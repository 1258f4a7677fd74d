"""Selects put together once: the same objects as Django's, by whatever connection."""

from typing import Any

import pytest
from django.db.models import F, Model

from coalition_site.lib.prepared import PreparedSelect
from scoring.models import Seat
from tests.scoring.grouped import group
from tests.scoring.tables import set_up

SEATS = PreparedSelect(
    lambda key, most: (
        Seat.objects.select_related("game_set__playgroup")
        .filter(game_set=key, number__lte=most)
        .annotate(after=F("number") + 1)
        .order_by("-number")
    )
)


def values(row: Model) -> dict[str, Any]:
    """Return the columns of a row, and of the rows that were selected along with it."""
    related = {name: one and values(one) for name, one in row._state.fields_cache.items()}
    return {name: value for name, value in vars(row).items() if name != "_state"} | related


@pytest.mark.parametrize("in_group", [False, True])
@pytest.mark.django_db
def test_the_objects_have_all_that_django_selects(in_group, django_assert_num_queries):
    table = set_up()
    if in_group:
        table.playgroup = group()
        table.save()

    with django_assert_num_queries(1):
        seats = SEATS.all(table.pk, 3)

    assert [values(seat) for seat in seats] == [values(seat) for seat in SEATS.build(table.pk, 3)]
    assert [seat.number for seat in seats] == [3, 2, 1]
    assert SEATS.all(0, 3) == []
    assert SEATS.only(table.pk, 1) == table.seats.get(number=1)
    assert SEATS.only(table.pk, 0) is None
