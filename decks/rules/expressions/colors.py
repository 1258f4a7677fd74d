"""Colours in expressions: letters, names, and the nicknames of their combinations."""

from __future__ import annotations

from collections.abc import Callable

from .comparing import compare

LETTERS = "WUBRG"
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


def which(operator: str, value: str, colon: str) -> Callable[[str], bool]:
    """Return whether a card of some colours fits; ``colon`` is what ":" means.

    >>> fits = which(":", "boros", ">=")
    >>> fits("WR"), fits("WUR"), fits("R")
    (True, True, False)
    >>> which("<", "wr", ">=")("R"), which(":", "c", ">=")("R"), which(":", "m", ">=")("WR")
    (True, False, True)

    :raises ValueError: if the value means no colours.
    """
    word = value.lower()
    if word in MULTICOLOR or word.isdecimal():
        return _by_number(operator, word)
    wanted = set(_letters(word))
    if operator == ":":
        operator = colon if wanted else "="
    return lambda colors: compare(set(colors), operator, wanted)


def _by_number(operator: str, word: str) -> Callable[[str], bool]:
    number = int(word[:3]) if word.isdecimal() else 2
    if not word.isdecimal() and operator in (":", "="):
        operator = ">="
    elif operator == ":":
        operator = "="
    return lambda colors: compare(len(colors), operator, number)


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
