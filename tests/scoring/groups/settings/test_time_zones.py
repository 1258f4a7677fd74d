"""A playgroup's time zone changes, and with it the days on which its sets count."""

from datetime import UTC, date, datetime, timedelta

import pytest

from scoring.groups.data import audit
from scoring.groups.seasons import closing
from scoring.groups.settings import commands as settings
from scoring.models import GameSet, Playgroup, SeasonTable, SetFacts, SetResult
from scoring.record import counting

from ...browsing import text, words
from ...grouped import group, play, ratings, tallies
from ...tables import everything
from ..visitors import at, post
from .test_house_bans import SETTINGS

EVEN = {"Ann": (1, 1, 1), "Bo": (2, 2, 2)}
MOMENTS = (
    datetime(2025, 12, 31, 18, 20, tzinfo=UTC),  # 00:05 on 1 January in Kathmandu
    datetime(2026, 3, 31, 13, 20, tzinfo=UTC),  # 00:20 on 1 April on Lord Howe, 11 hours ahead
    datetime(2026, 4, 23, 21, 59, tzinfo=UTC),  # 23:59 in Cairo, where 01:00 comes next
    datetime(2026, 4, 23, 22, 0, tzinfo=UTC),
    datetime(2026, 10, 25, 0, 30, tzinfo=UTC),  # 02:30 in Berlin, which comes twice
    datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
    datetime(2026, 10, 31, 13, 20, tzinfo=UTC),
    datetime(2026, 11, 1, 2, 40, tzinfo=UTC),  # 23:10 on the day before in St. John's
)


def played(zone: str) -> Playgroup:
    of = group(zone=zone)
    for number, began in enumerate(MOMENTS):
        points = {"Ann": (7, 7, number), "Bo": (3, 8, 3)}
        play(of, began, points, until=began + timedelta(minutes=130))
    return of


def counted(of: Playgroup) -> list[object]:
    facts = SetFacts.objects.filter(playgroup=of).order_by("game_set").values_list("played_on")
    return [*(tallies(of, span) for span in ("day", "month", "year")), list(facts), ratings(of)]


def days() -> set[date | None]:
    return set(SetResult.objects.values_list("played_on", flat=True))


def change(of: Playgroup, zone: str) -> str:
    told = settings.change_settings(of, "warn", zone=zone)
    of.refresh_from_db()
    return told


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("UTC", "Asia/Kathmandu"),
        ("Europe/Berlin", "Australia/Lord_Howe"),
        ("Africa/Cairo", "America/St_Johns"),
    ],
)
def test_all_is_counted_as_if_the_zone_had_always_been_the_new_one(db, before, after):
    of, right = played(before), played(after)
    assert counted(of) != counted(right)

    change(of, after)

    assert counted(of) == counted(right)
    assert list(audit.faults(of)) == []


def test_the_new_name_of_the_same_zone_moves_nothing(db):
    of = played("Europe/Kiev")
    before = everything()

    assert change(of, "Europe/Kyiv") == ""

    Playgroup.objects.update(zone="Europe/Kiev")
    assert everything() == before


def test_a_name_that_the_database_of_zones_lost_stands_for_utc_until_an_owner_chooses(
    thursday, owner
):
    Playgroup.objects.update(zone="Europe/Atlantis")

    play(thursday, MOMENTS[0], EVEN)

    assert days() == {date(2025, 12, 31)}
    assert owner.get(at(thursday, "board")).status_code == 200
    assert "Europe/Atlantis" not in text(owner.get(at(thursday, "settings")))
    post(owner, thursday, "settings", **SETTINGS | {"zone": "Asia/Kathmandu"})
    assert days() == {date(2026, 1, 1)}


def test_final_tables_that_the_days_would_change_are_counted_again_and_the_owner_reads_it(
    thursday, owner
):
    for began in (MOMENTS[0], MOMENTS[0] + timedelta(hours=1), MOMENTS[2]):
        play(thursday, began, EVEN)
    for name, starts, ends in (
        ("Winter", date(2025, 12, 1), date(2025, 12, 31)),
        ("Spring", date(2026, 3, 1), date(2026, 5, 31)),
    ):
        closing.close(settings.add_season(thursday, name, starts, ends))

    saved = post(owner, thursday, "settings", **SETTINGS | {"zone": "Asia/Kathmandu"})

    told = "Saved. Sets of 2 days moved to another day. The final table of Winter is counted again."
    assert told in words(owner.get(saved["Location"]))
    assert list(SeasonTable.objects.values_list("season__name", flat=True)) == ["Spring"]


def test_a_season_that_is_not_over_in_the_new_zone_is_open_again(thursday, owner, monkeypatch):
    now = datetime(2026, 5, 31, 12, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    change(thursday, "Pacific/Kiritimati")
    season = settings.add_season(thursday, "May", date(2026, 5, 1), date(2026, 5, 31))
    assert closing.is_over(season)
    closing.close(season)

    assert change(thursday, "America/Adak") == "The final table of May is counted again."

    assert closing.close_ended() == 0


def test_a_set_at_the_end_of_the_calendar_stays_on_its_day(db):
    """The first release imported any time."""
    of = group(zone="UTC")
    play(of, datetime(1, 1, 1, 1, tzinfo=UTC), EVEN)

    assert change(of, "America/New_York") == ""

    assert days() == {date(1, 1, 1)}


def test_a_set_that_was_read_before_the_change_counts_by_the_new_zone(db):
    of = group(zone="UTC")
    table = play(of, MOMENTS[0], EVEN)
    stale = GameSet.objects.select_related("playgroup").get(pk=table.pk)
    Playgroup.objects.update(zone="Asia/Kathmandu")

    counting.replace(stale, list(SetResult.objects.all()), SetFacts.objects.get())

    assert days() == {date(2026, 1, 1)}
