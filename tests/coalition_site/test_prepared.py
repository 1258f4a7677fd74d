"""Selects put together once: the same objects as Django's, by whatever connection."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db.models import F, Model, Q

from coalition_site.lib.prepared import PreparedSelect
from scoring.models import Season, Seat
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


@pytest.mark.django_db
def test_a_parameter_goes_wherever_the_queryset_has_it_and_constants_stay():
    table = set_up()
    names = PreparedSelect(
        lambda number, key: (
            Seat.objects.filter(game_set=key)
            .filter(Q(number=number) | Q(number=1))
            .order_by("number")
            .values_list("name", "number")
        )
    )

    [ann, cy] = table.seats.filter(number__in=(1, 3)).order_by("number")
    assert names.all(3, table.pk) == [(ann.name, 1), (cy.name, 3)]
    assert names.all(1, table.pk) == [(ann.name, 1)]


@pytest.mark.django_db
def test_days_and_times_are_parameters_as_well():
    thursday = group()
    Season.objects.create(
        playgroup=thursday, name="May", starts_on=date(2026, 5, 1), ends_on=date(2026, 5, 31)
    )
    on = PreparedSelect(
        lambda day, created: Season.objects.filter(
            starts_on__lte=day, ends_on__gte=day, playgroup__created_at__lte=created
        )
    )
    now, before = thursday.created_at, thursday.created_at - timedelta(microseconds=1)

    assert [season.name for season in on.all(date(2026, 5, 31), now)] == ["May"]
    assert on.all(date(2026, 6, 1), now) == on.all(date(2026, 5, 31), before) == []
