"""Mana symbols drawn from our own sprite, each with words for screen readers."""

from functools import cache

from django.templatetags.static import static
from markupsafe import Markup, escape

from ..rules import mana

DRAWN = frozenset("WUBRGCSTQEP")  # in the sprite; others are written in letters
HALVES = ("M4.7 27.3A16 16 0 0 1 27.3 4.7Z", "M27.3 4.7A16 16 0 0 1 4.7 27.3Z")
PLACES = ((3.5, 3.5), (15.5, 15.5))  # of what stands in the halves


@cache
def symbol(written: str) -> Markup:
    kinds = mana.parts(written)
    if len(kinds) == 1:
        disc = Markup('<circle class="{}" cx="16" cy="16" r="16"/>').format(_color(kinds[0]))
        drawing = disc + _inside(kinds[0], 5, 5, 22)
    else:  # of three parts the last, which is life, is left to the words
        halves = [
            Markup('<path class="{}" d="{}"/>').format(_color(kind), half)
            for kind, half in zip(kinds, HALVES, strict=False)
        ]
        insides = [_inside(kind, *at, 13) for kind, at in zip(kinds, PLACES, strict=False)]
        drawing = Markup("").join(halves + insides)
    look = '<svg class="mana" viewBox="0 0 32 32" role="img" aria-label="{}">{}</svg>'
    return Markup(look).format(mana.words(written), drawing)


def symbols(text: str) -> Markup:
    pieces = mana.SYMBOL.split(text)  # every other one is a symbol
    drawn = [symbol(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)]
    return Markup("").join(drawn).replace("\n", Markup("<br>"))


def _color(kind: str) -> str:
    return f"mana-{kind.lower()}" if kind in mana.COLORS else "mana-c"


def _inside(kind: str, x: float, y: float, size: float) -> Markup:
    if kind in DRAWN:
        use = '<use href="{}#{}" x="{}" y="{}" width="{}" height="{}"/>'
        return Markup(use).format(static("mana.svg"), kind.lower(), x, y, size, size)
    letters = '<text x="{}" y="{}" font-size="{}">{}</text>'
    height = size if len(kind) == 1 else round(1.7 * size / (len(kind) + 0.4), 1)
    line = round(y + size / 2 + 0.36 * height, 1)
    return Markup(letters).format(x + size / 2, line, height, kind)
