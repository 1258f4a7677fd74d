"""Lists of bans as people write them."""

import pytest

from decks.rules.ban_lines import read


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Balance", ("Balance", "banned", "")),
        ("- Balance", ("Balance", "banned", "")),
        ("1 Balance", ("Balance", "banned", "")),
        ("Lightning Bolt: legal", ("Lightning Bolt", "legal", "")),
        ("Lightning Bolt: Unbanned", ("Lightning Bolt", "legal", "")),
        ("Balance: banned: Too strong.", ("Balance", "banned", "Too strong.")),
        ("Balance – banned – Too strong.", ("Balance", "banned", "Too strong.")),
        ("Balance | watched | Seen often", ("Balance", "watched", "Seen often")),
        ("Balance — Too strong.", ("Balance", "banned", "Too strong.")),
        ("Circle of Protection: Red", ("Circle of Protection: Red", "banned", "")),
        ("Circle of Protection: Red: allowed", ("Circle of Protection: Red", "allowed", "")),
        ("Fire // Ice", ("Fire // Ice", "banned", "")),
        ("Will-o'-the-Wisp", ("Will-o'-the-Wisp", "banned", "")),
    ],
)
def test_a_line_says_what_the_list_does_with_a_card(line, found):
    assert [(one.name, one.status, one.reason) for one in read(line)] == [found]


def test_lines_without_a_status_have_that_of_the_heading_above():
    text = "Balance\n\n## Watch list (2)\nChannel\nOx: legal\n\n**Allowed:**\nElk\n# a note\n"

    found = [(line.number, line.name, line.status) for line in read(text)]

    assert found == [
        (1, "Balance", "banned"),
        (4, "Channel", "watched"),
        (5, "Ox", "legal"),
        (8, "Elk", "allowed"),
    ]
