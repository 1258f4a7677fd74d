"""Rendering SVG as PNG: a few at once, each in a process of its own."""

import logging
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

import resvg_py

from . import fonts, renderer

AT_ONCE = 2  # by each worker
PATIENCE = 10  # seconds
PACKAGES = Path(resvg_py.__file__).parents[1]

log = logging.getLogger(__name__)
_places = BoundedSemaphore(AT_ONCE)


class Busy(Exception):
    """As many pictures as may be are being rendered, or this one could not be."""


def png(svg: str) -> bytes:
    """Return a picture as PNG.

    :raises Busy: if it can't be rendered now.
    """
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        # Not sys.argv's interpreter options: nothing of the site is to be imported there.
        command = [sys.executable, "-I", "-S", renderer.__file__, str(PACKAGES), *fonts.files()]
        return subprocess.run(
            command, check=True, input=svg.encode(), capture_output=True, timeout=PATIENCE
        ).stdout
    except (subprocess.SubprocessError, OSError) as error:
        log.exception("A picture was not rendered")
        raise Busy from error
    finally:
        _places.release()
