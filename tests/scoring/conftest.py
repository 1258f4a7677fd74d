"""What the tests of the record and of its pages share."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring.models import GameSet

from .tables import address, holder, set_up, tap_id


@pytest.fixture
def table(db: None) -> GameSet:
    """Four players in the first game of coalition-906, Ann to begin."""
    return set_up()


@pytest.fixture
def scorer(table: GameSet) -> Client:
    """The browser of the table's scorekeeper."""
    return holder(table)


@pytest.fixture
def tap(table: GameSet, scorer: Client) -> Callable[..., HttpResponse]:
    """Post a form of the table: ``tap("hit", 1, source=1, target=2, amount=3)``.

    It has a fresh ``tap_id`` unless one is given; None leaves it out. ``htmx`` sends it as a tap
    in place.
    """
    fresh = count(1)

    def post(name: str, *args: object, htmx: bool = False, **data: Any) -> HttpResponse:
        form = {"tap_id": tap_id(next(fresh)), **data}
        headers = {"HX-Request": "true"} if htmx else {}
        return scorer.post(
            address(table, name, *args),
            {field: value for field, value in form.items() if value is not None},
            headers=headers,
        )

    return post
