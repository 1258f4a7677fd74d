"""Changing ban lists: what is said ends, nothing vanishes, and which decks a change breaks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User

from decks.bans import commands, plan
from decks.bans.commands import BanRefused
from decks.bans.plan import Plan
from decks.models import BanEntry, BanList, Card, Rule

from ..cards import card
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
)
from .announcing import draft, say

JUNE, MARCH, MAY = date(2024, 6, 1), date(2026, 3, 9), date(2026, 5, 1)


@pytest.fixture
def ban_list(db: None) -> BanList:
    return coalition()


@pytest.fixture
def balance(db: None) -> Card:
    return card("Balance", "Sorcery")


def put(ban_list: BanList, subject: commands.Subject, status: str, on: date) -> BanEntry:
    return commands.ban(ban_list, subject, status, "", on, None)


@contextmanager
def refused(message: str) -> Iterator[None]:
    """Expect a refusal in these words, and that no entry was changed."""
    before = list(BanEntry.objects.order_by("pk").values())
    with pytest.raises(BanRefused) as caught:
        yield
    assert (str(caught.value), list(BanEntry.objects.order_by("pk").values())) == (message, before)


# --- one entry after the other ---
def test_new_entry_ends_earlier_entries_of_the_card(ban_list, balance):
    put(ban_list, balance, "watched", JUNE)
    put(ban_list, balance, "banned", MARCH)

    assert entries_in(ban_list) == [
        ("Balance: watched", JUNE, MARCH),
        ("Balance: banned", MARCH, None),
    ]


def test_new_entry_ends_no_entries_of_other_cards_rules_and_lists(ban_list, balance):
    put(ban_list, card("Channel", "Sorcery"), "banned", JUNE)
    put(ban_list, Rule.ANTE, "banned", JUNE)
    put(house(), balance, "banned", JUNE)
    before = set(BanEntry.objects.values_list("pk", "ends_on"))

    made = put(ban_list, balance, "banned", MARCH)

    assert set(BanEntry.objects.values_list("pk", "ends_on")) == before | {(made.pk, None)}


def test_entry_replaced_on_its_first_day_stays_and_was_never_in_force(ban_list, balance):
    put(ban_list, balance, "banned", MARCH)
    put(ban_list, balance, "watched", MARCH)

    assert entries_in(ban_list) == [
        ("Balance: banned", MARCH, MARCH),
        ("Balance: watched", MARCH, None),
    ]
    assert [entry.status for entry, _ in commands.entries_on(ban_list, MARCH).values()] == [
        "watched"
    ]


def test_entry_of_a_rule_ends_the_entry_before_and_has_its_own_cards(ban_list, balance):
    channel = card("Channel", "Sorcery")
    commands.ban(ban_list, Rule.NAMED, "banned", "Old", JUNE, None, [balance])
    made = commands.ban(ban_list, Rule.NAMED, "banned", "New", MARCH, None, [balance, channel])

    assert entries_in(ban_list) == [
        ("Named cards: banned", JUNE, MARCH),
        ("Named cards: banned", MARCH, None),
    ]
    assert list(made.cards.all()) == [balance, channel]


def test_another_reason_leaves_since_when_a_card_is_banned(ban_list, balance):
    first = commands.ban(ban_list, balance, "banned", "Too strong.", MARCH, None)
    commands.ban(ban_list, balance, "banned", "Far too strong.", MAY, None)

    first.refresh_from_db()
    assert entries_in(ban_list) == [("Balance: banned", MARCH, None)]
    assert first.reason == "Far too strong."


def test_planned_entry_takes_effect_on_its_day(ban_list, balance):
    put(ban_list, balance, "watched", YESTERDAY)
    put(ban_list, balance, "banned", TOMORROW)

    days = [commands.current(ban_list, balance, on) for on in (YESTERDAY, TODAY, TOMORROW)]
    assert [one and one.status for one in days] == ["watched", "watched", "banned"]


def test_entry_before_a_later_entry_is_refused(ban_list, balance):
    put(ban_list, balance, "banned", MARCH)

    with refused(
        "The list already has a later entry: Balance: banned, from 9 March 2026 on. "
        "Start on that day or later, or end that entry first."
    ):
        put(ban_list, balance, "watched", JUNE)


def test_entry_that_would_undo_an_end_that_came_is_refused(ban_list, balance):
    commands.end(put(ban_list, balance, "banned", JUNE), MARCH, None)

    with refused("Balance: banned ended on 9 March 2026: start on that day or later."):
        put(ban_list, balance, "watched", date(2025, 1, 1))


def test_planned_end_is_put_aside_by_a_new_entry(ban_list, balance):
    commands.end(put(ban_list, balance, "banned", JUNE), TOMORROW, None)
    put(ban_list, balance, "watched", TODAY)

    assert entries_in(ban_list) == [
        ("Balance: banned", JUNE, TODAY),
        ("Balance: watched", TODAY, None),
    ]


def test_rule_by_names_needs_cards_and_others_have_none(ban_list, balance):
    with refused("Choose the cards that Depictions covers."):
        put(ban_list, Rule.OFFENSIVE, "banned", JUNE)
    with refused("Only Depictions and Named cards take a list of cards."):
        commands.ban(ban_list, Rule.ANTE, "banned", "", JUNE, None, [balance])
    with refused("Only Depictions and Named cards take a list of cards."):
        commands.ban(ban_list, balance, "banned", "", JUNE, None, [balance])


def test_the_editor_is_stored_also_for_what_ended(ban_list, balance):
    ann, bo = editor("ann"), editor("bo")
    first = commands.ban(ban_list, balance, "watched", "", JUNE, ann)
    second = commands.ban(ban_list, balance, "banned", "", MARCH, bo)
    first.refresh_from_db()

    assert (first.changed_by, second.changed_by) == (bo, bo)


# --- ending and amending ---


def test_end_before_the_start_is_refused(ban_list, balance):
    entry = put(ban_list, balance, "banned", MARCH)

    with refused("It starts on 9 March 2026: it can't end before that."):
        commands.end(entry, JUNE, None)


def test_entry_is_not_prolonged_into_the_next_entry(ban_list, balance):
    first = put(ban_list, balance, "watched", JUNE)
    put(ban_list, balance, "banned", MARCH)
    words = "It would overlap with another entry: Balance: banned, from 9 March 2026 on."

    for until in (MAY, None):
        with refused(words):
            commands.amend(first, "", until, None)


def test_reason_changes_alone_also_of_an_entry_that_never_was_in_force(ban_list, balance):
    first = put(ban_list, balance, "watched", MARCH)
    put(ban_list, balance, "banned", MARCH)

    commands.amend(first, "A slip", MARCH, None)

    first.refresh_from_db()
    assert (first.reason, first.ends_on) == ("A slip", MARCH)


# --- decks ---
@pytest.fixture
def deck(db: None) -> str:
    elves()
    return register("Elves", ELVES).name


def planned(ban_list: BanList, name: str, status: str = "banned", on: date = TODAY) -> Plan:
    """Return what a draft would do that says something of a card; nothing may change by asking."""
    before = list(BanEntry.objects.values())
    by, _ = User.objects.get_or_create(username="ed")
    new = draft(by, on, ban_list)
    say(new, by, {name: status})
    made = plan.make(new)
    assert list(BanEntry.objects.values()) == before
    return made


def broken(ban_list: BanList, name: str, status: str = "banned", on: date = TODAY) -> list[str]:
    """Return the decks that saying something of a card breaks."""
    return [deck.name for deck in planned(ban_list, name, status, on).decks]


@pytest.mark.parametrize("name", ["Llanowar Elves", "Elvish Mystic", "Ezuri, Claw of Progress"])
def test_ban_of_a_card_breaks_the_decks_that_have_it(ban_list, deck, name):
    register("Mountains", "60 Forest\n\nSideboard\n10 Forest")

    assert broken(ban_list, name) == ["Elves"]


@pytest.mark.parametrize("status", ["watched", "allowed"])
def test_what_bans_nothing_breaks_nothing(ban_list, deck, status):
    assert broken(ban_list, "Llanowar Elves", status) == []


def test_only_the_latest_revision_of_a_deck_counts(ban_list, deck):
    without = ELVES.replace("4 Llanowar Elves\n56", "60")
    register("Left", ELVES, without)
    register("Taken up", without, ELVES)

    assert broken(ban_list, "Llanowar Elves") == ["Elves", "Taken up"]


def test_deck_that_is_illegal_already_does_not_break(ban_list, deck):
    put(ban_list, Card.objects.get(name="Elvish Mystic"), "banned", YESTERDAY)

    assert broken(ban_list, "Llanowar Elves") == []


def test_decks_that_a_planned_ban_breaks_already_are_counted_apart(ban_list, deck):
    """But not what is illegal today, nor what the draft doesn't concern or is allowed by then."""
    register("Champions", ELVES.replace("Llanowar Elves", "Elvish Champion"))
    register("Mystics", ELVES.replace("4 Llanowar Elves\n56", "60"))
    register("Illegal", f"{ELVES}\n1 Forest")
    put(ban_list, Card.objects.get(name="Elvish Mystic"), "banned", TOMORROW)
    on = TOMORROW + timedelta(days=1)

    made = planned(ban_list, "Llanowar Elves", on=on)
    put(ban_list, Card.objects.get(name="Elvish Mystic"), "watched", on)
    after = planned(ban_list, "Llanowar Elves", on=on)

    assert [[one.name for one in found] for found in (made.decks, made.also)] == [[], ["Elves"]]
    assert [[one.name for one in found] for found in (after.decks, after.also)] == [["Elves"], []]
    assert made.fingerprint != after.fingerprint


