"""Mana symbols as cards write them, such as "{2}{W/U}": their parts, and words to read aloud."""

import re
from collections import Counter
from functools import lru_cache

SYMBOL = re.compile(r"\{([^{}\s]{1,8})\}")
_TYPED = re.compile(r"\{([^{}]*)\}|(\d+)|(\S)")

COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
_MANA = COLORS | {"C": "colorless", "S": "snow"}
_OTHERS = {
    "T": "tap",
    "Q": "untap",
    "E": "energy",
    "P": "1 colored mana or 2 life",
    "TK": "ticket",
    "A": "acorn",
    "HW": "half a white mana",
    "HR": "half a red mana",
    "½": "half a generic mana",
    "∞": "infinite generic mana",
}


def parts(symbol: str) -> list[str]:
    """
    >>> parts("2/W"), parts("G/W/P"), parts("10")
    (['2', 'W'], ['G', 'W', 'P'], ['10'])
    """
    return symbol.upper().split("/")


def words(symbol: str) -> str:
    """
    >>> [words(symbol) for symbol in ("G", "3", "X", "T", "S")]
    ['green mana', '3 generic mana', 'X generic mana', 'tap', 'snow mana']
    >>> words("W/U"), words("2/R"), words("G/P"), words("CHAOS")
    ('white or blue mana', '2 generic or red mana', 'green mana or 2 life', 'chaos')
    """
    kinds = parts(symbol)
    if len(kinds) == 1 and kinds[0] in _OTHERS:
        return _OTHERS[kinds[0]]
    mana = []
    for kind in kinds:
        if kind.isdecimal() or kind in ("X", "Y", "Z"):
            mana.append(f"{kind} generic")
        elif kind in _MANA:
            mana.append(_MANA[kind])
        elif kind != "P":
            return symbol.lower()
    return f"{' or '.join(mana)} mana{' or 2 life' * ('P' in kinds)}"


@lru_cache(maxsize=4096)
def cost_symbols(cost: str) -> Counter[str]:
    """Return the symbols of a cost, written with or without braces; generic mana is a number.

    >>> cost_symbols("{2}{W}{W}") == cost_symbols("2ww") == Counter({"generic": 2, "W": 2})
    True
    >>> cost_symbols("{u/W}")
    Counter({'U/W': 1})

    :raises ValueError: if it is no cost.
    """
    counted: Counter[str] = Counter()
    for braced, digits, letter in _TYPED.findall(cost):
        symbol = (braced or digits or letter).upper()
        if symbol.isdecimal():
            counted["generic"] += int(symbol[:9])
        elif braced or symbol in "WUBRGCSXYZP":
            counted["/".join(sorted(symbol.split("/")))] += 1
        else:
            raise ValueError(f"“{letter}” is no mana symbol.")
    return counted
