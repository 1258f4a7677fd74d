"""Texts as the renderer can draw them. Where a font lacks a letter, it takes another for the whole
text, if that has as many glyphs: so scripts with ligatures need texts of their own, and emoji
must be single."""

import re
from itertools import groupby
from operator import itemgetter
from unicodedata import bidirectional, category, normalize
from unicodedata import name as letter_name

from coalition_site.lib.bidi import ISOLATE, POP

from .charts import width

UNIT = 13  # pixels of the text whose width ``width`` estimates
SPACE = 4 / UNIT  # of the size
# Joiners, tones and variants of emoji, and the tags of flags: without them emoji are single ones.
JOINING = re.compile("[\u200d\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")  # half of one: a letter
# Scripts whose letters have a glyph each.
SIMPLE = {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "THAI", "LAO", "CJK"}
SIMPLE |= {"HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH"}
WIDE = {"": 0.95, "ARABIC": 0.75, "DEVANAGARI": 0.7, "TAMIL": 1.2}  # of what ``width`` estimates


def single(text: str) -> str:
    """
    >>> single("👍🏽 🇩🇪")
    '👍 DE'
    """
    letters = FLAG.sub(lambda half: chr(ord(half[0]) - 0x1F1E6 + ord("A")), text)
    return normalize("NFC", JOINING.sub("", letters))


def pieces(text: str, size: float) -> list[tuple[str, float]]:
    """Return a text in pieces of one script each, with their places from its beginning.

    >>> pieces("Ann, Bo 王", 26)
    [('Ann, Bo 王', 0)]
    >>> [ascii(piece) for piece, _ in pieces("Ann हिन्दी", 26)]
    ["'Ann'", "'\\\\u0939\\\\u093f\\\\u0928\\\\u094d\\\\u0926\\\\u0940'"]
    """
    drawn, joined = single(text), []
    scripts = [_script(mark) for mark in drawn]
    latest = next((script for script in scripts if script is not None), "")
    for mark, script in zip(drawn, scripts, strict=True):
        latest = latest if script is None else script  # what is no letter goes with those before
        joined.append((latest, mark))
    parts = [
        (script, "".join(mark for _, mark in marks))
        for script, marks in groupby(joined, key=itemgetter(0))
    ]
    if len(parts) < 2:
        return [(part, 0) for _, part in parts]
    # A name may run from right to left; sentences with names in them don't.
    name = text.removeprefix(ISOLATE).removesuffix(POP)
    strong = (kind for kind in map(bidirectional, name) if kind in ("L", "R", "AL"))
    if next(strong, "L") != "L" and ISOLATE not in name and POP not in name:
        parts.reverse()
    placed: list[tuple[str, float]] = []
    x = 0.0
    for script, part in parts:
        piece = part.strip()
        placed.append((piece, round(x, 1)))
        x += (width(piece) * WIDE.get(script, 1) / UNIT + SPACE) * size
    return placed


def _script(mark: str) -> str | None:
    """Return the script of a letter, "" for all that are simple; None for other marks.

    >>> _script("a"), _script("王"), _script("ह"), _script(" ")
    ('', '', 'DEVANAGARI', None)
    """
    if category(mark)[0] not in "LM":
        return None
    script = letter_name(mark, "").partition(" ")[0]
    return None if script == "COMBINING" else "" if script in SIMPLE else script
