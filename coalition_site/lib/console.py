"""What commands share: kinds of arguments, and files."""

import sys
from io import BufferedReader
from pathlib import Path
from typing import cast


def count(text: str) -> int:
    if (number := int(text)) < 0:
        raise ValueError
    return number


def open_file(name: str) -> BufferedReader:
    """``-`` is standard input."""
    return cast("BufferedReader", sys.stdin.buffer) if name == "-" else Path(name).open("rb")
