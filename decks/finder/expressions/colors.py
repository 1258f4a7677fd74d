"""Colours in expressions: letters, names, and the nicknames of their combinations."""

from __future__ import annotations

from itertools import combinations

from .comparing import COMPARISONS

LETTERS = "WUBRG"
ALL = ["".join(some) for count in range(6) for some in combinations(LETTERS, count)]
_NICKNAMES = """
white W blue U black B red R green G rainbow WUBRG fivecolor WUBRG
azorius WU dimir UB rakdos BR gruul RG selesnya WG orzhov WB izzet UR golgari BG boros WR simic UG
silverquill WB prismari UR witherbloom BG lorehold WR quandrix UG
bant WUG esper WUB grixis UBR jund BRG naya WRG
abzan WBG jeskai WUR sultai UBG mardu WBR temur URG
chaos UBRG aggression WBRG altruism WURG growth WUBG artifice WUBR
""".split()
COLORLESS = dict.fromkeys(("c", "colorless", "colourless"), "")
NAMES = COLORLESS | dict(zip(_NICKNAMES[::2], _NICKNAMES[1::2], strict=True))
MULTICOLOR = ("m", "multi", "multicolor", "multicolour", "multicolored", "multicoloured")


def fitting(operator: str, value: str, colon: str) -> list[str]:
    """Return all colours that fit, as letters; ``colon`` is what ":" means.

    >>> fitting(":", "boros", "<="), len(fitting(":", "boros", ">="))
    (['', 'W', 'R', 'WR'], 8)
    >>> fitting("<", "wr", ">="), fitting(":", "c", ">="), len(fitting(":", "m", ">="))
    (['', 'W', 'R'], [''], 26)

    :raises ValueError: if the value means no colours.
    """
    word = value.lower()
    if word.isdecimal():
        compares = COMPARISONS["=" if operator == ":" else operator]
        return [colors for colors in ALL if compares(len(colors), int(word[:3]))]
    if word in MULTICOLOR:
        compares = COMPARISONS[">=" if operator in (":", "=") else operator]
        return [colors for colors in ALL if compares(len(colors), 2)]
    wanted = set(_letters(word))
    if operator == ":":
        operator = colon if wanted else "="
    return [colors for colors in ALL if COMPARISONS[operator](set(colors), wanted)]


def _letters(word: str) -> str:
    if word in NAMES:
        return NAMES[word]
    letters = word.upper()
    if not letters or set(letters) - set(LETTERS):
        raise ValueError(
            f"“{word[:20]}” is no colour: write letters out of wubrg, c for colourless, "
            "m for multicoloured, or a name such as red or azorius."
        )
    return "".join(letter for letter in LETTERS if letter in letters)
