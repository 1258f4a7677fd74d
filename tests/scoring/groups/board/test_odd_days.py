"""Days and times at both ends of the calendar: refused with words, or shown, and never a 500."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from scoring.record import commands
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from scoring.setlog import document
from tests.scoring.rules.play import ANN

from ...tables import address
from ..visitors import at

FIRST, LAST = "0001-01-01", "9999-12-31"
UTC_FIRST, UTC_LAST = (one.replace(tzinfo=UTC) for one in (datetime.min, datetime.max))  # noqa: DTZ901
ZONES = ("Etc/GMT+12", "Pacific/Kiritimati")


def abroad(zone: str) -> Client:
    """Return the browser of a visitor in a zone, which answers a 500 like any other status."""
    client = Client(raise_request_exception=False)
    client.cookies["zone"] = zone
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("moment", [UTC_FIRST, UTC_LAST], ids=["first", "last"])
@pytest.mark.parametrize("name", ["watch", "log", "table", "score"])
def test_a_set_with_such_a_time_on_record_is_shown_in_every_zone(moment, zone, name):
    game = document.LoggedGame(ANN, (document.LoggedEntry(Draw(), at=moment),))
    log = document.SetLog(COALITION_906, ("Ann", "Bo"), (game,))
    table, client = commands.store_set(log, key="a-key"), abroad(zone)
    client.cookies[f"key-{table.code}"] = "a-key"

    assert client.get(address(table, name), follow=True).status_code == 200


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day", [FIRST, LAST])
def test_pages_answer_a_request_for_an_odd_day(thursday, zone, day):
    client = abroad(zone)

    asked = [
        client.get(at(thursday, "board"), query).status_code
        for query in ({"first": day}, {"last": day}, {"first": FIRST, "last": LAST})
    ]
    bans = client.get(reverse("bans"), {"on": day}).status_code

    assert (asked, bans) in (([200] * 3, 200), ([200] * 3, 422))
