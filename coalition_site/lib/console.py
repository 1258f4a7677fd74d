"""What commands share: kinds of arguments, and files."""

import sys
from argparse import ArgumentTypeError
from datetime import date
from io import BufferedReader
from pathlib import Path
from typing import cast


def count(text: str) -> int:
    if (number := int(text)) < 0:
        raise ValueError
    return number


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a day like 2026-03-09") from None


def open_file(name: str) -> BufferedReader:
    """``-`` is standard input."""
    return cast("BufferedReader", sys.stdin.buffer) if name == "-" else Path(name).open("rb")
