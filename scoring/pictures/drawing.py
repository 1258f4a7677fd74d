"""A picture as SVG, with everything at its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from coalition_site.lib.bidi import isolated

from ..rules.words import series
from . import look
from .charts import cut, width
from .picture import Banner, Picture, PictureLine
from .texts import UNIT, pieces

WIDTH, HEIGHT = 1200, 630
BOLD = 1.08  # by how much bold text is wider
TITLES = (54, 46)  # sizes in pixels of a title in one line,
HALF = 40  # and in two
NAME_MIN = 45  # units of a name that is worth its room
TITLE_ROOM = 1080  # pixels, without what stands beside the title
SHIELD_ROOM = 90
ABOUT_ROOM = 1030  # more than there is, since widths are estimated too large
BODY_TOP, BODY_ROOM = 238, 368
LINE_MAX = 72
LINES_MAX = 8
MORE_ROOM = 28
HIGH = 60  # pixels of a line that has room for two
SMALL = 20  # the size of details
GAP, ICON = 16, 44  # between texts; of a rank or a shield
COLUMN, WHOLE = 510, 1104  # pixels of the lines, beside a chart and without
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML


@dataclass(frozen=True, slots=True)
class Title:
    """The title in its size in pixels; ``below`` is the second line, if it takes two."""

    text: str
    size: int
    below: str = ""


def svg(picture: Picture) -> str:
    wide = COLUMN if picture.chart else WHOLE
    context = {
        "picture": picture,
        "about": cut(picture.about, _units(ABOUT_ROOM, 24)),
        "title": title(picture.banner),
        "lines": _placed(picture.lines, wide),
        "more": max(len(picture.lines) - LINES_MAX, 0),
        "wide": wide,
        "size": (WIDTH, HEIGHT),
        "tokens": look.tokens(),
        "style": look.style(),
        "symbols": look.symbols(),
        "family": look.FAMILY,
        "pieces": pieces,
    }
    return UNWRITABLE.sub("", render_to_string("pictures/picture.svg", context))


def title(banner: Banner) -> Title:
    """Return the title in the largest size that fits, else in two lines, with shorter names.

    >>> title(Banner(["Ann", "Bo"], "share the set", number="63", unit="VP"))
    Title(text='Ann and Bo share the set', size=54, below='')
    >>> title(Banner(["W" * 80], "takes the set", number="63", unit="VP"))
    Title(text='WWWWWWWWWWWWWWWWWW…', size=40, below='takes the set')
    """
    beside = width(banner.number) * 76 / UNIT + width(banner.unit) * 28 / UNIT + 40
    room = TITLE_ROOM - SHIELD_ROOM * (banner.who is not None) - beside
    whole = f"{_series(banner.names)} {banner.rest}".strip()
    for size in TITLES:
        if width(whole) * BOLD <= _units(room, size):
            return Title(whole, size)
    between = width(_series([""] * len(banner.names)))
    of_name = (_units(room, HALF) / BOLD - between) / len(banner.names)
    if of_name < NAME_MIN:
        return Title(f"{len(banner.names)} players {banner.rest}", TITLES[0])
    return Title(_series([cut(name, of_name) for name in banner.names]), HALF, banner.rest)


def _series(names: Sequence[str]) -> str:
    return series([isolated(name) for name in names])


def _units(pixels: float, size: float) -> float:
    return pixels * UNIT / size


def _placed(lines: Sequence[PictureLine], wide: float) -> list[dict[str, Any]]:
    """Return the first lines, one below the other, with room for the widest value."""
    # ``y`` is a line's middle. The detail stands below the name where that ``is_high``, else
    # beside.
    first = lines[:LINES_MAX]
    room = BODY_ROOM - (MORE_ROOM if len(lines) > LINES_MAX else 0)
    height = min(LINE_MAX, room / max(len(first), 1))
    widest = max((width(line.value) * BOLD * 28 / UNIT for line in first), default=0)
    right = widest + GAP if widest else 0
    has_ranks = any(line.rank is not None for line in first)  # names stand below each other
    is_high, placed = height >= HIGH, []
    for at, line in enumerate(first):
        # A name has the room that value and detail leave it.
        before = ICON * (has_ranks + (line.who is not None))
        left = wide - right - before
        detail = cut(line.detail, _units(left if is_high else left / 2, SMALL))
        beside = width(detail) * SMALL / UNIT + GAP if detail and not is_high else 0
        name = isolated(cut(line.name, _units(left - beside, 26) / BOLD))
        placed.append(
            {
                "line": line,
                "before": before,
                "name": name,
                "detail": detail,
                "y": round(BODY_TOP + height * (at + 0.5), 1),
                "right": right,
                "is_high": is_high and bool(detail),
            }
        )
    return placed
