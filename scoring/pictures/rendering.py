"""Rendering SVG as PNG: a few at once, each in a process of its own, with the system's fonts.

A letter that no font has is drawn as a box, and without any font no text is drawn.
"""

import logging
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore

import resvg_py

from . import renderer

AT_ONCE = 2  # by each worker
PATIENCE = 10  # seconds
PACKAGES = Path(resvg_py.__file__).parents[1]
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
# Emoji in colour go before the same signs in black. Of other scripts one font is enough: the
# renderer takes the first that has a letter, whatever its weight.
ORDER = (
    re.compile(r"NotoSans-(Regular|Bold)"),
    re.compile(r"NotoColorEmoji"),
    re.compile(r"NotoSans(?!Mono|Display)[A-Za-z]+-Regular"),
    re.compile(r"DejaVuSans(-Bold)?"),
)

log = logging.getLogger(__name__)
_places = BoundedSemaphore(AT_ONCE)


class Busy(Exception):
    """As many pictures as may be are being rendered, or this one could not be."""


@cache
def fonts() -> tuple[str, ...]:
    """Return the paths of the fonts in the order in which letters are looked for."""
    kinds = {".ttf", ".otf", ".ttc"}
    files = [path for folder in FOLDERS for path in Path(folder).rglob("*") if path.suffix in kinds]
    return tuple(
        str(path) for names in ORDER for path in sorted(files) if names.fullmatch(path.stem)
    )


def png(svg: str) -> bytes:
    """:raises Busy: if it can't be rendered now."""
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        # Not sys.argv's interpreter options: nothing of the site is to be imported there.
        command = [sys.executable, "-I", "-S", renderer.__file__, str(PACKAGES), *fonts()]
        return subprocess.run(
            command, check=True, input=svg.encode(), capture_output=True, timeout=PATIENCE
        ).stdout
    except (subprocess.SubprocessError, OSError) as error:
        log.exception("A picture was not rendered")
        raise Busy from error
    finally:
        _places.release()
