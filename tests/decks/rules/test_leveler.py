"""Decks of Leveler, fault by fault, on invented cards."""

from datetime import date

import pytest

from decks.rules.deck import Banned, Bans
from decks.rules.rulesets import LEVELER

from ..written import leveler
from .judged import codes, judge, reported

MARCH = date(2026, 3, 9)


def test_legal_deck_is_reported_with_the_counts_of_its_sub_decks():
    report = judge(
        leveler("1 Elvish Mystic", "1 Lathril", second=("1 Goblin Guide",), third=("1 Negate",)),
        LEVELER,
    )

    assert (report.ruleset, report.legal, reported(report)) == ("leveler", True, [])
    assert (report.hero, report.coalition_type, report.possible_types) == (None, None, ())
    assert report.counts == {"level-1": 50, "level-2": 30, "level-3": 20}


def test_sizes_of_all_sub_decks_are_reported():
    """002 1: A deck has 100 cards: sub-decks of 50, 30 and 20."""
    text = leveler("51 Forest", third=("2 Forest",)).replace("30 Forest", "29 Forest")

    report = judge(f"{text}\n1 Forest", LEVELER)

    assert report.counts == {"level-1": 51, "level-2": 29, "level-3": 21}
    assert reported(report) == [
        ("sub_deck_size", None, None, "Sub-deck 1 has 51 cards and needs 50: take out 1."),
        ("sub_deck_size", None, None, "Sub-deck 2 has 29 cards and needs 30: add 1."),
        ("sub_deck_size", None, None, "Sub-deck 3 has 21 cards and needs 20: take out 1."),
    ]


@pytest.mark.parametrize("extra", ["Sideboard\n10 Forest", "SB: 10 Forest", "10 Forest *HERO*"])
def test_cards_outside_of_the_sub_decks_are_reported(extra):
    message = "10 cards outside of the sub-decks: move each into a sub-deck, or take it out."

    assert reported(judge(f"{leveler()}\n{extra}", LEVELER)) == [
        ("sub_deck_size", None, None, message)
    ]


@pytest.mark.parametrize(
    "text",
    [
        leveler("2 Negate"),
        leveler("1 Negate", "1 Negate"),
        leveler("1 Negate", third=("1 negate",)),
    ],
)
def test_all_sub_decks_together_have_one_of_each_card(text):
    """002 2: No card is in a deck twice, over all sub-decks; basic lands may be."""
    message = (
        "2 copies of Negate: across all three sub-decks a deck has one copy of each card except "
        "basic lands. Take out 1."
    )

    assert reported(judge(text, LEVELER)) == [("not_singleton", "Negate", 2, message)]


def test_no_text_of_a_card_allows_more_of_it():
    report = judge(leveler("4 Rat Swarm", "7 Seven Dwarfs"), LEVELER)

    assert codes(report) == [("not_singleton", "Rat Swarm"), ("not_singleton", "Seven Dwarfs")]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Black Lotus", "banned in Legacy, and so in Leveler too. Take it out."),
        ("Thassa's Oracle", "banned in Leveler. Take it out."),
        ("Ormos, Archive Keeper", "banned in Leveler. Take it out."),
    ],
)
def test_what_legacy_or_the_format_bans_is_banned(name, why):
    """002 4: What Legacy bans is banned."""
    assert reported(judge(leveler(f"1 {name}"), LEVELER)) == [
        ("banned", name, 2, f"{name} is {why}")
    ]


def test_five_cards_are_banned_by_name():
    """002 5: Five more cards are banned, which win by or draw on an empty library."""
    assert LEVELER.banned == {
        *("Thassa's Oracle", "Laboratory Maniac", "Jace, Wielder of Mysteries"),
        *("Out of the Tombs", "Ormos, Archive Keeper"),
    }


@pytest.mark.parametrize("name", ["Black Lotus", "Thassa's Oracle"])
def test_what_the_list_allows_is_free(name):
    assert judge(leveler(f"1 {name}"), LEVELER, Bans(allowed=frozenset({name}))).legal


@pytest.mark.parametrize("name", ["Negate", "Black Lotus", "Thassa's Oracle"])
def test_what_the_list_bans_is_reported_once_with_its_day(name):
    bans = Bans({name: Banned("Too good.", MARCH)})

    message = f"{name} has been banned since 9 March 2026 (Too good): take it out."
    assert reported(judge(leveler(f"1 {name}"), LEVELER, bans)) == [("banned", name, 2, message)]


def test_neither_heroes_nor_types_nor_the_pool_of_vintage_count():
    """002 3: Cards of every set are legal."""
    lines = ("1 Silver Elf", "1 Lathril", "1 Kaalia", "1 Goblin Guide", "1 Karn's Vault")

    assert judge(leveler(*lines), LEVELER, hero="Nobody", coalition_type="Human").legal
