"""Seasons that are over: their final tables stay as they were, whatever is corrected later."""

import io
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from scoring.groups import closing, settings
from scoring.models import SeasonPlace
from scoring.play import commands
from scoring.rules.formats import COALITION_906

from ..browsing import refusal, text, words
from ..grouped import play
from .visitors import at, browser, post

SPRING = (date(2026, 3, 1), date(2026, 5, 31))


@pytest.fixture
def spring(thursday):
    """A season that Ann won, closed."""
    for week in range(3):
        play(thursday, SPRING[0] + timedelta(7 * week), {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    season = settings.add_season(thursday, "Spring", *SPRING)
    closing.close(season)
    return season


def correct(group) -> None:
    """Let Bo have won the season: sets come in that were played then."""
    for week in range(3, 6):
        play(group, SPRING[0] + timedelta(7 * week), {"Ann": (1, 1, 1), "Bo": (20, 20, 20)})


def table(season) -> list[tuple[int | None, str, int, int]]:
    places = SeasonPlace.objects.filter(table__season=season).order_by("rank", "player__name")
    return list(places.values_list("rank", "player__name", "sets", "victory_points"))


KEPT = [(1, "Ann", 3, 63), (2, "Bo", 3, 27)]
CORRECTED = [(1, "Bo", 6, 207), (2, "Ann", 6, 72)]


@pytest.fixture
def over(spring):
    """The same season before it is closed."""
    spring.table.delete()
    return type(spring).objects.get(pk=spring.pk)


def test_until_it_is_closed_a_season_that_is_over_is_as_its_sets_give_it(thursday, over):
    where = at(thursday, "season", over.pk)
    before = words(browser(None).get(where))
    correct(thursday)
    after = words(browser(None).get(where))

    assert "Champion of Spring Ann The most VP per game, in 3 sets 7.0" in before
    assert "Champion of Spring Bo The most VP per game, in 6 sets 11.5" in after
    for shown in (before, after):
        assert "Not closed yet: corrections still change this table" in shown
        assert "Corrected since" not in shown
        assert "in progress" not in shown
        assert "so far" not in shown


def test_the_final_table_stays_and_the_page_has_both_after_a_correction(thursday, spring):
    """The archive names whoever was champion then."""
    first = spring.table.closed_at
    correct(thursday)

    kept = closing.close(spring)
    page = words(browser(None).get(at(thursday, "season", spring.pk)))
    archive = words(browser(None).get(at(thursday, "seasons_archive")))

    assert (kept.closed_at, table(spring)) == (first, KEPT)
    assert "Ann won with 7.0 VP per game" in archive
    assert "Champion of Spring Ann The most VP per game, in 3 sets 7.0" in page
    assert "Corrected since: now it would be Bo first, with 11.5 VP per game." in page


def test_an_owner_closes_a_season_again_once_there_is_a_correction(thursday, owner, spring):
    def offered(client) -> bool:
        address = at(thursday, "close_season", spring.pk)
        return address in text(client.get(at(thursday, "season", spring.pk)))

    before = [offered(client) for client in (owner, browser(None))]
    correct(thursday)
    after = [offered(client) for client in (owner, browser(None))]
    response = post(owner, thursday, "close_season", spring.pk)

    assert (before, after) == ([False, False], [True, False])
    assert response["Location"] == at(thursday, "season", spring.pk)
    assert table(spring) == CORRECTED
    assert "Corrected since" not in words(owner.get(response["Location"]))


def test_a_season_that_goes_on_can_not_be_closed(thursday, owner):
    today = timezone.localdate()
    season = settings.add_season(thursday, "Now", today, today)

    status, why = refusal(post(owner, thursday, "close_season", season.pk))

    assert status == 422
    assert re.fullmatch(r"The season lasts until .* It closes by itself after that day\.", why)
    assert table(season) == []


LAST_NIGHT = datetime(2026, 5, 31, 22, 30, tzinfo=UTC)


def clock(monkeypatch, now: datetime) -> None:
    monkeypatch.setattr(timezone, "now", lambda: now)


def test_a_season_is_not_closed_while_a_set_that_began_in_it_is_played(
    thursday, owner, over, monkeypatch
):
    goes_on = commands.create_set(COALITION_906, ["Ann", "Bo"], seed=1, playgroup=thursday)
    commands.start_game(goes_on, 1, first=1, at=LAST_NIGHT)
    clock(monkeypatch, LAST_NIGHT + timedelta(minutes=130))

    closed = closing.close_ended()
    status, why = refusal(post(owner, thursday, "close_season", over.pk))

    problem = "A set that began in the season is still being played. Finish it first."
    assert (closed, status, why) == (0, 422, problem)


@pytest.mark.parametrize(
    ("began", "now"),
    [
        (LAST_NIGHT, LAST_NIGHT + timedelta(days=1, minutes=1)),  # it was left
        (LAST_NIGHT + timedelta(hours=2), LAST_NIGHT + timedelta(hours=3)),  # after the season
    ],
)
def test_a_season_does_not_wait_for_other_sets(thursday, over, monkeypatch, began, now):
    goes_on = commands.create_set(COALITION_906, ["Ann", "Bo"], seed=1, playgroup=thursday)
    commands.start_game(goes_on, 1, first=1, at=began)
    clock(monkeypatch, now)

    assert closing.close_ended() == 1


def test_the_command_closes_each_season_that_is_over_once_and_with_other_days_anew(
    thursday, spring
):
    settings.add_season(thursday, "Far", date(2126, 6, 1), date(2126, 6, 30))
    settings.change_season(spring, "Spring 2026", *SPRING)
    assert table(spring) == KEPT
    settings.change_season(spring, "Spring 2026", SPRING[0], SPRING[0])
    assert table(spring) == []
    out = io.StringIO()

    call_command("close_seasons", stdout=out)
    call_command("close_seasons", stdout=out)

    assert out.getvalue().splitlines() == ["1 season closed", "0 seasons closed"]


def test_a_final_table_has_the_names_that_players_have_now(thursday, spring):
    thursday.players.filter(name="Ann").update(name="Former player")

    assert table(spring)[0] == (1, "Former player", 3, 63)
    assert "Ann" not in words(browser(None).get(at(thursday, "season", spring.pk)))
