"""Values in expressions: colours, costs and numbers that somebody typed."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from itertools import combinations
from operator import eq, ge, gt, le, lt
from typing import Any

from .expressions import Term, wrong

COMPARES: dict[str, Callable[[Any, Any], bool]] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
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


def fitting_colors(term: Term, colon: str) -> list[str]:
    """Return all colours that fit, as letters; ``colon`` is what ":" means.

    >>> boros = Term("c", ":", "boros")
    >>> fitting_colors(boros, "<="), len(fitting_colors(boros, ">="))
    (['', 'W', 'R', 'WR'], 8)

    :raises Misread: if the value means no colours.
    """
    sign, word = term.operator, term.value.lower()
    if word.isdecimal():
        compares = COMPARES["=" if sign == ":" else sign]
        return [colors for colors in ALL_COLORS if compares(len(colors), int(word[:3]))]
    if word in MULTICOLOR:
        compares = COMPARES[">=" if sign in (":", "=") else sign]
        return [colors for colors in ALL_COLORS if compares(len(colors), 2)]
    wanted = set(COLOR_NAMES.get(word, word.upper()))
    if (not wanted and word not in COLOR_NAMES) or wanted - set(LETTERS):
        why = (
            f"“{word[:20]}” is not a colour: write letters out of wubrg, c for colourless, "
            "m for multicoloured, or a name such as red or azorius."
        )
        raise wrong(term, why, get_close_matches(word, COLOR_NAMES))
    if sign == ":":
        sign = colon if wanted else "="
    return [colors for colors in ALL_COLORS if COMPARES[sign](set(colors), wanted)]


def number(term: Term) -> float:
    """:raises Misread: if the value is no number, or has ten characters and more."""
    if len(term.value) < 10 and _NUMBER.fullmatch(term.value):
        return float(term.value)
    raise wrong(term, f"{term.shown} is not a number.")
