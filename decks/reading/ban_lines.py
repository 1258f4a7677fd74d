"""Reading ban lists that people write: one card per line, with what the list says of it and why."""

import re
from collections.abc import Iterator
from typing import NamedTuple

LINES_MAX = 1000
WORDS = {
    "banned": "banned",
    "ban": "banned",
    "watched": "watched",
    "watch list": "watched",
    "watchlist": "watched",
    "allowed": "allowed",
    "restricted": "restricted",
    "legal": "legal",
    "unbanned": "legal",
}
_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_DASH = r"(?:\s*[:|\t]\s*|\s+[-–—]\s+)"
_LINE = re.compile(rf"(?P<name>.+?){_DASH}(?P<word>{_WORD})(?:{_DASH}(?P<reason>.*))?", re.I)
_WITH_REASON = re.compile(r"(?P<name>.+?)(?:\s*[|\t]\s*|\s+[–—]\s+)(?P<reason>.*)")
_HEADING = re.compile(rf"[#*_\s]*(?P<word>{_WORD})(?: cards)?[*_\s]*:?[*_\s]*(?:\(\d+\))?", re.I)
_BULLET = re.compile(r"^(?:[-*•]|1x?)\s+")


class BanLine(NamedTuple):
    """A line of a list; ``number`` counts from 1."""

    number: int
    name: str
    status: str
    reason: str


def read(text: str, status: str = "banned") -> Iterator[BanLine]:
    r"""Yield the lines of a list. Those that say no status have that of the heading above them.

    >>> for line in read("Balance\n\nLegal:\n- Lightning Bolt\nOx: banned - Too slow."):
    ...     print(line.number, line.name, line.status, line.reason or "?")
    1 Balance banned ?
    4 Lightning Bolt legal ?
    5 Ox banned Too slow.
    >>> [line.name for line in read("Circle of Protection: Red: banned")]
    ['Circle of Protection: Red']
    """
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if heading := _HEADING.fullmatch(content):
            status = WORDS[heading["word"].lower()]
        elif content and not content.startswith(("#", "//")):
            content = _BULLET.sub("", content)
            if parts := _LINE.fullmatch(content):
                name, word, reason = parts["name"], parts["word"].lower(), parts["reason"] or ""
                yield BanLine(number, name.strip(), WORDS[word], reason.strip())
            else:
                parts = _WITH_REASON.fullmatch(content)
                name, reason = (parts["name"], parts["reason"]) if parts else (content, "")
                yield BanLine(number, name.strip(), status, reason.strip())
