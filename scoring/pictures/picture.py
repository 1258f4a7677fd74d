"""What a picture shows, and the stamp that changes with it."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..tables.board import Who
from . import look


@dataclass(frozen=True, slots=True)
class Banner:
    """``names`` and what follows them, as in "takes the set", beside a number. ``who`` has the
    shield and the colour."""

    names: Sequence[str]
    rest: str = ""
    who: Who | None = None
    number: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class PictureLine:
    name: str
    value: str
    detail: str = ""
    rank: int | None = None
    who: Who | None = None


@dataclass(frozen=True, kw_only=True)
class Picture:
    """``about`` is where it is from; ``kind`` is the chart's in the template, ``note`` stands above
    it."""

    about: str
    banner: Banner
    lines: Sequence[PictureLine]
    kind: str = ""
    chart: Any = None  # of ``charts.py``
    note: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """Something with a picture; ``shows`` changes with all that the picture shows. Whoever
    ``is_private`` is for members only."""

    address: str
    shows: Any
    is_private: bool
    draw: Callable[[], Picture]

    @property
    def stamp(self) -> str:
        shown = (look.digest(), self.address, self.is_private, self.shows)
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

    @property
    def versioned(self) -> str:
        """The address that changes with the picture, so that previews of links are of now."""
        return f"{self.address}{'&' if '?' in self.address else '?'}v={self.stamp}"
