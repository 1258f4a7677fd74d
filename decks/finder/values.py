"""Values in expressions: colours, costs and numbers that somebody typed."""

import operator
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Any

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
LETTERS = "WUBRG"
ALL_COLORS = ["".join(some) for count in range(6) for some in combinations(LETTERS, count)]
_NICKNAMES = """
white W blue U black B red R green G rainbow WUBRG fivecolor WUBRG
azorius WU dimir UB rakdos BR gruul RG selesnya WG orzhov WB izzet UR golgari BG boros WR simic UG
silverquill WB prismari UR witherbloom BG lorehold WR quandrix UG
bant WUG esper WUB grixis UBR jund BRG naya WRG
abzan WBG jeskai WUR sultai UBG mardu WBR temur URG
chaos UBRG aggression WBRG altruism WURG growth WUBG artifice WUBR
""".split()
COLOR_NAMES = dict.fromkeys(("c", "colorless", "colourless"), "")
COLOR_NAMES |= dict(zip(_NICKNAMES[::2], _NICKNAMES[1::2], strict=True))
MULTICOLOR = ("m", "multi", "multicolor", "multicolour", "multicolored", "multicoloured")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SYMBOL = re.compile(r"\{([^{}]*)\}|(\d+)|(\S)")
_SYMBOLS = frozenset("WUBRGCSXYZP")


def fitting_colors(operator: str, value: str, colon: str) -> list[str]:
    """Return all colours that fit, as letters; ``colon`` is what ":" means.

    >>> fitting_colors(":", "boros", "<="), len(fitting_colors(":", "boros", ">="))
    (['', 'W', 'R', 'WR'], 8)
    >>> fitting_colors("<", "wr", ">="), fitting_colors(":", "c", ">=")
    (['', 'W', 'R'], [''])

    :raises ValueError: if the value means no colours.
    """
    word = value.lower()
    if word.isdecimal():
        compares = COMPARISONS["=" if operator == ":" else operator]
        return [colors for colors in ALL_COLORS if compares(len(colors), int(word[:3]))]
    if word in MULTICOLOR:
        compares = COMPARISONS[">=" if operator in (":", "=") else operator]
        return [colors for colors in ALL_COLORS if compares(len(colors), 2)]
    wanted = set(COLOR_NAMES.get(word, word.upper()))
    if (not wanted and word not in COLOR_NAMES) or wanted - set(LETTERS):
        raise ValueError(
            f"“{word[:20]}” is no colour: write letters out of wubrg, c for colourless, "
            "m for multicoloured, or a name such as red or azorius."
        )
    if operator == ":":
        operator = colon if wanted else "="
    return [colors for colors in ALL_COLORS if COMPARISONS[operator](set(colors), wanted)]


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
            counted["generic"] += int(symbol[:9])
        elif braced or symbol in _SYMBOLS:
            counted["/".join(sorted(symbol.split("/")))] += 1
        else:
            raise ValueError(f"“{letter}” is no mana symbol.")
    return counted
