"""What an open page has to redraw of a list after a change."""

from decks.decks.report import CardGroup, CardRow, changed
from decks.rules.entries import Section


def groups(creatures: str, lands: str) -> list[CardGroup]:
    """Return two groups of cards named by letters, one of each."""
    rows = [[CardRow(1, 1, name, Section.MAIN) for name in names] for names in (creatures, lands)]
    return [CardGroup("Main deck", "Creatures", rows[0]), CardGroup("Main deck", "Lands", rows[1])]


def test_a_row_that_is_new_brings_its_group_and_one_under_another_title_the_whole_page():
    before = groups("ab", "x")

    added, gone = changed(before, groups("abc", "x")), changed(before, groups("a", "x"))

    assert added == {"rows": [], "groups": [groups("abc", "x")[0]], "left": [before[1]]}
    assert gone is not None
    assert [(row.name, row.count) for row in gone["rows"]] == [("b", 0)]
    assert changed(before, groups("a", "xb")) is None
    assert changed(groups("", ""), before) is None
