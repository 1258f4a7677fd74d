"""A card's printed words, made ready to be read by the rules."""

from __future__ import annotations

import re
from functools import lru_cache

# Sources differ in these signs and mean the same: C'tan, Assembly-Worker.
_SAME_SIGNS = str.maketrans({"\u2019": "'", "\u2010": "-", "\u2011": "-"})

_INNERMOST_BRACKETS = re.compile(r"\([^()]*\)")


def with_plain_signs(text: str) -> str:
    """Return ``text`` with one kind of apostrophe and one kind of hyphen.

    >>> with_plain_signs("C\u2019tan, non\u2011Elf")
    "C'tan, non-Elf"
    """
    return text if text.isascii() else text.translate(_SAME_SIGNS)


def without_reminders(text: str) -> str:
    """Return ``text`` without what stands in parentheses (906.4b), nested ones included.

    A bracket that has lost its partner hides nothing: better a type too many than half a card.

    >>> without_reminders("Flying (It flies (high).) Create a Bird.")
    'Flying   Create a Bird.'
    >>> without_reminders("Create a Bird. :) (And a Cat.")
    'Create a Bird. :) (And a Cat.'
    """
    while "(" in text and (shorter := _INNERMOST_BRACKETS.sub(" ", text)) != text:
        text = shorter
    return text


@lru_cache(maxsize=16)  # of one card, each rule reads it again
def rules_text(oracle_text: str) -> str:
    """Return what of a face's text counts, in plain signs.

    >>> rules_text("Changeling (This card is every creature type.)")
    'Changeling  '
    """
    return without_reminders(with_plain_signs(oracle_text))
