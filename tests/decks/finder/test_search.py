"""The card finder: which cards a deck of a type, or around a hero, can play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from decks.finder import names as finder_names
from decks.finder import search
from decks.finder.search import Search
from decks.models import BanEntry, BanList, Card
from tests.scoring.tables import on_one_line

from ..cards import given, record

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
UNKNOWN = {"vintage": "not_legal", "legacy": "not_legal"}
QUERIES_MAX = 4  # the numbers of cards, twice, and of ban lists, and the hero
QUERIES_AT_FIRST = 7  # more, in a process that has not seen the cards since they changed


@pytest.fixture
def pool() -> None:
    """A few cards of each sort."""
    given(
        record("Llanowar Elves", mana_cost="{G}", cmc=1.0),
        record("Goblin Guide", "Creature — Goblin Scout", mana_cost="{R}", cmc=1.0),
        record("Elvish Fury", "Instant", "Target Elf gets +4/+4.", mana_cost="{4}{G}", cmc=5.0),
        record("Cryptic Cave", "Land"),
        record("Éowyn’s Oath", "Sorcery", mana_cost="{2}{W/U}", cmc=3.0),
        record("Lathril", "Legendary Creature — Elf Noble", cmc=4.0),
        record("Kaalia", "Legendary Creature — Human Cleric", "Put an Angel onto the battlefield."),
        record("Rose", "Legendary Creature — Human"),
        record("Serra", "Creature — Angel"),
        record("Villager", "Creature — Human"),
        record("Changeling", "Creature — Shapeshifter", "Changeling"),
        record("Karn's Vault", "Legendary Land"),
        record("Silver Elf", legalities=UNKNOWN),
        record("Frankie", "Legendary Creature — Elf", legalities=UNKNOWN),
    )


def names(**said: Any) -> list[str]:
    """Return what a search finds today, as listed."""
    return [row.card.name for row in search.find(Search(**said), timezone.localdate()).rows]


def ask(htmx: bool = False, **said: Any) -> HttpResponse:
    return Client(headers=HTMX if htmx else {}).get(reverse("finder"), said)


def text(response: HttpResponse) -> str:
    return unescape(on_one_line(response.content.decode()))


def listed(response: HttpResponse) -> list[str]:
    return re.findall("<h3>(.*?)</h3>", text(response))


def problems(response: HttpResponse) -> list[str]:
    """Return what is told beneath the form, with what is offered."""
    found = text(response).split('id="found"')[1]
    told = re.findall(r'role="alert">.*?<p>(.*?)</p>', found, re.DOTALL)
    return [*told, *re.findall(r'<a class="btn" href="[^"]*">(.*?)</a>', found)]


def ban(status: str = "banned", **what: Any) -> BanEntry:
    """Enter something in the list of the format since yesterday."""
    yesterday = timezone.localdate() - timedelta(days=1)
    ban_list = BanList.objects.get(key="coalition")
    return BanEntry.objects.create(
        ban_list=ban_list, status=status, **{"starts_on": yesterday} | what
    )


def card(name: str) -> Card:
    return Card.objects.get(name=name)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({}, ["Changeling", "Elvish Fury", "Lathril", "Llanowar Elves"]),
        ({"fit": "unaffiliated"}, ["Cryptic Cave", "Éowyn’s Oath"]),
        (
            {"fit": "both"},
            [
                "Changeling",
                "Cryptic Cave",
                "Elvish Fury",
                "Éowyn’s Oath",
                "Lathril",
                "Llanowar Elves",
            ],
        ),
        ({"kind": "heroes"}, ["Lathril"]),
        ({"kind": "heroes", "fit": "both"}, ["Lathril"]),
        ({"kind": "creatures"}, ["Changeling", "Lathril", "Llanowar Elves"]),
        ({"kind": "spells"}, ["Elvish Fury"]),
        ({"kind": "lands"}, []),
        ({"kind": "lands", "fit": "both"}, ["Cryptic Cave"]),
        ({"sort": "mana"}, ["Changeling", "Llanowar Elves", "Lathril", "Elvish Fury"]),
        (
            {"legal": "all"},
            ["Changeling", "Elvish Fury", "Frankie", "Lathril", "Llanowar Elves", "Silver Elf"],
        ),
    ],
)
def test_a_type_finds_what_its_decks_can_play(pool, said, found):
    assert names(types=["Elf"], **said) == found


def test_a_hero_finds_what_fits_a_type_of_it_other_than_human(pool):
    assert listed(ask(hero="Kaalia")) == ["Changeling", "Kaalia", "Serra"]


@pytest.mark.parametrize("said", ["Angel", "angel", "ANGELS"])
def test_a_type_is_taken_in_any_case_and_in_the_plural(pool, said):
    assert listed(ask(type=said)) == ["Changeling", "Kaalia", "Serra"]


def test_a_hero_and_one_of_its_types_find_what_that_deck_can_play(pool):
    assert listed(ask(hero="kaalia", type="cleric")) == ["Changeling", "Kaalia"]


def test_a_hero_of_every_type_finds_all_but_what_is_human_alone(pool):
    given(record("Morophon", "Legendary Creature — Shapeshifter", "Changeling"))

    found = names(types=finder_names.find_hero("morophon", ["Angel", "Elf", "Human"]).types)

    assert "Villager" not in found
    assert {"Serra", "Llanowar Elves", "Changeling"} <= set(found)


def test_heroes_are_those_that_can_be_of_some_type(pool):
    """Rose is a Human and nothing else; a legendary land leads no deck and is in none."""
    assert names(kind="heroes") == ["Kaalia", "Lathril"]
    assert "Karn's Vault" not in names()
    assert "Karn's Vault" in names(legal="all")


@pytest.mark.parametrize("said", ["eowyns", "ÉOWYN'S", "oath eow", "Eowyn’s oath", "éowyn`s"])
def test_names_are_found_without_regard_to_case_accents_and_apostrophes(pool, said):
    assert names(name=said) == ["Éowyn’s Oath"]


@pytest.mark.parametrize("said", ["%", "_", "\\", "elf elf elf zzz", "'; drop table"])
def test_signs_of_the_database_in_a_name_are_letters(pool, said):
    assert names(name=said) == []


def test_what_is_banned_today_is_not_legal(pool):
    ban(card=card("Llanowar Elves"))
    ban(card=card("Lathril"), starts_on=timezone.localdate() + timedelta(days=1))
    ban(card=card("Changeling"), ends_on=timezone.localdate())
    ban("watched", card=card("Elvish Fury"))

    assert names(types=["Elf"]) == ["Changeling", "Elvish Fury", "Lathril"]


def test_what_a_batch_rule_bans_is_not_legal_unless_its_own_entry_allows_it(pool):
    given(record("Elf Lord", reserved=True), record("Elf King", reserved=True))
    named = ban(rule="named")
    named.cards.set([card("Llanowar Elves")])
    ban(rule="reserved-list")
    ban("allowed", card=card("Elf King"))
    ban("allowed", card=card("Silver Elf"))

    assert names(types=["Elf"], kind="creatures") == [
        "Changeling",
        "Elf King",
        "Lathril",
        "Silver Elf",
    ]


def test_a_list_that_allows_what_another_entry_bans_agrees_with_judging(pool):
    """The entries of single cards go before rules, whatever these say."""
    ban(card=card("Llanowar Elves"))
    ban("allowed", rule="named").cards.set([card("Llanowar Elves"), card("Silver Elf")])

    assert names(types=["Elf"], kind="creatures") == ["Changeling", "Lathril", "Silver Elf"]


def test_each_row_says_what_there_is_to_know(pool):
    ban("watched", card=card("Éowyn’s Oath"), reason="Too good.")
    ban(card=card("Elvish Fury"), reason="Too bad.")

    rows = {
        row.card.name: row for row in search.find(Search(legal="all"), timezone.localdate()).rows
    }

    oath = rows["Éowyn’s Oath"]
    assert (oath.cost, oath.types) == ("2(W/U)", "Unaffiliated")
    assert [(flag.word, flag.why) for flag in oath.flags] == [("Watched", "Too good.")]
    assert [flag.why for flag in rows["Elvish Fury"].flags] == ["Too bad."]
    assert rows["Changeling"].types == "All types"
    assert rows["Kaalia"].types == "Angel, Cleric, Human"
    assert [flag.word for flag in rows["Frankie"].flags] == ["Not in the pool", "Hero"]
    assert [flag.word for flag in rows["Karn's Vault"].flags] == ["Legendary"]


def test_the_page_shows_the_list_the_number_and_the_form_as_it_was(pool):
    page = ask(type="elf", kind="creatures", sort="mana")

    assert page.status_code == 200
    assert listed(page) == ["Changeling", "Llanowar Elves", "Lathril"]
    assert "3 creatures of the type Elf" in text(page)
    assert "2 unaffiliated" not in text(page)  # there is no such creature
    assert 'value="elf"' in text(page)
    assert '<option value="mana" selected>' in text(page)
    assert "<option>Goblin</option>" in text(page)


def test_the_page_offers_the_unaffiliated_cards_of_a_type(pool):
    assert "2 unaffiliated cards fit every type" in text(ask(type="Elf"))


def test_a_list_goes_on_page_by_page(pool, monkeypatch):
    monkeypatch.setattr(search, "PAGE", 2)

    pages = [ask(type="Elf", page=number) for number in (1, 2)]

    assert [listed(page) for page in pages] == [
        ["Changeling", "Elvish Fury"],
        ["Lathril", "Llanowar Elves"],
    ]
    assert ["More: page 2 of 2" in text(page) for page in pages] == [True, False]
    assert 'href="/cards/?type=Elf&page=2"' in text(pages[0])
    assert all("4 cards of the type Elf" in text(page) for page in pages)


def test_htmx_is_given_the_list_alone_and_the_address_to_show(pool):
    part = ask(htmx=True, type="elf", hero="", kind="", name="")

    assert text(part).lstrip().startswith('<section class="card" id="found"')
    assert part["HX-Replace-Url"] == "/cards/?type=elf"
    assert "HX-Request" in part["Vary"]
    assert "<html" in text(ask(type="elf"))


def test_going_back_is_given_the_whole_page(pool):
    headers = HTMX | {"HX-History-Restore-Request": "true"}

    assert "<html" in text(Client(headers=headers).get(reverse("finder")))


def test_a_further_page_keeps_the_address(pool):
    assert "HX-Replace-Url" not in ask(htmx=True, page=2)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"type": "Elv"}, ["There is no creature type “Elv”.", "Elf"]),
        ({"type": "Gobl"}, ["There is no creature type “Gobl”.", "Goblin"]),
        ({"type": "human"}, ["The coalition type may not be Human. Choose another type."]),
        ({"hero": "Kaal"}, ["No legendary creature is called “Kaal”.", "Kaalia"]),
        ({"hero": "Lathrill"}, ["No legendary creature is called “Lathrill”.", "Lathril"]),
        (
            {"hero": "serra"},
            ["Serra is not a legendary creature, so it can't be a hero. Choose another."],
        ),
        ({"hero": "Rose"}, ["Rose has no creature type for a deck to share. Choose another hero."]),
        (
            {"hero": "Kaalia", "type": "Elf"},
            ["Kaalia does not have the type Elf.", "Angel", "Cleric"],
        ),
        ({"kind": "dogs"}, ["“dogs” can't be chosen here. Choose again."]),
        ({"name": "x" * 10_000}, ["That is too long: 200 characters at most."]),
        ({"type": "x" * 10_000}, ["That is too long: 200 characters at most."]),
        ({"hero": "x" * 10_000}, ["That is too long: 200 characters at most."]),
        ({"name": "\0"}, ["Null characters are not allowed."]),
        *(
            ({"page": page}, ["There is no such page. Go back to the first page."])
            for page in ("0", "-1", "x", "1.5", "9" * 99)
        ),
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_an_impossible_search_is_refused_with_the_reason(pool, said, told, htmx):
    page = ask(htmx=htmx, **said)

    assert page.status_code == 422
    assert problems(page)[: len(told)] == told


def test_the_form_stays_filled_in_when_the_search_is_refused(pool):
    page = text(ask(type="Elv", hero="Kaal", name="y" * 10_000, kind="lands"))

    assert all(f'value="{said}"' in page for said in ("Elv", "Kaal", "y" * 10_000))
    assert '<option value="lands" selected>' in page


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"name": "zzz"}, "Try fewer words, or only a part of the name."),
        ({"name": "silver"}, "Search all cards"),
        ({"page": 7}, "There is only one page."),
    ],
)
def test_an_empty_result_helps(pool, said, told):
    page = ask(**said)

    assert (page.status_code, listed(page)) == (200, [])
    assert told in text(page)


def test_an_empty_catalogue_is_announced():
    assert "No card has been imported yet." in text(ask())


def test_what_was_typed_is_shown_as_text(pool):
    page = ask(hero="<script>alert(1)</script>", name='"><b>')

    assert "<script>alert" not in page.content.decode()
    assert '"><b>' not in page.content.decode()


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_a_wrong_method_is_405(method):
    assert getattr(Client(), method)(reverse("finder")).status_code == 405


def costs() -> Iterator[int]:
    """Yield how many queries some searches take in a process that has answered them before."""
    for said in (
        {},
        {"type": "Elf", "fit": "both"},
        {"hero": "Kaalia", "legal": "all"},
        {"hero": "Kaalia", "type": "Angel", "sort": "mana", "page": 2},
        {"hero": "Nobody at all"},
        {"name": "zzz"},
    ):
        ask(**said)
        with CaptureQueriesContext(connection) as captured:
            ask(**said)
        yield len(captured)


def test_the_number_of_queries_does_not_grow_with_the_catalogue(pool):
    ban(rule="reserved-list")
    few = list(costs())
    given(*(record(f"Angel {number}", "Creature — Angel") for number in range(200)))
    for number in range(50):
        ban(card=card(f"Angel {number}"))

    assert list(costs()) == few
    assert max(few) <= QUERIES_MAX


@pytest.mark.parametrize("count", [1, 200])
def test_the_first_search_after_a_change_reads_the_cards_once(
    pool, count, django_assert_max_num_queries
):
    given(*(record(f"Angel {number}", "Creature — Angel") for number in range(count)))

    with django_assert_max_num_queries(QUERIES_MAX + QUERIES_AT_FIRST):
        ask(hero="Kaalia", type="Angel")
