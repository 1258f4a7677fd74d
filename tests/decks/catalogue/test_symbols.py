"""Mana symbols drawn in texts and costs."""

import pytest

from decks.catalogue.symbols import symbol


@pytest.mark.parametrize(
    ("written", "discs", "halves"), [("W", 1, 0), ("2", 1, 0), ("W/U", 0, 2), ("G/U/P", 0, 2)]
)
def test_a_symbol_is_a_disc_and_a_hybrid_one_two_halves(written, discs, halves):
    drawn = symbol(written)

    assert (drawn.count('cx="16"'), drawn.count('class="mana-') - discs) == (discs, halves)
