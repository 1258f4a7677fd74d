"""Sentences about players, and the small words in them.

A sentence is a list of parts: a text, or a seat number where a player's name stands.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from coalition_site.lib.bidi import isolated

Part = str | int
Sentence = list[Part]

MINUS = "\N{MINUS SIGN}"


def plain(sentence: Sentence, names: Mapping[int, str]) -> str:
    """
    >>> plain([1, " hits ", 2], {1: "Ada", 2: "Bruno"})
    'Ada hits Bruno'
    """
    text = ""
    for part in sentence:
        text += isolated(names[part]) if isinstance(part, int) else part
    return text


@lru_cache(maxsize=4096)
def shortened(name: str) -> str:
    """Return a name for where six letters fit: its first word, or how that begins.

    >>> shortened("Robert"), shortened("Anna Maria"), shortened("Maximiliane Wagemann")
    ('Robert', 'Anna', 'Maxi')
    """
    first = name if len(name) <= 6 else name.split()[0]
    return first if len(first) <= 6 else first[:4]


def signed(number: int) -> str:
    """
    >>> signed(5), signed(-3)
    ('+5', '−3')
    """
    return f"+{number}" if number >= 0 else f"{MINUS}{-number}"


def listed(seats: Sequence[int], last: str = " and ") -> Sentence:
    """
    >>> listed([1, 2, 4])
    [1, ', ', 2, ' and ', 4]
    """
    parts: Sentence = []
    for at, seat in enumerate(seats):
        if at:
            parts.append(last if at == len(seats) - 1 else ", ")
        parts.append(seat)
    return parts


def series(texts: Sequence[str], last: str = " and ") -> str:
    """
    >>> series(["grace", "guilt", "doubt"], " or ")
    'grace, guilt or doubt'
    """
    *before, end = texts
    return f"{', '.join(before)}{last}{end}" if before else end


def times(number: int) -> str:
    """
    >>> times(1), times(2), times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def count(number: int, noun: str, plural: str = "") -> str:
    """
    >>> count(1, "hit"), count(2, "hit")
    ('1 hit', '2 hits')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
