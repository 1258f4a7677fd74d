"""The seasons of a playgroup: no two overlap, who won them, and final tables that stay."""

import io
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from scoring.groups.seasons import closing
from scoring.groups.settings import commands as settings
from scoring.models import Player, Playgroup, Season, SeasonPlace, SeasonTable
from scoring.record import commands, counting
from scoring.rules.formats import COALITION_906

from ...browsing import refusal, text, words
from ...grouped import play
from ...tables import unchanged
from ..evenings.pages import ask, evening, plain_text, sums
from ..visitors import at, books, browser, post


def named(of: Playgroup) -> list[tuple[str, date, date]]:
    return list(of.seasons.order_by("starts_on").values_list("name", "starts_on", "ends_on"))


@pytest.fixture
def season(thursday: Playgroup) -> Season:
    return settings.add_season(thursday, "Spring", date(2026, 3, 1), date(2026, 5, 31))


def test_an_owner_adds_changes_and_deletes_seasons_and_the_results_stay(thursday, owner, season):
    """One may begin the day after another."""
    play(thursday, date(2026, 4, 3), {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    before, day = books(), "2026-06-16"
    assert 'value="2026-05-31"' in text(owner.get(at(thursday, "edit_season", season.pk)))

    changed = {"name": "SPRING", "starts_on": "2026-03-01", "ends_on": "2026-06-15"}
    post(owner, thursday, "edit_season", season.pk, **changed)
    response = post(owner, thursday, "edit_seasons", name="Summer", starts_on=day, ends_on=day)

    assert (response.status_code, response["Location"]) == (302, at(thursday, "edit_seasons"))
    summer = ("Summer", date(2026, 6, 16), date(2026, 6, 16))
    assert named(thursday) == [("SPRING", date(2026, 3, 1), date(2026, 6, 15)), summer]
    post(owner, thursday, "edit_season", season.pk, delete=1)
    assert (named(thursday), books()) == ([summer], before)


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
def test_a_season_that_can_not_be_is_refused(thursday, owner, season, form, message):
    autumn = settings.add_season(thursday, "Autumn", date(2026, 9, 1), date(2026, 11, 30))

    with unchanged():
        answers = [
            post(owner, thursday, "edit_seasons", **LATER | form),
            post(owner, thursday, "edit_season", autumn.pk, **LATER | form),
        ]

    assert [refusal(answer) for answer in answers] == [(422, message)] * 2


# --- closing ---
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
        assert not re.search("Corrected since|in progress|so far", shown)


def test_the_final_table_stays_after_a_correction_until_an_owner_closes_it_again(
    thursday, owner, spring
):
    """The archive names whoever was champion then, as they are called now."""
    where = at(thursday, "season", spring.pk)

    def offered() -> list[bool]:
        pages = [text(client.get(where)) for client in (owner, browser(None))]
        return [at(thursday, "close_season", spring.pk) in page for page in pages]

    first, before = spring.table.closed_at, offered()
    thursday.players.filter(name="Ann").update(name="Anna")
    correct(thursday)
    kept = closing.close(spring)
    page = words(browser(None).get(where))

    assert (kept.closed_at, table(spring)) == (first, [(1, "Anna", 3, 63), (2, "Bo", 3, 27)])
    archive = words(browser(None).get(at(thursday, "seasons_archive")))
    assert "Anna won with 7.0 VP per game" in archive
    assert "Champion of Spring Anna The most VP per game, in 3 sets 7.0" in page
    assert "Corrected since: now it would be Bo first, with 11.5 VP per game." in page
    assert (before, offered()) == ([False, False], [True, False])

    response = post(owner, thursday, "close_season", spring.pk)

    assert response["Location"] == where
    assert table(spring)[0] == (1, "Bo", 6, 207)
    assert "Corrected since" not in words(owner.get(where))


LAST_NIGHT = datetime(2026, 5, 31, 22, 30, tzinfo=UTC)


def test_a_season_is_not_closed_while_it_or_a_set_that_began_in_it_goes_on(
    thursday, owner, over, monkeypatch
):
    today = timezone.localdate()
    season = settings.add_season(thursday, "Now", today, today)
    status, why = refusal(post(owner, thursday, "close_season", season.pk))
    assert re.fullmatch(r"The season lasts until .* It closes by itself after that day\.", why)
    assert (status, table(season)) == (422, [])
    goes_on = commands.create_set(COALITION_906, ["Ann", "Bo"], seed=1, playgroup=thursday)
    commands.start_game(goes_on, 1, first=1, at=LAST_NIGHT)
    monkeypatch.setattr(timezone, "now", lambda: LAST_NIGHT + timedelta(minutes=130))

    closed = closing.close_ended()
    answer = refusal(post(owner, thursday, "close_season", over.pk))

    problem = "A set that began in the season is still being played. Finish it first."
    assert (closed, answer) == (0, (422, problem))


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
    monkeypatch.setattr(timezone, "now", lambda: now)

    assert closing.close_ended() == 1


def test_the_command_closes_each_season_that_is_over_once_and_with_other_days_anew(
    thursday, spring
):
    settings.add_season(thursday, "Far", date(2126, 6, 1), date(2126, 6, 30))
    settings.change_season(spring, "Spring 2026", *SPRING)
    assert [row[1] for row in table(spring)] == ["Ann", "Bo"]
    settings.change_season(spring, "Spring 2026", SPRING[0], SPRING[0])
    assert table(spring) == []
    out = io.StringIO()

    call_command("close_seasons", stdout=out)
    call_command("close_seasons", stdout=out)

    assert out.getvalue().splitlines() == ["1 season closed", "0 seasons closed"]


@pytest.mark.parametrize("is_moved", [True, False])
def test_a_season_that_is_moved_or_deleted_meanwhile_gets_no_old_table(
    thursday, over, monkeypatch, is_moved
):
    """A season after it is closed all the same."""
    later = settings.add_season(thursday, "June", date(2026, 6, 1), date(2026, 6, 30))
    lock_group = counting.lock_group

    def change_first(group: int) -> Playgroup:
        monkeypatch.setattr(counting, "lock_group", lock_group)
        if is_moved:
            settings.change_season(over, "Spring", SPRING[1], SPRING[1])
        else:
            Season.objects.filter(pk=over.pk).delete()
        return lock_group(group)

    monkeypatch.setattr(counting, "lock_group", change_first)
    closed = closing.close_ended()

    assert closed == 1 + is_moved
    assert (table(over), SeasonTable.objects.filter(season=later).count()) == ([], 1)


# --- the archive ---
@pytest.fixture
def seasons(group):
    """March, which Ann won; April, which Ann and Bo share; a long one that goes on."""
    for day in range(3):
        evening(group, {"Ann": 9, "Bo": 4}, day=day)
    evening(group, {"Cy": 20, "Bo": 0}, day=3)
    for day in range(31, 34):
        evening(group, {"Ann": 6, "Bo": 6}, day=day)
    today = date.today()  # noqa: DTZ011 - as far as a day matters
    return [
        group.seasons.create(name=name, starts_on=first, ends_on=last)
        for name, first, last in (
            ("March", "2026-03-01", "2026-03-31"),
            ("April", "2026-04-01", "2026-04-30"),
            ("All", "2026-02-28", today + timedelta(days=9)),
            ("January", "2026-01-01", "2026-01-31"),
        )
    ]


def test_seasons_are_listed_with_their_winners_the_latest_first(group, seasons):
    """Guests win none."""

    def archive():
        lines = re.findall(r'<li class="entry">.*?</li>', text(ask(group, "seasons_archive")), re.S)
        return [plain_text(line).split(" ·")[0] for line in lines]

    assert archive() == [
        "April Ann and Bo won with 6.0 VP per game",
        "March Ann won with 9.0 VP per game",
        "All in progress Ann leads with 7.5 VP per game",
        "January No finished set counts",
    ]
    Player.objects.filter(name="Ann").update(is_guest=True)
    assert archive()[1] == "March Bo won with 3.0 VP per game"


def test_a_season_shows_its_winners_its_board_and_its_race(group, seasons):
    page, by_sets = (ask(group, "season", seasons[0].pk, sort=by) for by in ("per_game", "sets"))
    shared, empty = (words(ask(group, "season", seasons[at].pk)) for at in (1, 3))

    assert [
        [plain_text(row) for row in re.findall(r'<td class="rank">.*?</a>', text(each), re.S)]
        for each in (page, by_sets)
    ] == [["1 Ann", "2 Bo", "· Cy"], ["2 Bo", "1 Ann", "· Cy"]]
    for each in (page, by_sets):
        assert "Champion of March Ann The most VP per game, in 3 sets 9.0" in words(each)
    assert "1 March 2026 to 31 March 2026" in words(page)
    assert "day after day: Ann ahead since 2 March 2026" in words(page)
    assert "ahead since" not in shared
    assert sums(page) == {"Most improved": "Ann +150 rating", "Most sets": "Bo 4 sets"}
    assert "VP per game over time: Ann is at 9.0, Bo is at 3.0, Cy is at 20.0." in text(page)
    assert "Champions of April Ann and Bo The most VP per game 6.0" in shared
    assert "No finished set counts in these days." in empty
