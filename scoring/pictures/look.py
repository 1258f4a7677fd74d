"""The look of pictures: colours, charts and icons of pages, for a renderer without variables."""

import hashlib
import re
from functools import cache
from pathlib import Path

from django.conf import settings
from markupsafe import Markup

TOKEN = re.compile(r"^  --([\w-]+): light-dark\(([^,]+), [^)]+\);$", re.MULTILINE)
SEAT = re.compile(r"^\.(seat-\d) \{\s+--seat: var\(--(\w+)\);", re.MULTILINE)
RULE = re.compile(r"^\.chart[^{]*\{[^}]*\}$", re.MULTILINE)
VARIABLE = re.compile(r"var\(--([\w-]+)(?:, *[^)]+)?\)")
OWN = re.compile(r"^ +--.*\n", re.MULTILINE)  # variables of a rule, which stop the renderer
SYMBOL = re.compile(r"<symbol.*?</symbol>", re.DOTALL)
SYMBOLS = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)
FAMILY = "'Noto Sans', 'DejaVu Sans', sans-serif"


@cache
def tokens() -> dict[str, str]:
    return dict(TOKEN.findall(_static("table.css")))


@cache
def style() -> Markup:
    seats = [
        f".{seat} {{ color: {tokens()[name]} }}"
        for seat, name in SEAT.findall(_static("table.css"))
    ]
    values = tokens() | {"sans": FAMILY, "seat": "currentColor"}
    sheets = _static("results.css") + _static("site.css")
    rules = [_resolved(OWN.sub("", rule), values) for rule in RULE.findall(sheets)]
    return Markup("\n".join([*seats, *rules]))


@cache
def symbols() -> Markup:
    # The charge of a shield has the colour of what is below it; those for the banner are named
    # "banner-pale".
    (icons,) = SYMBOLS.findall(_static("icons.svg"))
    shields = [symbol for symbol in SYMBOL.findall(icons) if "--charge" in symbol]
    banner = "".join(shields).replace('<symbol id="', '<symbol id="banner-')
    on_card, on_banner = ({"charge": tokens()[name]} for name in ("card", "ink"))
    return Markup(_resolved(icons, on_card) + _resolved(banner, on_banner))


@cache
def digest() -> str:
    # Return what changes with the look of all pictures.
    template = Path(settings.BASE_DIR, "templates/pictures/picture.svg").read_text()
    drawn = (style(), symbols(), tokens(), template)
    return hashlib.sha256(repr(drawn).encode()).hexdigest()


def _resolved(text: str, values: dict[str, str]) -> str:
    return VARIABLE.sub(lambda variable: values.get(variable[1], "none"), text)


def _static(name: str) -> str:
    return Path(settings.BASE_DIR, "static", name).read_text()
