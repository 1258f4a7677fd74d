"""Wherever a set ends, who took it comes first, and everybody who played is there."""

import pytest
from django.test import Client

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats import RULESETS
from scoring.rules.moves import Concede, Draw, Lose, Win
from tests.scoring.rules.play import ANN, BO, DI, hit

from ..browsing import parse, words_of
from ..tables import address, holder, record, seat_holder, set_up, text

pytestmark = pytest.mark.django_db
PAGES = ("pad", "phone", "table")


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


def test_a_set_whose_last_game_is_drawn_says_first_who_took_it():
    pages = pages_of(drawn_third_game())

    took = "Ann takes the set Game 3: a draw, agreed. 27 VP"
    assert {name: banners(page) for name, page in pages.items()} == {name: [took] for name in PAGES}
    for page in pages.values():
        said = words_of(parse(page).get_element_by_id("main"))
        assert 0 <= said.index("Ann takes the set") < said.index("raw")


def test_everybody_who_played_stands_in_the_result_of_the_set():
    pages = pages_of(drawn_third_game(conceder=DI))

    stood = {name: standings(pages[name]) for name in ("pad", "phone")}
    assert (
        stood["pad"]
        == stood["phone"]
        == [
            "1 Ann 9 + 9 + 9 27 VP",
            "2 Bo 4 + 4 + 4 12 VP",
            "3 Cy 0 + 0 + 0 0 VP",
            "3 Di 0 0 VP",
        ]
    )
    assert sorted(words_of(post) for post in parse(pages["table"]).find_class("post")) == [
        "Ann Rank in the set 1 9 + 9 + 9 VP 27",
        "Bo Rank in the set 2 4 + 4 + 4 VP 12",
        "Cy Rank in the set 3 0 + 0 + 0 VP 0",
        "Di Rank in the set 3 0 VP 0",
    ]


def standings(page: str) -> list[str]:
    (podium,) = parse(page).find_class("podium")
    return [words_of(row) for row in podium]


def test_a_shared_set_and_a_called_set_say_so():
    shared = pages_of(drawn_third_game(equal=True))
    called = set_up(3, key="other")
    record(called, hit(ANN, BO, 3), Draw())
    commands.call_set(called)

    took = "Ann and Bo share the set Game 3: a draw, agreed. 12 VP"
    assert [banners(page) for page in shared.values()] == [[took]] * 3
    assert banners(text(Client().get(address(called, "table")))) == [
        "Ann takes the set Game 1: a draw, agreed. The set was called early. 3 VP"
    ]


def test_a_set_that_is_won_in_its_last_game_says_how():
    table = set_up(2)
    for game in (1, 2, 3):
        if game > 1:
            commands.start_game(table, game, first=ANN)
        record(table, Lose((BO,)), game=game)

    won = "Ann takes the set Game 3: Ann wins."
    assert [banner[: len(won)] for banner in banners(pages_of(table)["table"])] == [won]


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


def test_whoever_hears_the_page_hears_who_took_the_set():
    table = drawn_third_game()
    answer = holder(table).get(address(table, "score"), headers={"HX-Request": "true"})

    said = parse(text(answer)).get_element_by_id("said")
    assert words_of(said).endswith("Ann takes the set")
