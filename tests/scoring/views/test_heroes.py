"""A hero by name: typed at the table, with its type, and no deck list."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from decks.models import BanEntry, Card
from scoring.models import Seat, SetResult
from scoring.play import commands
from scoring.rules.formats import LEVELER
from scoring.rules.moves import Draw
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import register
from tests.decks.written import deck
from tests.scoring.rules.play import ANN, BO, hit

from ..browsing import Page, refusal, words
from ..tables import address, holder, record, set_up, text, unchanged

KAALIA = "Kaalia"


@pytest.fixture(autouse=True)
def _pool(db: None) -> None:
    bring_pool()


def name(client: Client, table: Any, hero: str, type: str = "", seat: Any = ANN) -> HttpResponse:
    form = {"seat": seat, "hero": hero} | ({"type": type} if type else {})
    return client.post(address(table, "seat_hero"), form)


def played(table: Any, seat: int = ANN) -> tuple[str, str]:
    table.refresh_from_db()
    stored = Seat.objects.get(game_set=table, number=seat).led_by
    assert table.hero_of(seat) == stored
    return stored


def test_a_format_without_heroes_is_404(db):
    table = set_up(ruleset=LEVELER, key="another")

    assert name(holder(table, "another"), table, HERO).status_code == 404


@pytest.mark.parametrize(
    ("hero", "type", "expected"),
    [
        ("EZURI, claw of progress", "elf", (HERO, "Elf")),
        (HERO, "", (HERO, "")),
        (KAALIA, "Angel", (KAALIA, "Angel")),
        (f" {HERO} ", "Warrior", (HERO, "Warrior")),
    ],
)
def test_a_hero_is_stored_as_its_card_prints_it(table, scorer, hero, type, expected):
    response = name(scorer, table, hero, type)

    assert (response.status_code, response["Location"]) == (302, address(table, "seat_decks"))
    assert (played(table), played(table, BO)) == (expected, ("", ""))


def test_the_only_type_of_a_hero_is_chosen(table, scorer):
    given(card("Krenko", "Legendary Creature — Human Goblin"))

    name(scorer, table, "Krenko")

    assert played(table) == ("Krenko", "Goblin")


@pytest.mark.parametrize(
    ("hero", "type", "message"),
    [
        ("Elvish Mystic", "", "Elvish Mystic is not a legendary creature, so it can’t be a hero."),
        ("Nemo", "", "Nemo has no creature type for a deck to share. Choose another hero."),
        ("Ezuri Claw", "", "No legendary creature is called “Ezuri Claw”. Did you mean one of"),
        ("Qqqq", "", "No legendary creature is called “Qqqq”. Check the spelling."),
        (KAALIA, "Human", "The coalition type may not be Human. Choose another type."),
        (KAALIA, "Elf", "Kaalia does not have the type Elf. Choose again."),
        ("", "Elf", "Name the hero as well: its types are the ones to choose from."),
        ("E" * 201, "", "That is no card’s name: it is too long."),
    ],
)
def test_what_can_not_lead_is_refused_and_changes_nothing(table, scorer, hero, type, message):
    name(scorer, table, HERO, "Elf")

    with unchanged():
        status, problem = refusal(name(scorer, table, hero, type))

    assert (status, problem.startswith(message)) == (422, True), problem


@pytest.mark.parametrize("seat", ["", 9, "x"])
def test_a_seat_that_is_not_here_is_refused(table, scorer, seat):
    with unchanged():
        assert refusal(name(scorer, table, HERO, seat=seat))[0] == 422


def test_a_misspelt_hero_comes_with_those_it_may_be_and_a_tap_on_a_type_takes_one(table, scorer):
    page = name(scorer, table, "Ezuri Claw")

    forms = [form for form in Page(text(page)).forms if form.fields.get("hero") == [HERO]]
    assert [(form.fields["seat"], form.attributes["action"]) for form in forms] == [
        (["1"], address(table, "seat_hero"))
    ]
    assert f"{HERO} Elf Warrior" in words(page)
    assert 'value="Ezuri Claw"' in text(page)


def test_what_is_typed_is_completed_in_place(table, scorer):
    where = address(table, "seat_hero")
    answer = scorer.get(where, {"hero": "kaa", "seat": BO}, headers={"HX-Request": "true"})

    assert words(answer) == "Kaalia Angel Cleric"
    assert [form.fields["seat"] for form in Page(text(answer)).forms] == [["2"]]


def test_a_hero_without_its_type_is_asked_for_it(table, scorer):
    name(scorer, table, KAALIA)

    assert "Kaalia : which type? Kaalia Angel Cleric" in words(
        scorer.get(address(table, "seat_decks"))
    )


def test_where_the_catalogue_is_empty_a_hero_stays_as_it_is_typed(table, scorer):
    BanEntry.objects.all().delete()
    Card.objects.all().delete()

    name(scorer, table, "Somebody New", "Ninja")

    assert played(table) == ("Somebody New", "Ninja")
    assert "so heroes and types are stored as you type them" in words(
        scorer.get(address(table, "seat_decks"))
    )


def test_an_empty_field_takes_the_hero_back(table, scorer):
    name(scorer, table, HERO, "Elf")
    name(scorer, table, "")

    assert played(table) == ("", "")


def test_a_deck_fills_in_its_hero_and_one_that_is_named_later_counts(table, scorer):
    name(scorer, table, KAALIA, "Angel")
    elves = register("Elves", deck("4 Elvish Mystic"))

    scorer.post(address(table, "seat_decks"), {"seat": ANN, "deck": elves.code})
    of_deck = played(table)
    name(scorer, table, HERO, "Warrior")

    assert (of_deck, played(table)) == ((HERO, "Elf"), (HERO, "Warrior"))
    name(scorer, table, "")
    assert played(table) == (HERO, "Elf")


@pytest.mark.parametrize("page", ["score", "watch", "table"])
def test_hero_and_type_are_on_the_players_row(table, scorer, page):
    before = scorer.get(address(table, page)).headers.get("ETag")
    name(scorer, table, HERO, "Elf")

    shown = scorer.get(address(table, page))

    assert f"{HERO}, Elf" in words(shown)
    assert before is None or before != shown.headers["ETag"]


def test_hero_and_type_are_on_the_result_and_corrected_there(table, scorer):
    name(scorer, table, HERO, "Elf")
    record(table, hit(ANN, BO, 3), Draw())
    commands.call_set(table)

    before = words(Client().get(address(table, "watch")))
    name(scorer, table, KAALIA, "Angel")

    assert f"Heroes and decks Ann {HERO} , Elf" in before
    assert f"Heroes and decks Ann {KAALIA} , Angel" in words(Client().get(address(table, "watch")))
    results = SetResult.objects.filter(game_set=table).exclude(hero="")
    assert list(results.values_list("hero", "coalition_type")) == [(KAALIA, "Angel")]
