"""The admin: what editors and superusers change, what they see first, and what is kept of it."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.bans.commands import day
from decks.catalogue import affiliations
from decks.models import Affiliation, BanList, Card, CreatureType
from tests.scoring.browsing import Page, words
from tests.scoring.tables import text

from ..cards import card, given, record
from ..lists import ELVES, TODAY, TOMORROW, YESTERDAY, coalition, editor, elves, house, register


@pytest.fixture
def client(db: None) -> Client:
    """The browser of an editor."""
    client = Client()
    client.force_login(editor())
    return client


def change(client: Client, one: Any, **form: Any) -> HttpResponse:
    """Send the form of something that is there."""
    return client.post(reverse(f"admin:decks_{one._meta.model_name}_change", args=[one.pk]), form)


def superuser() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def form_errors(response: HttpResponse) -> list[str]:
    """Return the errors of a form that was refused."""
    assert response.status_code == 200
    errors = response.context["errors"]
    return [str(error) for found in errors for error in found]


def messages(client: Client) -> list[str]:
    """Return the messages on the next page."""
    return [str(one) for one in client.get(reverse("admin:index")).context["messages"]]


def audit() -> list[tuple[str, str, str]]:
    """Return what the history says: who, of what, did what."""
    entries = LogEntry.objects.order_by("pk").select_related("user")
    return [(one.user.username, one.object_repr, one.get_change_message()) for one in entries]


# --- entries ---
def test_an_entry_is_shown_with_days_as_on_the_site_and_a_link_to_drafts_and_no_form(client):
    entry = coalition().entries.create(
        card=card("Balance", "Sorcery"), starts_on=YESTERDAY, reason="Too strong."
    )
    add, shown = reverse("admin:decks_banentry_add"), reverse("admin:decks_banentry_changelist")

    page = client.get(reverse("admin:decks_banentry_change", args=[entry.pk]))

    assert "Too strong." in words(page)
    listed = words(client.get(shown))
    assert f" Banned {day(YESTERDAY)} " in listed
    assert f" {day(TODAY)}, " in listed
    for one in (page, client.get(shown)):
        links = [tag.get("href") for name, tag in Page(text(one)).tags if name == "a"]
        assert reverse("new_draft", args=["coalition"]) + "?card=Balance" in links
        assert add not in links


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["Balance", "Channel", "Flash"]),
        ({"ends_on__isnull": "False"}, ["Flash"]),
        ({"q": "broken"}, ["Balance"]),
    ],
)
def test_entries_are_found_by_name_reason_and_whether_they_end(client, asked, found):
    said_of = {
        "Balance": {"starts_on": YESTERDAY, "reason": "Broken."},
        "Channel": {"starts_on": TOMORROW},
        "Flash": {"starts_on": YESTERDAY, "ends_on": TODAY},
    }
    for name, what in said_of.items():
        coalition().entries.create(card=card(name, "Sorcery"), **what)

    page = client.get(reverse("admin:decks_banentry_changelist"), asked)

    assert [entry.card.name for entry in page.context["cl"].result_list] == found


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("oath eo", ["Éowyn’s Oath"]),
        ("URZA’S", ["Urza's Fury"]),
        ("fury", ["Fury", "Fury Sliver", "Elvish Fury", "Urza's Fury"]),
        ("nothing", []),
    ],
)
def test_cards_are_offered_as_people_write_them_first_what_begins_so(client, typed, found):
    names = ("Elvish Fury", "Éowyn’s Oath", "Fury", "Fury Sliver", "Urza's Fury")
    given(*(record(name) for name in names))
    asked = {"app_label": "decks", "model_name": "banentry", "field_name": "card", "term": typed}

    answer = client.get(reverse("admin:autocomplete"), asked)

    assert [one["text"] for one in answer.json()["results"]] == found


# --- cards and creature types ---
def types(of: Card) -> list[str]:
    return sorted(of.types.values_list("name", flat=True))


def settle(client: Client, of: Card, *names: str, **form: Any) -> HttpResponse:
    keys = [CreatureType.objects.get(name=name).pk for name in names]
    return change(client, of, affiliated=keys, **{"override_reason": "", **form})


def test_an_editor_settles_the_affiliations_of_a_card_and_gives_them_back_to_its_text(client):
    elf = card("Llanowar Elves")

    settle(client, elf, "Goblin", "Angel", override_reason="It says so elsewhere.")
    assert types(elf) == ["Angel", "Goblin"]
    given(record("Llanowar Elves"))
    assert types(elf) == ["Angel", "Goblin"]

    settle(client, elf, "Goblin", "Angel")
    assert types(elf) == ["Elf"]
    assert messages(client)[-2] == "The card's affiliations are read from its text."
    assert audit() == [
        ("ed", "Llanowar Elves", "Changed types and reason."),
        ("ed", "Llanowar Elves", "Changed reason."),
    ]
    form = {"name": "Another", "vintage": "banned", "reserved": "on", "every_type": "on"}
    settle(client, elf, override_reason="A changeling.", **form)
    elf.refresh_from_db()
    assert (elf.every_type, types(elf)) == (True, [])
    assert (elf.name, elf.vintage, elf.reserved) == ("Llanowar Elves", "legal", False)


@pytest.mark.parametrize(
    ("names", "form", "problem"),
    [
        (["Goblin"], {}, "Give a reason: this differs from the card's text."),
        ([], {"every_type": "on"}, "Give a reason: this differs from the card's text."),
        (
            ["Elf"],
            {"every_type": "on", "override_reason": "Both."},
            "Choose either every type or single types.",
        ),
        (
            ["Elf"],
            {"override_reason": "Too\r\n\tquick\uffff"},
            "This contains a character that can't be shown. Type it again.",
        ),
    ],
)
def test_affiliations_that_are_not_its_texts_need_a_reason_that_can_be_shown(
    client, names, form, problem
):
    elf = card("Llanowar Elves")

    assert form_errors(settle(client, elf, *names, **form)) == [problem]
    assert (types(elf), audit()) == (["Elf"], [])


def test_a_new_creature_type_and_a_corrected_one_are_read_from_the_cards_that_print_it(client):
    given(
        record("Ada", "Creature — Elf Coder", legalities={"vintage": "not_legal"}),
        record("Guild", "Sorcery", "Create two Coders."),
        record("Bob", "Creature — Elf"),
    )

    client.post(reverse("admin:decks_creaturetype_add"), {"name": "Coder", "plural": ""})

    found = Affiliation.objects.filter(creature_type__name="Coder")
    assert sorted(found.values_list("card__name", flat=True)) == ["Ada", "Guild"]
    assert messages(client)[0] == "The affiliations of 2 cards were read again."
    assert audit() == [("ed", "Coder", "Added.")]
    coder = CreatureType.objects.get(name="Coder")
    change(client, coder, name="Coda", plural="")
    assert types(Card.objects.get(name="Ada")) == ["Elf"]
    change(client, coder, name="Coder", plural="")
    assert types(Card.objects.get(name="Ada")) == ["Coder", "Elf"]


def test_an_editor_says_that_a_printed_word_is_no_creature_type(client):
    """Neither reading the cards again nor the next import brings it back."""
    ada = card("Ada", "Creature — Elf Coder")
    coder = CreatureType.objects.get(name="Coder")
    assert types(ada) == ["Coder", "Elf"]

    change(client, coder, name="Coder", plural="", is_none="on")
    assert types(ada) == ["Elf"]
    given(record("Ada", "Creature — Elf Coder", "Flying"), record("Bob", "Creature — Coder"))
    assert (types(ada), CreatureType.objects.filter(name="Coder").count()) == (["Elf"], 1)
    answer = settle(client, ada, "Coder", override_reason="It is one.")
    assert "is not one of the available choices" in form_errors(answer)[0]

    change(client, coder, name="Coder", plural="")
    assert types(ada) == ["Coder", "Elf"]


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"name": "Coder", "plural": "Lands"}, "Lands is a card type or a supertype"),
        ({"name": "coder"}, "Write it as cards do, each word with a capital: Coder."),
    ],
)
def test_what_can_be_no_creature_type_is_refused(client, form, problem):
    answer = client.post(reverse("admin:decks_creaturetype_add"), {"plural": "", **form})

    assert [one.startswith(problem) for one in form_errors(answer)] == [True]
    assert not CreatureType.objects.filter(name=form["name"]).exists()


@pytest.mark.django_db
def test_reading_cards_again_takes_as_many_queries_for_many(django_assert_num_queries):
    for count in (1, 30):
        given(*(record(f"Elf {number}") for number in range(count)))
        with django_assert_num_queries(10):
            assert affiliations.reread(CreatureType.objects.get(name="Elf")) == count


# --- lists ---
HOUSE = {"key": "friday", "name": "Friday group", "format": "coalition", "illegal_decks": "refuse"}


def test_a_house_list_stands_on_its_formats_own_and_keeps_its_key_and_format(db):
    client, made = superuser(), house()
    same_format = "Choose the list of the same format as the base."
    for base, problem in (
        (BanList.objects.get(key="leveler").pk, same_format),
        (made.pk, same_format),
        ("", "Constraint “one_list_per_format” is violated."),
    ):
        answer = client.post(reverse("admin:decks_banlist_add"), HOUSE | {"base": base})
        assert form_errors(answer) == [problem]
    change(client, made, **HOUSE)

    assert [
        *BanList.objects.filter(base=coalition()).values_list(
            "key", "name", "format", "illegal_decks"
        )
    ] == [("tuesday", "Friday group", "coalition", "refuse")]
    assert not BanList.objects.filter(key="friday").exists()


def test_a_superuser_sees_a_registered_deck_as_it_was_saved_last(db):
    elves()
    deck = register("Elves of Tuesday", ELVES)

    page = superuser().get(reverse("admin:decks_deck_change", args=[deck.pk]))

    assert "4 Llanowar Elves" in words(page)
    assert deck.key_hash not in text(page)
