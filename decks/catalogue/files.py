"""Card files: JSON arrays read as a stream, so that their size does not matter."""

import zlib
from collections.abc import Iterator
from gzip import GzipFile
from http.client import HTTPResponse
from io import BufferedReader
from typing import Any

import ijson

from coalition_site.lib.refusals import Refused

GZIP_MAGIC = b"\x1f\x8b"
DEPTH = 1000  # of brackets in a file, far more than any card has
CARD_MAX = 2_000_000  # bytes of text, far more than any card has
FILE_MAX = 500_000_000  # bytes of text, three times what all cards have

Peekable = BufferedReader | GzipFile | HTTPResponse  # what opening a file or an address returns


class BrokenCardFile(Refused):
    """Not a list of cards; the message says what is wrong, and where."""


def read_records(file: Peekable) -> Iterator[Any]:
    """:raises BrokenCardFile: if it is not a JSON array, or is cut off."""
    # By its first bytes, since names and headers are often wrong about compression.
    buffered = GzipFile(fileobj=file) if file.peek(2)[:2] == GZIP_MAGIC else file
    bounded = _Bounded(buffered)
    try:
        while (ahead := buffered.peek(64)) and not ahead.strip():
            buffered.read(len(ahead))
        if not ahead.lstrip().startswith(b"["):
            raise BrokenCardFile("This is not a list of cards: a JSON array is expected.")
        for record in ijson.items(bounded, "item"):
            yield record
            bounded.cards, bounded.size = bounded.cards + 1, 0
    except (ijson.JSONError, EOFError, OSError, zlib.error) as error:
        raise BrokenCardFile(
            f"The file is broken after card {bounded.cards}: {error}. Nothing was changed."
        ) from error


class _Bounded:
    """A file that is refused as soon as a card in it is too large or nested too deeply."""

    # Brackets inside texts are counted too: they usually come in pairs.
    def __init__(self, file: Peekable) -> None:
        self.file, self.depth, self.cards, self.size = file, 0, 0, 0
        self.remaining = FILE_MAX

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(size)
        opened, closed = data.count(b"[") + data.count(b"{"), data.count(b"]") + data.count(b"}")
        self.depth += opened - closed
        self.size += len(data)
        self.remaining -= len(data)
        if self.depth > DEPTH:
            raise BrokenCardFile(
                "The file is nested more deeply than any list of cards. Nothing was changed."
            )
        if self.size > CARD_MAX:
            raise BrokenCardFile(
                f"Card {self.cards + 1} is larger than {CARD_MAX // 1_000_000} MB, which no real "
                f"card is. Nothing was changed."
            )
        if self.remaining < 0:
            raise BrokenCardFile(
                f"The file is larger than {FILE_MAX // 1_000_000} MB, which no list of all cards "
                f"is. Nothing was changed."
            )
        return data
