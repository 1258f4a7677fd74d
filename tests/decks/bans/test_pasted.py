"""Pasted and uploaded lists: what differs from the list, or what can't be read in them."""

import json
from datetime import date

import pytest

from decks.bans import commands, file
from decks.bans.commands import BanRefused
from decks.models import BanList, Rule

from ..cards import given, record
from ..lists import TODAY, coalition

JUNE = date(2024, 6, 11)


@pytest.fixture
def ban_list(db: None) -> BanList:
    """A list that bans Balance, with a reason, and ante; and watches Channel."""
    names = ("Balance", "Channel", "Jihad", "Crusade", "Lightning Bolt")
    cards = given(*(record(name, "Sorcery") for name in names))
    commands.ban(coalition(), cards[0], "banned", "Too strong.", JUNE, None)
    commands.ban(coalition(), cards[1], "watched", "", JUNE, None)
    commands.ban(coalition(), Rule.ANTE, "banned", "", JUNE, None)
    commands.ban(coalition(), Rule.OFFENSIVE, "banned", "", JUNE, None, cards[2:3])
    return coalition()


def differences(text: str, *, is_whole: bool = False) -> list[tuple[str, str, str]]:
    found = file.differences(coalition(), TODAY, text, is_whole=is_whole)
    return sorted((content.name, content.status, content.reason) for content in found)


def test_only_what_differs_is_taken_and_what_a_whole_list_leaves_out(ban_list):
    text = "Balance: banned\nChannel: banned: Fast.\nLightning Bolt: legal\nante: legal"

    assert differences(text) == [("Ante", "legal", ""), ("Channel", "banned", "Fast.")]
    # Cards that a whole list leaves out become legal, but no groups.
    assert differences("Crusade", is_whole=True) == [
        ("Balance", "legal", ""),
        ("Channel", "legal", ""),
        ("Crusade", "banned", ""),
    ]


def test_a_card_comes_before_the_group_of_its_name(ban_list):
    text = "Conspiracy\nConspiracies: watched"
    given(record("Conspiracy", "Enchantment"))

    assert differences(text) == [("Conspiracies", "watched", ""), ("Conspiracy", "banned", "")]


def test_a_file_is_a_whole_list_with_its_groups(ban_list):
    contents = commands.entries_on(ban_list, TODAY).values()
    document = file.write(ban_list, TODAY, contents)
    same = differences(json.dumps(document))
    document["entries"] = [{"card": "Channel", "status": "banned", "reason": "Fast."}]
    document["batches"] = document["batches"][:1]

    assert same == []
    assert differences(json.dumps(document)) == [
        ("Balance", "legal", ""),
        ("Channel", "banned", "Fast."),
        ("Depictions", "legal", ""),
    ]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "Blance\n\nChannel\nXqzzy: legal",
            [
                "Line 1: no card is called Blance. Did you mean Balance?",
                "Line 4: no card is called Xqzzy.",
            ],
        ),
        ("Balance\nBALANCE: legal", ["Line 2: Balance appears twice."]),
        (
            f"Channel: banned: {'x' * 2001}\nCrusade: banned: {'x' * 2000}",
            ["Channel: its reason is too long: 2000 characters at most."],
        ),
        ("Banned:\n", "There is no card in this list. Write one card per line: Balance: banned"),
        ("Balance\n" * 1001, "This list has 1001 lines: 1000 at most."),
        ("{", "This file can’t be read. this is not JSON: "),
        (
            '{"version": 1, "name": "Leveler", "as_of": "2026-03-09", "batches": [], '
            '"entries": []}',
            "This file can’t be read. name: this is the list 'Leveler', not 'Coalition': "
            "load it into that one",
        ),
    ],
)
def test_what_is_no_list_is_refused_with_each_line_that_can_not_be_read(ban_list, text, problems):
    with pytest.raises(BanRefused) as caught:
        differences(text)

    if isinstance(problems, str):
        assert str(caught.value).startswith(problems)
    else:
        assert caught.value.problems == problems
