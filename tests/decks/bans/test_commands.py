"""Changing ban lists: what is said ends, nothing vanishes, and which decks a change breaks."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User

from decks.bans import commands
from decks.bans.commands import BanRefused
from decks.bans.drafts import Plan, plan
from decks.models import BanEntry, BanList, Card, Rule

from ..cards import card
from ..lists import ELVES, TODAY, TOMORROW, YESTERDAY, coalition, elves, entries_in, house, register
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


# --- one entry after the other ---


def test_new_entry_ends_no_entries_of_other_cards_rules_and_lists(ban_list, balance):
    put(ban_list, card("Channel", "Sorcery"), "banned", JUNE)
    put(ban_list, Rule.ANTE, "banned", JUNE)
    put(house(), balance, "banned", JUNE)
    before = set(BanEntry.objects.values_list("pk", "ends_on"))

    made = put(ban_list, balance, "banned", MARCH)

    assert set(BanEntry.objects.values_list("pk", "ends_on")) == before | {(made.pk, None)}


def test_entries_of_a_card_follow_each_other_and_a_planned_end_is_put_aside(ban_list, balance):
    """One that is replaced on its first day stays, and was never in force."""
    first = put(ban_list, balance, "banned", MARCH)
    commands.end(put(ban_list, balance, "watched", MARCH), TOMORROW, None)
    put(ban_list, balance, "allowed", TODAY)
    put(ban_list, balance, "banned", TOMORROW)
    commands.amend(first, "A slip", MARCH, None)

    assert entries_in(ban_list) == [
        ("Balance: banned", MARCH, MARCH),
        ("Balance: watched", MARCH, TODAY),
        ("Balance: allowed", TODAY, TOMORROW),
        ("Balance: banned", TOMORROW, None),
    ]
    days = [commands.current(ban_list, balance, on) for on in (MARCH, YESTERDAY, TODAY, TOMORROW)]
    assert [one and one.status for one in days] == ["watched", "watched", "allowed", "banned"]
    (held,) = commands.entries_on(ban_list, MARCH).values()
    first.refresh_from_db()
    assert (held.status, first.reason, first.ends_on) == ("watched", "A slip", MARCH)


# --- what is refused ---
def test_a_list_has_one_entry_after_the_other_for_a_card(ban_list, balance):
    channel = card("Channel", "Sorcery")
    first, over = put(ban_list, balance, "watched", JUNE), put(ban_list, channel, "banned", JUNE)
    last = put(ban_list, balance, "banned", MARCH)
    commands.end(over, MARCH, None)
    before = list(BanEntry.objects.order_by("pk").values())
    prolonged = "It would overlap with another entry: Balance: banned, from 9 March 2026 on."

    for ask, message in (
        (
            lambda: put(ban_list, balance, "watched", JUNE),
            "The list already has a later entry: Balance: banned, from 9 March 2026 on. "
            "Start on that day or later, or end that entry first.",
        ),
        (
            lambda: put(ban_list, channel, "watched", date(2025, 1, 1)),
            "Channel: banned ended on 9 March 2026: start on that day or later.",
        ),
        (
            lambda: commands.end(last, JUNE, None),
            "It starts on 9 March 2026: it can't end before that.",
        ),
        (lambda: commands.amend(first, "", MAY, None), prolonged),
        (lambda: commands.amend(first, "", None, None), prolonged),
    ):
        with pytest.raises(BanRefused) as caught:
            ask()
        assert str(caught.value) == message

    assert list(BanEntry.objects.order_by("pk").values()) == before


def test_only_rules_by_names_have_cards_of_their_own(ban_list, balance):
    def ban(subject: commands.Subject, *cards: Card) -> BanEntry:
        return commands.ban(ban_list, subject, "banned", "", JUNE, None, cards)

    made = ban(Rule.NAMED, balance)
    assert list(made.cards.all()) == [balance]
    with pytest.raises(BanRefused, match=r"^Choose the cards that Depictions covers\.$"):
        ban(Rule.OFFENSIVE)
    for subject in (Rule.ANTE, balance):
        with pytest.raises(
            BanRefused, match=r"^Only Depictions and Named cards take a list of cards\.$"
        ):
            ban(subject, balance)
    assert list(BanEntry.objects.all()) == [made]


# --- decks ---
@pytest.fixture
def deck(db: None) -> None:
    elves()
    register("Elves", ELVES)


def planned(ban_list: BanList, name: str, status: str = "banned", on: date = TODAY) -> Plan:
    """Return what a draft would do that says something of a card; nothing may change by asking."""
    before = list(BanEntry.objects.values())
    by, _ = User.objects.get_or_create(username="ed")
    new = draft(by, on, ban_list)
    say(new, by, {name: status})
    made = plan(new)
    assert list(BanEntry.objects.values()) == before
    return made


def broken(ban_list: BanList, name: str, status: str = "banned", on: date = TODAY) -> list[str]:
    """Return the decks that saying something of a card breaks."""
    return names(planned(ban_list, name, status, on), "decks")


def names(of: Plan, fate: str) -> list[str]:
    return [deck.name for deck in of.fates[fate]]


def test_a_ban_breaks_the_legal_decks_whose_latest_revision_has_the_card(ban_list, deck):
    """Of this format only; and what bans nothing breaks nothing."""
    without = ELVES.replace("4 Llanowar Elves\n56", "60")
    register("Left", ELVES, without)
    register("Mountains", "60 Forest\n\nSideboard\n10 Forest")
    register("Taken up", without, ELVES)

    assert broken(ban_list, "Llanowar Elves") == ["Elves", "Taken up"]
    for name in ("Elvish Mystic", "Ezuri, Claw of Progress"):  # in the sideboard, and the hero
        assert broken(ban_list, name) == ["Elves", "Left", "Taken up"]
    assert broken(BanList.objects.get(key="leveler"), "Llanowar Elves") == []
    assert broken(ban_list, "Llanowar Elves", "watched") == []
    assert broken(ban_list, "Llanowar Elves", "allowed") == []
    put(ban_list, Card.objects.get(name="Elvish Mystic"), "banned", YESTERDAY)
    assert broken(ban_list, "Llanowar Elves") == []  # they are illegal already


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

    assert (names(made, "decks"), names(made, "also")) == ([], ["Elves"])
    assert (names(after, "decks"), names(after, "also")) == (["Elves"], [])
    assert made.fingerprint != after.fingerprint


def test_rule_breaks_decks_whose_cards_it_means_unless_they_are_allowed(ban_list, deck):
    register("Champions", ELVES.replace("Llanowar Elves", "Elvish Champion"))

    assert broken(ban_list, "reserved-list") == ["Champions"]

    put(ban_list, Card.objects.get(name="Elvish Champion"), "allowed", TODAY)
    assert broken(ban_list, "reserved-list") == []
    put(ban_list, Rule.RESERVED_LIST, "banned", TODAY)
    assert broken(ban_list, "Elvish Champion", "legal") == ["Champions"]
