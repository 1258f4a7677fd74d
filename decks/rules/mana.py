"""Mana symbols as cards write them, such as "{2}{W/U}": their parts, and words to read aloud."""

from __future__ import annotations

import re

SYMBOL = re.compile(r"\{([^{}\s]{1,8})\}")

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
    """Return the parts of a symbol, as written between braces.

    >>> parts("2/W"), parts("G/W/P"), parts("10")
    (['2', 'W'], ['G', 'W', 'P'], ['10'])
    """
    return symbol.upper().split("/")


def words(symbol: str) -> str:
    """Return a symbol in words.

    >>> [words(symbol) for symbol in ("G", "3", "X", "T", "S")]
    ['green mana', '3 generic mana', 'X generic mana', 'tap', 'snow mana']
    >>> words("W/U"), words("2/R"), words("G/P")
    ('white or blue mana', '2 generic or red mana', 'green mana or 2 life')
    >>> words("CHAOS")
    'chaos'
    """
    kinds = parts(symbol)
    if len(kinds) == 1 and kinds[0] in _OTHERS:
        return _OTHERS[kinds[0]]
    mana = " or ".join(_kind(kind) for kind in kinds if kind != "P")
    if not all(kind in _MANA or _is_generic(kind) or kind == "P" for kind in kinds):
        return symbol.lower()
    return f"{mana} mana or 2 life" if "P" in kinds else f"{mana} mana"


def _kind(kind: str) -> str:
    return f"{kind} generic" if _is_generic(kind) else _MANA.get(kind, kind)


def _is_generic(kind: str) -> bool:
    return kind.isdecimal() or kind in ("X", "Y", "Z")