def test_rule_breaks_decks_whose_cards_it_means_except_allowed_cards(ban_list, deck):
    register("Champions", ELVES.replace("Llanowar Elves", "Elvish Champion"))

    assert broken(ban_list, "reserved-list") == ["Champions"]

    put(ban_list, Card.objects.get(name="Elvish Champion"), "allowed", TODAY)
    assert broken(ban_list, "reserved-list") == []


def test_end_of_what_allows_a_card_breaks_its_decks(ban_list, deck):
    register("Champions", ELVES.replace("Llanowar Elves", "Elvish Champion"))
    put(ban_list, Rule.RESERVED_LIST, "banned", YESTERDAY)
    put(ban_list, Card.objects.get(name="Elvish Champion"), "allowed", YESTERDAY)

    assert broken(ban_list, "Elvish Champion", "legal") == ["Champions"]


def test_list_of_another_format_breaks_no_deck_of_this_format(deck):
    assert broken(BanList.objects.get(key="leveler"), "Llanowar Elves") == []


@pytest.mark.parametrize("count", [1, 8])
def test_asking_reads_the_cards_of_all_decks_at_once(
    ban_list, deck, count, django_assert_num_queries
):
    for number in range(1, count):
        register(f"Elves {number}", ELVES)
    by = editor()
    new = draft(by)
    say(new, by, {"Llanowar Elves": "banned"})

    with django_assert_num_queries(6):
        found = plan.make(new).decks

    assert len(found) == count
