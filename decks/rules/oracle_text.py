"""A card's printed text, prepared for the rules to read."""

import re
from collections.abc import Callable
from functools import lru_cache
from unicodedata import combining, normalize

# Sources use different characters for the same names: C'tan, Assembly-Worker.
_SAME_SIGNS = str.maketrans({"\u2019": "'", "\u2010": "-", "\u2011": "-"})

_SIGNS_TO_TYPE = str.maketrans(
    {**dict.fromkeys("“”", '"'), **dict.fromkeys("—–−", "-"), "•": "*", "‘": "'"}
)
_SPACES = re.compile(" +")
_INNERMOST_BRACKETS = re.compile(r"\([^()]*\)")


def with_plain_signs(text: str) -> str:
    """
    >>> with_plain_signs("C\u2019tan, non\u2011Elf")
    "C'tan, non-Elf"
    """
    return text if text.isascii() else text.translate(_SAME_SIGNS)


def without_reminders(text: str, blank: str | Callable[[re.Match[str]], str] = " ") -> str:
    """Return ``text`` without reminder text in parentheses (906.4b), nested ones included.

    An unmatched bracket hides nothing: reading a type too many is better than losing half a card.

    >>> without_reminders("Flying (It flies (high).) Create a Bird.")
    'Flying   Create a Bird.'
    >>> without_reminders("Create a Bird. :) (And a Cat.")
    'Create a Bird. :) (And a Cat.'
    """
    while "(" in text and (shorter := _INNERMOST_BRACKETS.sub(blank, text)) != text:
        text = shorter
    return text


@lru_cache(maxsize=16)  # several rules in a row read the same card
def rules_text(oracle_text: str) -> str:
    return without_reminders(with_plain_signs(oracle_text))


def text_key(text: str) -> str:
    """Return a text as it is searched: in small letters, with signs and letters that people type.

    >>> text_key("Draw a card —  Lim-Dûl’s")
    "draw a card - lim-dul's"
    """
    plain = with_plain_signs(text).casefold()
    if not plain.isascii():
        decomposed = normalize("NFD", plain.translate(_SIGNS_TO_TYPE))
        plain = "".join(mark for mark in decomposed if not combining(mark))
    return _SPACES.sub(" ", plain) if "  " in plain else plain
