"""What anybody may see: the board, the view for the middle of the table, the standings."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.corrections import Undo
from scoring.rules.formats import COALITION_2026, RULESETS
from scoring.rules.formats.conspiracy import CONSPIRACY, PutAgenda
from scoring.rules.formats.conspiracy.zone import sealed
from scoring.rules.moves import Concede, Draw, Win
from scoring.rules.results import EnterResult
from scoring.tables import finale
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import Page, parse, words, words_of
from . import address, holder, record, seat_holder, set_up, text

pytestmark = pytest.mark.django_db

HTMX = {"hx-request": "true"}


@pytest.mark.parametrize("name", ["watch", "table"])
def test_it_shows_every_player_in_and_between_games(name):
    table = set_up(5, first=None)
    names = list(table.names.values())

    before = words(Client().get(address(table, name)))
    game = commands.start_game(table, 1)
    if name == "watch":
        starts = f"{table.names[game.turn_order[0]]} starts , by the roll"
        assert starts in words(Client().get(address(table, name)))
    record(table, hit(ANN, BO, 4))
    during = words(Client().get(address(table, name)))
    record(table, Draw())
    after = words(Client().get(address(table, name)))

    assert "Game 1 begins soon" in before
    assert all(name in said for name in names for said in (during, after))
    assert "A draw" in after


def test_a_set_shows_the_day_for_which_it_counts():
    night = datetime(2026, 3, 6, 23, 50, tzinfo=UTC)
    table = commands.create_set(RULESETS["coalition-906"], ["Ann", "Bo"], at=night)
    where, days = address(table, "watch"), []

    for change in (
        lambda: None,
        lambda: commands.start_game(table, 1, first=ANN, at=night + timedelta(minutes=20)),
        lambda: record(table, EnterResult("2026-03-12", {ANN: 21, BO: 5}, ANN)),
    ):
        change()
        days += parse(text(Client().get(where))).xpath("//main//p[@class='soft']/time/@datetime")

    assert days == ["2026-03-06", "2026-03-07", "2026-03-12"]


def test_only_the_scorekeeper_is_shown_the_way_to_the_pad(table, scorer):
    where = address(table, "watch")

    assert address(table, "score") in text(scorer.get(where))
    assert address(table, "score") not in text(Client().get(where))


def test_an_open_page_gets_board_and_standings_again(table):
    record(table, hit(ANN, BO, 4))
    record(table, Draw())

    page = Page(text(Client().get(address(table, "watch"))))
    live = text(Client().get(address(table, "watch"), headers=HTMX))

    followed = [at["data-stream"] for _, at in page.tags if at.get("id") == "live"]
    assert followed == [address(table, "stream")]
    assert 'id="now-played" hx-swap-oob="true"' in live
    assert "A draw" in live
    assert 'class="podium"' in live
    assert "<html" not in live


def test_an_open_page_gets_the_standings_hears_of_corrections_and_gets_the_board_back(table):
    record(table, hit(ANN, BO, 21))
    commands.start_game(table, 2, first=CY)
    record(table, hit(BO, CY, 21), game=2)
    commands.start_game(table, 3, first=DI)
    record(table, hit(ANN, DI, 4), Draw("time"), game=3)
    where = address(table, "watch")
    whole = Client().get(where, headers=HTMX)
    said = words(whole)
    assert whole["HX-Reselect"] == "#main"
    assert "Ann takes the set" in said
    assert "Ended by: 21 VP · 21 VP · time. 3 games" in said
    assert "called early" not in said
    page = Page(text(Client().get(where)))
    (followed,) = [at for _, at in page.tags if at.get("id") == "live"]
    assert (followed["data-stream"], followed["data-fresh"]) == (
        address(table, "stream"),
        f"{where}?final",
    )
    known = HTMX | {"If-None-Match": followed["data-etag"]}
    assert Client().get(followed["data-fresh"], headers=known).status_code == 304

    record(table, Undo(2), game=3)
    answer = Client().get(followed["data-fresh"], headers=known)

    assert answer["HX-Reselect"] == "#main"
    (followed,) = [at for _, at in Page(text(answer)).tags if at.get("id") == "live"]
    assert followed["data-fresh"] == where
    assert "Game 3" in words(answer)
    assert "hx-swap-oob" not in text(answer), "it would be taken out of its page"
    assert "takes the set" not in words(answer)


def test_a_secret_that_is_revealed_after_the_end_reaches_spectators():
    table = set_up(3, ruleset=CONSPIRACY)
    secret = sealed(BO, "5f" * 16, "Hymn of the Wilds", ("Forest",))
    record(table, PutAgenda(BO, secret.seal), hit(ANN, BO, 20), hit(ANN, CY, 20))
    where = address(table, "watch") + "?final"
    known = HTMX | {"If-None-Match": Client().get(where, headers=HTMX)["ETag"]}

    record(table, secret)

    assert "names Forest" in words(Client().get(where, headers=known))


def drawn_third_game(*, conceder: int | None = None, equal: bool = False) -> GameSet:
    table = set_up(4)
    for game in (1, 2, 3):
        if game > 1:
            commands.start_game(table, game, first=ANN)
        elif conceder:
            record(table, Concede(conceder))
        record(table, hit(ANN, BO, 4 if equal else 9), hit(BO, ANN, 4), Draw(), game=game)
    return table


def pages_of(table: GameSet) -> dict[str, str]:
    return {
        "pad": text(holder(table).get(address(table, "score"))),
        "phone": text(seat_holder(table, BO).get(address(table, "seat"))),
        "table": text(Client().get(address(table, "table"))),
    }


def banners(page: str) -> list[str]:
    return [words_of(banner) for banner in parse(page).find_class("banner")]


def test_a_set_whose_last_game_is_drawn_says_first_who_took_it_and_says_it_aloud():
    pages = pages_of(table := drawn_third_game())
    answer = text(holder(table).get(address(table, "score"), headers=HTMX))

    took = "Ann takes the set By 15 VP. Game 3: a draw, agreed. 27 VP"
    assert [banners(page) for page in pages.values()] == [[took]] * 3
    for page in pages.values():
        said = words_of(parse(page).get_element_by_id("main"))
        assert 0 <= said.index("Ann takes the set") < said.index("raw")
    assert words_of(parse(answer).get_element_by_id("said")).endswith("Ann takes the set")


def test_who_missed_the_last_game_did_not_have_less_life_in_it():
    table = set_up(3, ruleset=COALITION_2026)
    record(table, hit(ANN, CY, 5), Draw())
    commands.start_game(table, 2, first=BO, turn_order=(BO, CY, ANN))
    record(table, hit(BO, CY, 5), Draw(), game=2)
    commands.start_game(table, 3, first=CY, turn_order=(CY, ANN), dropped=[BO])
    record(table, Draw(), game=3)

    shown = words(Client().get(address(table, "watch")))

    assert "As many VP as another: Ann was still in the last game." in shown


def test_everybody_who_played_stands_in_the_result_of_the_set():
    pages = pages_of(drawn_third_game(conceder=DI))

    for name in ("pad", "phone"):
        (podium,) = parse(pages[name]).find_class("podium")
        assert [words_of(row) for row in podium] == [
            "1 Ann 9 + 9 + 9 27 damage dealt 27 VP",
            "2 Bo 4 + 4 + 4 12 damage dealt 12 VP",
            "3 Cy 0 + 0 + 0 0 VP",
            "3 Di 0 conceded game 1 0 VP",
        ]
    assert sorted(words_of(post) for post in parse(pages["table"]).find_class("post")) == [
        "Ann Rank in the set 1 9 + 9 + 9 VP 27",
        "Bo Rank in the set 2 4 + 4 + 4 VP 12",
        "Cy Rank in the set 3 0 + 0 + 0 VP 0",
        "Di Rank in the set 3 0 VP 0",
    ]


def test_the_final_table_has_each_game_and_the_chart_says_where_everybody_ends():
    table = set_up(4)
    record(table, hit(BO, CY, 8), Concede(BO), hit(CY, DI, 4), hit(ANN, CY, 21))
    for game, scores in ((2, (hit(CY, ANN, 6), hit(DI, ANN, 21))), (3, (hit(CY, ANN, 2), Win(DI)))):
        commands.start_game(table, game, first=CY)
        record(table, *scores, game=game)

    page = parse(text(Client().get(address(table, "watch"))))
    rows = [[words_of(cell) for cell in row] for row in page.xpath("//main//table//tr")]
    assert rows == [
        ["Rank", "Player", "Game 1", "Game 2", "Game 3", "Total"],
        ["1", "Di 21 damage dealt", "0", "won with 21", "won with 21", "42"],
        ["2", "Ann 21 damage dealt", "won with 21", "0", "0", "21"],
        ["3", "Cy 12 damage dealt", "4", "6", "2", "12"],
        [
            *("4", "Bo conceded game 1 · 8 damage dealt", "8 voided, 0"),
            *("– not played", "– not played", "0"),
        ],
    ]
    assert page.xpath("//svg/@aria-label") == [
        "Victory points over the set: Di ends at 42, Ann ends at 21, Cy ends at 12, Bo ends at 0."
    ]


def test_every_phone_shows_at_the_end_of_a_set_what_decided_it():
    table = drawn_third_game()
    pages = pages_of(table) | {"watch": text(Client().get(address(table, "watch")))}

    decided = "Ann was ahead for good since event 1 of game 1: Ann hits Bo for 9, combat."
    for name in ("pad", "phone", "watch"):
        page = parse(pages[name])
        assert [words_of(notice) for notice in page.find_class("notice")].count(decided) == 1
        assert [words_of(race) for race in page.xpath("//figure[svg]/figcaption")] == ["The race"]
        assert page.xpath("//a[@download]/@download") == ["Final standings.png"]


def test_a_player_sees_between_games_how_the_set_stands_and_who_starts_next():
    table = set_up(3)
    record(table, hit(ANN, BO, 3), hit(BO, ANN, 1), Draw())

    page = parse(pages_of(table)["phone"])

    (podium,) = page.find_class("podium")
    assert [words_of(row) for row in podium] == ["1 Ann 3 3 VP", "2 Bo 1 1 VP", "3 Cy 0 0 VP"]
    assert "Cy has the lowest standing and chooses who starts game 2." in words_of(page)


def test_a_shared_set_and_a_called_set_say_so():
    shared = pages_of(drawn_third_game(equal=True))
    called = set_up(3, key="other")
    record(called, hit(ANN, BO, 3), Draw())
    commands.call_set(called)

    took = "Ann and Bo share the set Game 3: a draw, agreed. 12 VP"
    assert [banners(page) for page in shared.values()] == [[took]] * 3
    assert banners(text(Client().get(address(called, "table")))) == [
        "Ann takes the set By 3 VP. Game 1: a draw, agreed. The set was called early. 3 VP"
    ]


def test_between_games_the_game_comes_first_as_before():
    table = set_up(3)
    record(table, hit(ANN, BO, 3), Draw())

    pages = pages_of(table)

    drawn = ["A draw Agreed. Nobody gets a bonus. Everybody keeps their VP."]
    assert (banners(pages["pad"]), banners(pages["table"])) == (drawn, [])


@pytest.mark.parametrize(
    ("ruleset", "end", "title"),
    [
        ("leveler", Draw(), "Ann, Bo, Cy and Di draw"),
        ("leveler", Win(ANN), "Ann wins"),
        ("realm-wars", Win(ANN), "Ann and Bo win"),
        ("conspiracy", Win(ANN), "Ann wins"),
    ],
)
def test_formats_of_one_game_say_who_won_on_the_table_as_well(ruleset, end, title):
    table = set_up(4, ruleset=RULESETS[ruleset])
    record(table, end)

    for page in pages_of(table).values():
        assert [banner[: len(title)] for banner in banners(page)] == [title]


@pytest.mark.parametrize(
    ("minutes", "words"), [(0.9, "0 min"), (59, "59 min"), (60, "1 h 0 min"), (125, "2 h 5 min")]
)
def test_how_long_a_set_took_is_said_in_hours_and_minutes(minutes, words):
    begin = datetime(2026, 3, 6, 18, tzinfo=UTC)

    assert finale.elapsed(begin, begin + timedelta(minutes=minutes)) == words
