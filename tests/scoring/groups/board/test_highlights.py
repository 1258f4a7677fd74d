"""A playgroup's leaderboard: who was first last, the own line, news, last sets, records, search."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest
from django.http import HttpResponse
from django.urls import reverse
from lxml.html import HtmlElement

from decks.addresses import card_address
from scoring.groups.board.leaderboard import Filters
from scoring.groups.statistics import records
from scoring.models import GameSet, Playgroup, SetFacts, SetResult
from scoring.record import commands
from scoring.rules.formats import COALITION_906, LEVELER
from scoring.rules.moves import Concede

from ...browsing import parse, words_of
from ...grouped import group as playgroup
from ...grouped import play
from ...tables import text
from ..statistics.test_teams import fall
from ..visitors import account, at, browser

MARCH = date(2026, 3, 6)
WEEK = timedelta(weeks=1)
ALL = "?season=all"


def weeks(of: Playgroup, *points: dict[str, Sequence[int]]) -> list[GameSet]:
    return [play(of, MARCH + week * WEEK, scored) for week, scored in enumerate(points)]


def board(of: Playgroup, query: str = "", part: str = "") -> HttpResponse:
    where = at(of, "board_part", part) if part else at(of, "board")
    return browser(None).get(where + query)


def part(page: HttpResponse, path: str) -> list[HtmlElement]:
    return parse(text(page)).xpath(path)


def card(page: HttpResponse, title: str) -> list[HtmlElement]:
    return part(page, f'//section[h2[text()="{title}"]]')


def links(page: HttpResponse, title: str) -> list[tuple[str, str]]:
    """Return the links of the card with a title: their words, and where they lead."""
    return [
        (words_of(link), link.get("href")) for each in card(page, title) for link in each.iter("a")
    ]


def log(table: GameSet, game: int) -> str:
    return f"{reverse('log', args=[table.code])}?game={game}"


def hero(table: GameSet, name: str, of: str) -> None:
    SetResult.objects.filter(game_set=table, player__name=of).update(hero=name)


# --- who was first last, and the own line ---
def lines(page: HttpResponse, css: str) -> list[str]:
    return [words_of(each) for each in part(page, f'//p[contains(@class,"{css}")]')]


def test_the_board_begins_with_who_was_first_on_the_last_day_of_all_its_sets(thursday):
    weeks(thursday, {"Ann": (9, 9, 9), "Bo": (6, 6, 6)})
    play(thursday, MARCH + WEEK, {"Cy": (3, 3, 3), "Bo": (2, 2, 2)})
    play(thursday, MARCH + WEEK, {"Bo": (5, 5, 5), "Ev": (4, 4, 4), "Di": (1, 1, 1)})
    # What was played before is not the last day, whenever and however often it is entered.
    for _ in range(records.LATEST):
        began = datetime(2026, 3, 6, 12, tzinfo=UTC)
        play(thursday, began, {"Bo": (1, 1, 1), "Ann": (2, 2, 2)}, until=began + 2 * WEEK)

    page = board(thursday, ALL)

    assert lines(page, "last") == ["13 March Bo 21 VP Ev 12 VP Cy 9 VP"]
    assert part(page, '//p[contains(@class,"last")]/a/@href') == [
        reverse("board_part", args=[thursday.code, "sets"])
    ]
    for other in ("?first=2026-03-06&last=2026-03-06", "?first=2026-03-14", f"{ALL}&size=4"):
        assert lines(board(thursday, other), "last") == []
    thursday.players.exclude(name="Ann").update(is_guest=True)
    assert lines(board(thursday, ALL), "last") == []


def test_all_who_were_first_on_the_last_day_are_marked_and_nobody_level_is_cut_off(thursday):
    play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (7, 7, 7), "Cy": (1, 1, 1), "Di": (1, 1, 1)})

    page = board(thursday, ALL)

    assert lines(page, "last") == ["6 March Ann 21 VP Bo 21 VP Cy 3 VP Di 3 VP"]
    assert [words_of(each) for each in part(page, '//*[@class="win"]')] == ["Ann 21 VP", "Bo 21 VP"]


def test_where_no_vp_are_given_the_last_day_goes_by_games_won(db):
    of = playgroup(ruleset=LEVELER.key)
    for _ in range(3):
        fall(of, "Ann Bo Cy", 1, 2)

    assert lines(board(of), "last")[0].endswith("Cy 3 won Ann 0 won Bo 0 won")
    assert near(of) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ann", "Your rank: 1 Nobody is ahead of you."),
        ("Bo", "Your rank: 2 46 VP in your next set pass Ann."),
        ("Cy", "Your rank: 3 Bo is next, 6.0 VP per game ahead."),
        ("Di", "You have no rank yet It takes 3 sets: you have 1."),
    ],
)
def test_who_has_an_account_sees_the_own_rank_and_who_is_next(thursday, name, told):
    points = {"Ann": (9, 9, 9), "Bo": (7, 7, 7), "Cy": (1, 1, 1)}
    weeks(thursday, points, points, points, {"Di": (2, 2, 2), "Ev": (0, 0, 0)})
    user = account(name.lower(), thursday, "member")
    thursday.players.filter(name=name).update(user=user)

    page = browser(user).get(at(thursday, "board") + ALL)

    assert lines(page, "mine") == [told]
    assert lines(board(thursday, ALL), "mine") == []


# --- since last time ---
MOVED = {"Ann": (9, 9, 9), "Bo": (6, 6, 6), "Cy": (3, 3, 3)}


def test_who_rose_is_told_with_by_how_much_and_leads_to_the_last_game_of_that_day(thursday, group):
    """Who fell is not."""
    *_, third, last = weeks(thursday, MOVED, MOVED, MOVED, {"Cy": (20, 20, 20), "Bo": (0, 0, 0)})

    assert links(board(thursday, part="news"), "Since last time") == [
        ("A record: highest set, Cy, 60 VP.", log(last, 3)),
        ("A record: most VP in a turn, Cy, 20 VP.", log(last, 1)),
        ("▴ Cy went up 1 place, to 2, past Bo.", log(last, 3)),
        ("Ann won 3 sets in a row.", log(third, 3)),
        ("Cy needs 49 VP in the next set to pass Ann.", log(last, 3)),
        ("Bo needs 55 VP in the next set to pass Cy.", log(last, 3)),
    ]
    weeks(group, MOVED, MOVED, MOVED, {"Cy": (20, 20, 20), "Di": (0, 0, 0)})
    assert "▴ Cy went up 1 place, to 2, past Bo." in sentences(group), "who did not play"


def test_who_is_new_in_the_ranking_is_told_but_not_on_its_first_day(thursday):
    pair = {"Ann": (9, 9, 9), "Bo": (6, 6, 6)}
    three = pair | {"Cy": (3, 3, 3)}
    weeks(thursday, pair, three, three)
    first_day = sentences(thursday)
    last = play(thursday, MARCH + 3 * WEEK, three)
    line = ("Cy is new in the ranking, at 3.", log(last, 3))

    assert not [words for words in first_day if "new in" in words]
    assert line in links(board(thursday, part="news"), "Since last time")


def sentences(of: Playgroup, query: str = "") -> list[str]:
    return [words for words, _ in links(board(of, query, "news"), "Since last time")]


def test_a_streak_is_told_from_two_sets_on(thursday):
    ann, bo = {"Ann": (9, 9, 9), "Bo": (0, 0, 0)}, {"Bo": (9, 9, 9), "Ann": (0, 0, 0)}
    weeks(thursday, ann, bo)
    before = [words for words in sentences(thursday, ALL) if "in a row" in words]
    play(thursday, MARCH + 2 * WEEK, bo)

    assert before == []
    assert "Bo won 2 sets in a row." in sentences(thursday, ALL)


def near(of: Playgroup) -> list[str]:
    return [words for words in sentences(of) if "needs" in words]


def test_the_three_who_need_least_are_near_but_for_more_vp_than_a_set_can_have(thursday, group):
    by_name = dict(zip(("Ann", "Bo", "Cy", "Di.", "Ev"), (8, 7, 6, 5, 4), strict=True))
    weeks(thursday, *[{name: (each,) * 3 for name, each in by_name.items()}] * 3)
    assert near(thursday) == [
        "Ev needs 25 VP in the next set to pass Di.",
        "Di. needs 28 VP in the next set to pass Cy.",
        "Cy needs 31 VP in the next set to pass Bo.",
    ]

    usual, other = {"Ann": (9, 9, 9), "Bo": (5, 5, 5)}, playgroup("Other")
    for of, last in ((group, 6), (other, 5)):
        weeks(of, usual, usual, usual | {"Bo": (5, 5, last)})
    assert near(group) == ["Bo needs 63 VP in the next set to pass Ann."]
    assert near(other) == []


# --- the last sets ---
def test_the_last_five_sets_are_cards_with_date_people_points_and_hero(thursday):
    tables = weeks(
        thursday,
        *[{"Ann": (week, week, week), "Bo": (1, 1, 1), "Cy": (0, 0, 0)} for week in range(6)],
    )
    hero(tables[5], "Krenko, Mob Boss", of="Bo")

    cards = part(board(thursday, "?size=4", "sets"), '//ul[@class="sets"]/li')

    assert [words_of(each) for each in cards] == [
        "10 April Ann 15 VP Bo Krenko, Mob Boss 3 VP Cy 0 VP",
        "3 April Ann 12 VP Bo 3 VP Cy 0 VP",
        "27 March Ann 9 VP Bo 3 VP Cy 0 VP",
        "20 March Ann 6 VP Bo 3 VP Cy 0 VP",
        "13 March Ann 3 VP Bo 3 VP Cy 0 VP",
    ]
    where = [reverse("watch", args=[table.code]) for table in tables[:0:-1]]
    first, card, *others = (href for _, href in links(board(thursday, ALL, "sets"), "Last sets"))
    assert [first, *others] == where
    assert card == card_address("Krenko, Mob Boss")
    began = datetime(2026, 5, 6, 18, tzinfo=UTC)
    table = commands.create_set(COALITION_906, ["Ann", "Bo"], at=began, playgroup=thursday)
    commands.start_game(table, 1, first=1, at=began)
    commands.record(table, 1, Concede(2), at=began + timedelta(minutes=5))
    newest, *_ = part(board(thursday, ALL, "sets"), '//ul[@class="sets"]/li')
    assert "6 May won by conceding Ann" in words_of(newest)


# --- records ---
def test_records_are_of_the_days_and_of_all_time_and_lead_to_their_game(thursday):
    early, closest, late = weeks(
        thursday,
        {"Ann": (20, 9, 4), "Bo": (4, 3, 3)},
        {"Ann": (5, 5, 5), "Bo": (5, 5, 4)},
        {"Ann": (8, 6, 6), "Bo": (3, 10, 3)},
    )
    SetFacts.objects.filter(pk=early.pk).update(minutes=125, minutes_game=2)
    SetFacts.objects.filter(pk=late.pk).update(minutes=60, minutes_game=1)

    page = board(thursday, "?first=2026-03-20&last=2026-03-20", "records")

    titles = [words_of(dt) for each in card(page, "Records") for dt in each.iter("dt")]
    assert titles == [
        "Highest set",
        "Longest streak",
        "Most VP in a turn",
        "Closest finish",
        "Longest game",
    ]
    day = "20 March 2026"
    assert links(page, "Records") == [
        (f"{day} 20 VP Ann {day}", log(late, 3)),
        ("all time 33 VP Ann 6 March 2026", log(early, 3)),
        (f"3 sets in a row Ann {day}", log(late, 3)),
        (f"{day} 10 VP Bo {day}", log(late, 2)),
        ("all time 20 VP Ann 6 March 2026", log(early, 1)),
        (f"{day} by 4 VP Ann 20, Bo 16 {day}", log(late, 3)),
        ("all time by 1 VP Ann 15, Bo 14 13 March 2026", log(closest, 3)),
        (f"{day} 1 h Ann, Bo {day}", log(late, 1)),
        ("all time 2 h 5 min Ann, Bo 6 March 2026", log(early, 2)),
    ]


@pytest.mark.parametrize("few", [records.FEW, 0], ids=["few-sets", "many-sets"])
def test_records_of_days_are_those_of_their_first_and_last_day_and_of_all_between(
    thursday, monkeypatch, few
):
    monkeypatch.setattr(records, "FEW", few)
    points = [(20, 9, 4), (8, 8, 8), (9, 9, 9), (9, 9, 9), (19, 0, 0), *[(2, 2, 2)] * 6]
    tables = weeks(thursday, *[{"Ann": scored, "Bo": (1, 1, 1)} for scored in points])
    days = Filters(first=MARCH + WEEK, last=MARCH + 3 * WEEK)

    found = records.remarkable(thursday, days)

    assert tuple(
        {kind: tables.index(each.game_set) for kind, each in best.items()}
        for best in (found.of_days, found.of_all)
    ) == (
        {"highest": 3, "streak": 3, "best_turn": 3, "margin": 1},
        {"highest": 0, "streak": 10, "best_turn": 0, "margin": 10},
    )


# --- the row of chips ---
@pytest.mark.parametrize(
    ("query", "chips"),
    [
        ("?season=all", ["All days", "Coalition", "Any table"]),
        ("?first=2026-03-06&last=2026-03-06", ["6 March 2026", "Coalition", "Any table"]),
        ("?last=2026-03-06&size=4", ["until 6 March 2026", "Coalition", "4 players"]),
        ("?first=x&format=leveler", ["Days", "Leveler", "Any table"]),
    ],
)
def test_the_chips_tell_what_is_chosen(thursday, query, chips):
    shown = part(board(thursday, query), '//details[contains(@class,"filters")]/summary/span')

    assert [words_of(chip) for chip in shown] == [*chips, "More"]


# --- the search ---
def names(page: HttpResponse) -> list[str]:
    return [words_of(each) for each in part(page, '//table[@class="board"]//tbody//th/a')]


def test_the_search_finds_players_and_keeps_what_else_is_chosen(thursday):
    play(thursday, MARCH, {"Zoë": (9, 9, 9), "Åsa": (1, 1, 1)})
    one = board(thursday, f"{ALL}&who=ZO&sort=name&size=2")
    none = board(thursday, f"{ALL}&who=nobody")

    (field,) = part(one, '//input[@name="who"]')
    assert field.get("value") == "ZO"
    assert (names(one), names(none)) == (["Zoë"], [])
    (message,) = part(none, '//p[contains(., "Nobody on this board is called")]')
    assert words_of(message) == "Nobody on this board is called “nobody”. Show everybody"
    assert len(names(board(thursday, message.xpath(".//a")[0].get("href")))) == 2


def test_three_tables_are_listed_as_being_played_and_a_tap_shows_the_rest(thursday):
    tables = []
    for number in range(5):
        tables.append(
            commands.create_set(COALITION_906, ["Ann", "Bo"], key=str(number), playgroup=thursday)
        )
        commands.start_game(tables[-1], 1, first=1)

    page = board(thursday)

    (shown,) = part(page, '//*[@id="playing"]')
    first, _, _ = shown.xpath("./ul/li")
    assert "Ann 0, Bo 0 VP in game 1" in words_of(first)
    (more,) = shown.xpath("./details")
    assert (words_of(more.find("summary")), len(more.xpath("ul/li"))) == ("2 more tables", 2)
