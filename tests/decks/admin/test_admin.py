"""The admin: what editors and superusers change, what they see first, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.bans.commands import day
from decks.catalogue import affiliations
from decks.models import Affiliation, BanEntry, BanList, Card, CreatureType, Deck
from tests.scoring.browsing import Page, words
from tests.scoring.tables import text

from ..cards import card, given, record
from ..lists import (
    ELVES,
    TODAY,
    TOMORROW,
    YESTERDAY,
    coalition,
    editor,
    elves,
    entries_in,
    house,
    register,
    report,
)

Save = Callable[..., HttpResponse]


@pytest.fixture
def ed(db: None) -> User:
    return editor()


@pytest.fixture
def client(ed: User) -> Client:
    """The browser of an editor."""
    client = Client()
    client.force_login(ed)
    return client


def change(client: Client, one: Any, **form: Any) -> HttpResponse:
    """Send the form of something that is there."""
    return client.post(reverse(f"admin:decks_{one._meta.model_name}_change", args=[one.pk]), form)


def ban(client: Client, *cards: str, **form: Any) -> HttpResponse:
    """Send the form of a new entry: of a card, or of a rule with the cards that it names."""
    keys = [Card.objects.get(name=name).pk for name in cards]
    is_named = "rule" in form
    known = {
        "ban_list": coalition().pk,
        "rule": "",
        "card": "" if is_named else keys[0],
        "cards": keys if is_named else [],
        "status": "banned",
        "starts_on": TODAY.isoformat(),
        "reason": "",
    }
    return client.post(reverse("admin:decks_banentry_add"), {**known, **form})


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
def test_an_editor_bans_a_card(client, ed):
    card("Balance", "Sorcery")

    answer = ban(client, "Balance", reason="Too strong.")

    entry = BanEntry.objects.get()
    assert (answer.status_code, answer["Location"]) == (
        302,
        reverse("admin:decks_banentry_changelist"),
    )
    assert entries_in(coalition()) == [("Balance: banned", TODAY, None)]
    assert (entry.reason, entry.changed_by) == ("Too strong.", ed)
    assert audit() == [("ed", "Balance: banned", "Added.")]
    assert messages(client)[0] == "This makes no saved deck illegal."


def test_a_new_entry_ends_the_entry_before_and_both_histories_show_it(client):
    card("Balance", "Sorcery")
    ban(client, "Balance", status="watched", starts_on=YESTERDAY.isoformat())
    ban(client, "Balance")

    assert entries_in(coalition()) == [
        ("Balance: watched", YESTERDAY, TODAY),
        ("Balance: banned", TODAY, None),
    ]
    assert audit() == [
        ("ed", "Balance: watched", "Added."),
        ("ed", "Balance: watched", f"Replaced by an entry from {day(TODAY)} on."),
        ("ed", "Balance: banned", "Added."),
    ]


def test_an_entry_is_ended_and_given_another_reason_and_nothing_else(client, ed):
    balance, channel = given(record("Balance", "Sorcery"), record("Channel", "Sorcery"))
    entry = BanEntry.objects.create(ban_list=coalition(), card=balance, starts_on=YESTERDAY)

    answer = change(
        client,
        entry,
        reason="Done.",
        ends_on=TOMORROW.isoformat(),
        card=channel.pk,
        status="allowed",
        starts_on="2020-01-01",
    )

    entry.refresh_from_db()
    assert answer.status_code == 302
    assert entries_in(coalition()) == [("Balance: banned", YESTERDAY, TOMORROW)]
    assert (entry.reason, entry.changed_by) == ("Done.", ed)
    assert audit() == [("ed", "Balance: banned", "Changed Reason and Ends on.")]
    history = client.get(reverse("admin:decks_banentry_history", args=[entry.pk]))
    assert "ed Changed Reason and Ends on." in words(history)


def test_the_words_that_another_reason_replaces_stay_in_the_history(client):
    card("Balance", "Sorcery")
    ban(client, "Balance", reason="Too strong.")
    entry = BanEntry.objects.get()

    change(client, entry, reason="Far too strong.")
    ban(client, "Balance", reason="Much too strong.")

    assert BanEntry.objects.get().reason == "Much too strong."
    told = [what for _, _, what in audit()]
    assert "Its reason was: Too strong." in told
    assert "Its reason was: Far too strong." in told


def test_a_rule_is_banned_with_the_cards_it_names(client):
    given(record("Crusade", "Enchantment"), record("Jihad", "Enchantment"))

    ban(client, "Crusade", "Jihad", rule="offensive")

    assert entries_in(coalition()) == [("Depictions: banned", TODAY, None)]
    assert [card.name for card in BanEntry.objects.get().cards.all()] == ["Crusade", "Jihad"]


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"rule": "named", "cards": []}, "Choose the cards that Named cards covers."),
        ({"rule": "ante"}, "Only Depictions and Named cards take a list of cards."),
        (
            {"card": 10**9},
            "Select a valid choice. That choice is not one of the available choices.",
        ),
        ({"ban_list": ""}, "This field is required."),
        ({"status": "fine"}, "Select a valid choice. fine is not one of the available choices."),
        ({"starts_on": "someday"}, "Enter a valid date."),
        ({"reason": "\0"}, "This contains a character that can't be shown. Type it again."),
        (
            {"starts_on": "2020-01-01"},
            f"The list already has a later entry: Balance: watched, from "
            f"{day(YESTERDAY)} on. Start on that day or later, or end that entry first.",
        ),
    ],
)
def test_an_entry_that_says_nothing_clear_is_refused(client, form, problem):
    balance = card("Balance", "Sorcery")
    BanEntry.objects.create(
        ban_list=coalition(), card=balance, status="watched", starts_on=YESTERDAY
    )

    assert form_errors(ban(client, "Balance", **form)) == [problem]
    assert entries_in(coalition()) == [("Balance: watched", YESTERDAY, None)]
    assert audit() == []


def test_an_entry_is_either_of_a_card_or_of_a_rule(client):
    balance = card("Balance", "Sorcery")

    for form in ({"card": ""}, {"rule": "ante", "card": balance.pk, "cards": []}):
        assert form_errors(ban(client, "Balance", **form)) == ["Choose either a card or a rule."]
    assert entries_in(coalition()) == []


def test_an_end_before_the_start_is_refused(client):
    entry = BanEntry.objects.create(
        ban_list=coalition(), card=card("Balance", "Sorcery"), starts_on=TODAY
    )

    assert form_errors(change(client, entry, ends_on=YESTERDAY.isoformat())) == [
        f"It starts on {day(TODAY)}: it can't end before that."
    ]
    assert entries_in(coalition()) == [("Balance: banned", TODAY, None)]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["Balance", "Channel", "Flash"]),
        ({"in_force": "now"}, ["Balance"]),
        ({"in_force": "later"}, ["Channel"]),
        ({"in_force": "ended"}, ["Flash"]),
        ({"q": "chan"}, ["Channel"]),
        ({"q": "broken"}, ["Balance"]),
    ],
)
def test_entries_are_found_by_name_reason_and_whether_they_are_in_force(client, asked, found):
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
        ("eowyn", ["Éowyn’s Oath"]),
        ("Éowyn's", ["Éowyn’s Oath"]),
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


def test_cards_are_sorted_by_the_column_that_was_chosen(client):
    given(*(record(name) for name in ("Fury", "Elvish Fury", "Fury Sliver")))

    page = client.get(reverse("admin:decks_card_changelist"), {"o": "-0"})

    assert [one.name for one in page.context["cl"].result_list] == [
        "Fury Sliver",
        "Fury",
        "Elvish Fury",
    ]


def test_the_form_says_that_one_entry_names_all_cards(client):
    page = client.get(reverse("admin:decks_banentry_add"))

    assert "A new entry for the rule replaces the old entry with all its cards." in words(page)


def test_days_are_written_as_on_the_site(client):
    coalition().entries.create(card=card("Balance", "Sorcery"), starts_on=YESTERDAY)

    page = words(client.get(reverse("admin:decks_banentry_changelist")))

    assert f" Banned {day(YESTERDAY)} " in page
    assert f" {day(TODAY)}, " in page


# --- what breaks ---
@pytest.fixture
def deck(db: None) -> Deck:
    elves()
    return register("Elves of Tuesday", ELVES)


def agreement(response: HttpResponse) -> str:
    """Return the value of the checkbox under the decks that break."""
    boxes = [tag for name, tag in Page(text(response)).tags if tag.get("name") == "although"]
    assert len(boxes) == 1
    return boxes[0]["value"] or ""


def test_decks_that_become_illegal_are_shown_before_anything_is_saved(client, deck):
    answer = ban(client, "Llanowar Elves")

    assert form_errors(answer) == ["Not saved yet: this makes saved decks illegal. See below."]
    assert "Decks that become illegal 1 of other people, not named here." in words(answer)
    assert "Elves of Tuesday" not in text(answer)
    assert entries_in(coalition()) == []
    assert report(deck).legal


def test_decks_are_named_to_their_owner_and_to_whoever_may_see_all(client, ed, deck):
    mine = register("Mine", ELVES)
    Deck.objects.filter(pk=mine.pk).update(owner=ed)

    own = words(ban(client, "Llanowar Elves"))
    ed.user_permissions.add(Permission.objects.get(codename="view_deck"))
    every = words(ban(client, "Llanowar Elves"))

    assert "Decks that become illegal Mine 1 of other people, not named here." in own
    assert "Decks that become illegal Elves of Tuesday Mine Save it" in every


def test_with_the_box_ticked_it_is_saved_and_the_deck_is_illegal(client, deck):
    yes = agreement(ban(client, "Llanowar Elves"))

    assert ban(client, "Llanowar Elves", although=yes).status_code == 302

    assert entries_in(coalition()) == [("Llanowar Elves: banned", TODAY, None)]
    assert [problem.code for problem in report(deck).problems] == ["banned"]


@pytest.mark.parametrize("said_before", [{}, {"although": "on"}, {"although": "0" * 64}])
def test_only_the_box_that_was_shown_is_a_yes(client, deck, said_before):
    assert len(form_errors(ban(client, "Llanowar Elves", **said_before))) == 1
    assert entries_in(coalition()) == []


@pytest.mark.parametrize(
    "other",
    [
        {"starts_on": TOMORROW.isoformat()},
        {"reason": "Another one."},
        {"card": "Elvish Mystic"},
    ],
)
def test_a_yes_to_one_change_is_no_yes_to_another(client, deck, other):
    yes = agreement(ban(client, "Llanowar Elves"))
    if "card" in other:
        other = {"card": Card.objects.get(name=other["card"]).pk}

    assert len(form_errors(ban(client, "Llanowar Elves", although=yes, **other))) == 1
    assert entries_in(coalition()) == []


def test_a_yes_is_none_to_a_deck_that_was_registered_since(client, deck):
    yes = agreement(ban(client, "Llanowar Elves"))
    register("Elves of Friday", ELVES)

    answer = ban(client, "Llanowar Elves", although=yes)

    assert "2 of other people, not named here." in words(answer)
    assert entries_in(coalition()) == []


def test_the_end_of_what_allows_a_card_shows_what_it_breaks_too(client, deck):
    coalition().entries.create(rule="reserved-list", starts_on=YESTERDAY)
    champion = Card.objects.get(name="Elvish Champion")
    entry = coalition().entries.create(card=champion, status="allowed", starts_on=YESTERDAY)
    register("Champions", ELVES.replace("Llanowar Elves", "Elvish Champion"))

    answer = change(client, entry, ends_on=TODAY.isoformat())
    assert "Decks that become illegal 1 of other people" in words(answer)
    assert entries_in(coalition())[1] == ("Elvish Champion: allowed", YESTERDAY, None)

    change(client, entry, ends_on=TODAY.isoformat(), although=agreement(answer))
    assert entries_in(coalition())[1] == ("Elvish Champion: allowed", YESTERDAY, TODAY)


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


def test_a_card_can_be_given_every_type(client):
    elf = card("Llanowar Elves")

    settle(client, elf, every_type="on", override_reason="A changeling.")

    elf.refresh_from_db()
    assert (elf.every_type, types(elf)) == (True, [])


@pytest.mark.parametrize(
    ("names", "form", "problem"),
    [
        (["Goblin"], {}, "Give a reason: this differs from the card's text."),
        ([], {}, "Give a reason: this differs from the card's text."),
        ([], {"every_type": "on"}, "Give a reason: this differs from the card's text."),
        (
            ["Elf"],
            {"every_type": "on", "override_reason": "Both."},
            "Choose either every type or single types.",
        ),
    ],
)
def test_affiliations_that_are_not_its_texts_need_a_reason(client, names, form, problem):
    elf = card("Llanowar Elves")

    assert form_errors(settle(client, elf, *names, **form)) == [problem]
    assert (types(elf), audit()) == (["Elf"], [])


def test_a_card_is_as_imported_but_for_its_affiliations(client):
    elf = card("Llanowar Elves")

    settle(client, elf, "Elf", name="Another", vintage="banned", reserved="on")

    assert Card.objects.values_list("name", "vintage", "reserved").get() == (
        "Llanowar Elves",
        "legal",
        False,
    )


def test_a_new_creature_type_is_read_from_the_cards_that_print_it(client):
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


def test_a_corrected_creature_type_is_read_again(client):
    ada = card("Ada", "Creature — Elf Coder", vintage="not_legal")
    coder = CreatureType.objects.create(name="Coda")

    change(client, coder, name="Coder", plural="")
    assert types(ada) == ["Coder", "Elf"]

    change(client, coder, name="Coda", plural="")
    assert types(ada) == ["Elf"]


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"name": "Enchantment"}, "Enchantment is a card type or a supertype, not a creature type"),
        ({"name": "Legendary"}, "Legendary is a card type or a supertype, not a creature type"),
        ({"name": "Coder", "plural": "Lands"}, "Lands is a card type or a supertype"),
        ({"name": "coder"}, "Write it as cards do, each word with a capital: Coder."),
        ({"name": "Time lady"}, "Write it as cards do, each word with a capital: Time Lady."),
        ({"name": "Coder 2"}, "Write letters, apostrophes, hyphens and single spaces only."),
        ({"name": "Coder (Token)"}, "Write letters, apostrophes, hyphens and single spaces only."),
        ({"name": "-"}, "Write letters, apostrophes, hyphens and single spaces only."),
    ],
)
def test_what_can_be_no_creature_type_is_refused(client, form, problem):
    answer = client.post(reverse("admin:decks_creaturetype_add"), {"plural": "", **form})

    assert [one.startswith(problem) for one in form_errors(answer)] == [True]
    assert not CreatureType.objects.filter(name=form["name"]).exists()


@pytest.mark.parametrize("count", [1, 30])
def test_reading_cards_again_takes_as_many_queries_for_many(
    client, count, django_assert_num_queries
):
    given(*(record(f"Elf {number}") for number in range(count)))

    with django_assert_num_queries(10):
        assert affiliations.reread(CreatureType.objects.get(name="Elf")) == count


def test_a_creature_type_that_is_there_is_not_made_again(client):
    answer = client.post(reverse("admin:decks_creaturetype_add"), {"name": "Elf", "plural": ""})

    assert form_errors(answer) == ["Creature type with this Name already exists."]


def test_a_reason_has_no_character_that_can_not_be_shown(client):
    elves()

    answer = ban(client, "Llanowar Elves", reason="Too\r\n\tquick\uffff")

    assert form_errors(answer) == ["This contains a character that can't be shown. Type it again."]
    assert entries_in(coalition()) == []


# --- lists ---
HOUSE = {"key": "friday", "name": "Friday group", "format": "coalition", "illegal_decks": "refuse"}


def test_a_superuser_makes_a_house_list(db):
    client = superuser()

    answer = client.post(reverse("admin:decks_banlist_add"), HOUSE | {"base": coalition().pk})

    made = BanList.objects.get(key="friday")
    assert answer.status_code == 302
    assert (made.name, made.base, made.illegal_decks) == ("Friday group", coalition(), "refuse")
    assert audit() == [("root", "Friday group", "Added.")]


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        ("leveler", "Choose the list of the same format as the base."),
        ("tuesday", "Choose the list of the same format as the base."),
        ("", "Constraint “one_list_per_format” is violated."),
    ],
)
def test_a_house_list_stands_on_its_formats_own(db, base, problem):
    house()
    key = BanList.objects.get(key=base).pk if base else ""

    answer = superuser().post(reverse("admin:decks_banlist_add"), HOUSE | {"base": key})

    assert form_errors(answer) == [problem]
    assert not BanList.objects.filter(key="friday").exists()


def test_a_list_keeps_its_key_its_format_and_what_it_stands_on(db):
    change(superuser(), house(), **HOUSE)

    assert BanList.objects.values_list("key", "name", "base__key", "illegal_decks").get(
        base=coalition()
    ) == ("tuesday", "Friday group", "coalition", "refuse")


def test_a_superuser_bans_for_a_house_and_no_registered_deck_breaks(deck):
    tuesday = house()

    answer = ban(superuser(), "Llanowar Elves", ban_list=tuesday.pk)

    assert answer.status_code == 302
    assert entries_in(tuesday) == [("Llanowar Elves: banned", TODAY, None)]
    assert entries_in(coalition()) == []


def test_an_editor_bans_for_no_house(client, deck):
    tuesday = house()

    answer = ban(client, "Llanowar Elves", ban_list=tuesday.pk)

    assert form_errors(answer) == [
        "Select a valid choice. That choice is not one of the available choices."
    ]
    assert entries_in(tuesday) == []


def test_a_superuser_sees_a_registered_deck_as_it_was_saved_last(deck):
    page = superuser().get(reverse("admin:decks_deck_change", args=[deck.pk]))

    assert "4 Llanowar Elves" in words(page)
    assert deck.key_hash not in text(page)
