"""The seasons of a playgroup: no two overlap, and results stay whatever becomes of them."""

from datetime import date

import pytest

from scoring.groups import settings
from scoring.models import Playgroup, Season

from ..browsing import refusal, text, words
from ..grouped import group, play
from ..tables import unchanged
from .visitors import at, books, post

SPRING = {"name": "Spring", "starts_on": "2026-03-01", "ends_on": "2026-05-31"}


def seasons(of: Playgroup) -> list[tuple[str, date, date]]:
    return list(of.seasons.order_by("starts_on").values_list("name", "starts_on", "ends_on"))


@pytest.fixture
def spring(thursday: Playgroup) -> Season:
    return settings.add_season(thursday, "Spring", date(2026, 3, 1), date(2026, 5, 31))


def test_an_owner_changes_a_season(thursday, owner, spring):
    changed = SPRING | {"name": "SPRING", "ends_on": "2026-06-15"}

    assert 'value="2026-05-31"' in text(owner.get(at(thursday, "edit_season", spring.pk)))
    post(owner, thursday, "edit_season", spring.pk, **changed)

    assert seasons(thursday) == [("SPRING", date(2026, 3, 1), date(2026, 6, 15))]


def test_a_season_that_is_deleted_leaves_the_results(thursday, owner, spring):
    play(thursday, date(2026, 4, 3), {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    before = books()

    post(owner, thursday, "edit_season", spring.pk, delete=1)

    assert seasons(thursday) == []
    assert books() == before


def test_an_owner_adds_a_season_which_may_begin_the_day_after_another(thursday, owner, spring):
    day = "2026-06-01"
    response = post(owner, thursday, "edit_seasons", name="Summer", starts_on=day, ends_on=day)

    assert (response.status_code, response["Location"]) == (302, at(thursday, "edit_seasons"))
    assert seasons(thursday)[1:] == [("Summer", date(2026, 6, 1), date(2026, 6, 1))]


OVERLAP = "It would overlap Spring, from 1 March 2026 to 31 May 2026. Choose other days."
TAKEN = "There is already a season called {}. Choose another name."
OUT_OF_RANGE = "{} is out of range: it must be from 1990-01-01 to 2100-12-31."
LATER = {"name": "Summer", "starts_on": "2026-06-01", "ends_on": "2026-08-31"}


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"starts_on": "2026-05-31"}, OVERLAP),
        ({"starts_on": "2026-03-02", "ends_on": "2026-03-03"}, OVERLAP),
        ({"starts_on": "2026-01-01", "ends_on": "2026-08-31"}, OVERLAP),
        ({"starts_on": "2026-01-01", "ends_on": "2026-03-01"}, OVERLAP),
        ({"name": "Spring"}, TAKEN.format("Spring")),
        ({"name": "sPRING"}, TAKEN.format("sPRING")),
        ({"name": "ＳＰＲＩＮＧ"}, TAKEN.format("ＳＰＲＩＮＧ")),
        ({"name": " "}, "Give the season a name."),
        (
            {"ends_on": "2026-05-31", "starts_on": "2026-06-01"},
            "A season can’t end before it starts. Change one of its days.",
        ),
        ({"starts_on": "1 June"}, "The first day is not a date: write it like 2026-03-09."),
        ({"ends_on": ""}, "The last day is not a date: write it like 2026-03-09."),
        ({"starts_on": "0001-01-01"}, OUT_OF_RANGE.format("0001-01-01")),
        ({"ends_on": "9999-12-31"}, OUT_OF_RANGE.format("9999-12-31")),
    ],
)
def test_a_season_that_can_not_be_is_refused(thursday, owner, spring, form, message):
    autumn = settings.add_season(thursday, "Autumn", date(2026, 9, 1), date(2026, 11, 30))

    with unchanged():
        answers = [
            post(owner, thursday, "edit_seasons", **LATER | form),
            post(owner, thursday, "edit_season", autumn.pk, **LATER | form),
        ]

    assert [refusal(answer) for answer in answers] == [(422, message)] * 2


def test_seasons_of_other_playgroups_are_in_nobodys_way(thursday, owner, spring):
    other = group()

    settings.add_season(other, "Spring", date(2026, 3, 1), date(2026, 5, 31))

    assert seasons(other) == seasons(thursday)


def test_after_a_refusal_the_form_keeps_what_was_typed(thursday, owner, spring):
    page = post(owner, thursday, "edit_seasons", **LATER | {"starts_on": "2026-05-31"})

    assert 'value="Summer"' in text(page)
    assert 'value="2026-05-31"' in text(page)
    assert "Spring: 1 March 2026 to 31 May 2026" in words(page)
