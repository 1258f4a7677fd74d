"""Comparing: numbers that somebody typed, and costs."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SYMBOL = re.compile(r"\{([^{}]*)\}|(\d+)|(\S)")
_SYMBOLS = frozenset("WUBRGCSXYZP")
GENERIC = "generic"


def typed_number(text: str) -> float | None:
    """Return the number that somebody typed, None if it is none.

    >>> typed_number("3"), typed_number("0.5"), typed_number("x"), typed_number("1e9")
    (3.0, 0.5, None, None)
    """
    return float(text) if len(text) < 10 and _NUMBER.fullmatch(text) else None


@lru_cache(maxsize=4096)
def symbols(cost: str) -> Counter[str]:
    """Return the symbols of a cost, written with or without braces; generic mana is a number.

    >>> symbols("{2}{W}{W}") == symbols("2ww") == Counter({"generic": 2, "W": 2})
    True
    >>> symbols("{u/W}")
    Counter({'U/W': 1})

    :raises ValueError: if it is no cost.
    """
    counted: Counter[str] = Counter()
    for braced, digits, letter in _SYMBOL.findall(cost):
        symbol = (braced or digits or letter).upper()
        if symbol.isdecimal():
            counted[GENERIC] += int(symbol[:9])
        elif braced or symbol in _SYMBOLS:
            counted["/".join(sorted(symbol.split("/")))] += 1
        else:
            raise ValueError(f"“{letter}” is no mana symbol.")
    return counted
