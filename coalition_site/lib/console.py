"""What commands share: kinds of arguments, files, and an output that ends early."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from io import BufferedReader
from pathlib import Path
from typing import cast

from django.core.management.base import OutputWrapper


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


@contextmanager
def as_far_as_read(out: OutputWrapper) -> Iterator[None]:
    try:
        yield
        out.flush()
    except BrokenPipeError:  # the reader, such as ``head``, reads no further
        # Python flushes standard output again on exit, which would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
