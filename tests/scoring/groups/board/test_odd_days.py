"""Days and times at both ends of the calendar: shown, and never a 500."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from scoring.record import commands
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from scoring.setlog import document
from tests.scoring.rules.play import ANN

from ...tables import address

FIRST, LAST = (one.replace(tzinfo=UTC) for one in (datetime.min, datetime.max))  # noqa: DTZ901


@pytest.mark.django_db
@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Pacific/Kiritimati"])
@pytest.mark.parametrize("moment", [FIRST, LAST], ids=["first", "last"])
@pytest.mark.parametrize("name", ["watch", "log", "table", "score"])
def test_a_set_with_such_a_time_on_record_is_shown_in_every_zone(moment, zone, name):
    game = document.LoggedGame(ANN, (document.LoggedEntry(Draw(), at=moment),))
    log = document.SetLog(COALITION_906, ("Ann", "Bo"), (game,))
    table, client = commands.store_set(log, key="a-key"), Client()
    client.cookies["zone"], client.cookies[f"key-{table.code}"] = zone, "a-key"

    assert client.get(address(table, name), follow=True).status_code == 200
