"""The calendar of evenings, for everybody or by a member's secret address."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar

from scoring.groups.evenings import commands as evenings
from scoring.models import CalendarLink, Playgroup
from scoring.models.people import Visibility
from scoring.rules.formats import COALITION_906
from tests.scoring.browsing import words
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account, at, browser, post
from tests.scoring.tables import tap_id, text

FRIDAY = datetime(2026, 3, 6, 18, 30, tzinfo=UTC)


@pytest.fixture
def club(db: None) -> Playgroup:
    club = group("Club; of “elves”,\nand more", zone="Europe/Berlin")
    evenings.create_evening(
        club,
        "Ünïcode, night",
        COALITION_906,
        rounds=4,
        usual_size=4,
        minutes=60,
        starts_at=FRIDAY,
    )
    return club


def events(response: Any) -> list[Any]:
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


def own_address(client: Client, of: Playgroup, tap: int = 1) -> str:
    """Create a secret address, and return it as the page shows it."""
    page = text(post(client, of, "calendar", tap_id=tap_id(tap)))
    return re.findall(r'value="http://testserver(/groups/calendar/[^"]+)"', page)[0]


def test_an_evening_is_an_event_that_a_calendar_reads(club):
    answer = Client().get(at(club, "calendar_feed"))

    (event,) = events(answer)
    where = f"http://testserver/g/{club.code}/evenings/1/"
    assert event["UID"] == f"{club.code}-1@testserver"
    assert (event.decoded("DTSTART"), event.decoded("DTEND")) == (
        FRIDAY,
        FRIDAY + timedelta(hours=4),
    )
    assert event["SUMMARY"] == f"Ünïcode, night ({club.name})"
    assert (event["URL"], event["DESCRIPTION"]) == (where, f"4 rounds of 60 minutes\n{where}")
    assert max(map(len, answer.content.split(b"\r\n"))) <= 75
    page = text(Client().get(at(club, "calendar")))
    assert f'href="webcal://testserver{at(club, "calendar_feed")}"' in page


def test_an_evening_without_a_clock_lasts_three_hours_until_its_end_is_known(club):
    evening = evenings.create_evening(
        club, "Short", COALITION_906, rounds=1, usual_size=3, starts_at=FRIDAY + timedelta(days=1)
    )
    first = events(Client().get(at(club, "calendar_feed")))[0]
    where = f"http://testserver/g/{club.code}/evenings/2/"
    assert first["DESCRIPTION"] == f"1 round\n{where}"
    assert first.decoded("DTEND") - first.decoded("DTSTART") == timedelta(hours=3)

    evenings.end_evening(evening)
    evening.refresh_from_db()
    assert evening.ended_at
    ended = events(Client().get(at(club, "calendar_feed")))[0].decoded("DTEND")
    assert ended == evening.ended_at.replace(microsecond=0)


def test_a_member_of_a_private_playgroup_has_a_secret_address_that_needs_no_sign_in(club):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    mia = browser(account("mia", club, "member"))

    where = own_address(mia, club)

    assert len(events(Client().get(where))) == 1
    assert Client().get(at(club, "calendar_feed")).status_code == 404
    assert "private" in Client().get(where)["Cache-Control"]
    key = where.split("/")[-2]
    assert key not in str(CalendarLink.objects.values())
    assert key not in text(mia.get(at(club, "calendar")))


def test_a_secret_address_ends_when_it_is_revoked_or_replaced_or_its_member_goes(club):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    user = account("mia", club, "member")
    mia = browser(user)

    def works(where: str) -> bool:
        return Client().get(where).status_code == 200

    first = own_address(mia, club, 1)
    again = own_address(mia, club, 1)
    second = own_address(mia, club, 2)
    assert (first == again, works(first), works(second)) == (True, False, True)
    post(mia, club, "revoke_calendar")
    assert not works(second)
    third = own_address(mia, club, 3)
    user.is_active = False
    user.save()
    assert not works(third)
    user.is_active = True
    user.save()
    club.memberships.get(user=user).delete()
    assert not works(third)


def test_whoever_is_no_member_has_no_secret_address(club):
    root = account("root")
    root.is_superuser = True
    root.save()

    answer = post(browser(root), club, "calendar", tap_id=tap_id(1))

    assert answer.status_code == 422
    assert "Only members have an address of their own" in words(answer)
    assert not CalendarLink.objects.exists()
