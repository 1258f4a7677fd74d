"""The fonts of pictures: those of the system, in the order in which letters are looked for.

A letter that no font has is drawn as a box, and without any font no text is drawn.
"""

import re
from functools import cache
from pathlib import Path

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
FAMILIES = ("Noto Sans", "DejaVu Sans")
# Emoji in colour go before the same signs in black. Of other scripts one font is enough: the
# renderer takes the first that has a letter, whatever its weight.
ORDER = (
    re.compile(r"NotoSans-(Regular|Bold)"),
    re.compile(r"NotoColorEmoji"),
    re.compile(r"NotoSans(?!Mono|Display)[A-Za-z]+-Regular"),
    re.compile(r"DejaVuSans(-Bold)?"),
)
KINDS = {".ttf", ".otf", ".ttc"}


@cache
def files() -> tuple[str, ...]:
    fonts = [
        (place, str(path))
        for folder in FOLDERS
        for path in Path(folder).rglob("*")
        if path.suffix in KINDS and (place := _place(path.stem)) is not None
    ]
    return tuple(path for _, path in sorted(fonts))


def _place(name: str) -> int | None:
    """Return when a font is looked into; None for never.

    >>> [_place(name) for name in ("NotoSans-Bold", "NotoSansThai-Regular", "NotoSansThai-Bold")]
    [0, 2, None]
    """
    return next((at for at, names in enumerate(ORDER) if names.fullmatch(name)), None)
