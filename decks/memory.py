"""What a process remembers of the cards and the ban lists, until their versions change.

A change is seen by the next request of each process, and by the transaction that makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Generic, TypeVar

from . import queries, versions
from .catalogue.known import Catalogue
from .models import BanList
from .queries import Ban

LISTS_MAX = 100  # lists of a day that are remembered

T = TypeVar("T")


class Remembered(Generic[T]):
    """Something that is made again whenever the version of its part has changed."""

    def __init__(self, part: str, make: Callable[[], T]) -> None:
        self._part, self._make = part, make
        self._latest: tuple[int, T] | None = None

    def now(self) -> T:
        """Return what belongs to the current version. One query."""
        version, latest = versions.current(self._part), self._latest
        if latest and latest[0] == version:
            return latest[1]
        made = self._make()
        if version is not None:
            # Whoever still reads for an earlier version goes on with what belongs to that one.
            self._latest = version, made
        return made


class BanLists:
    """The ban lists by day, each read when it is first asked for."""

    def __init__(self) -> None:
        self._entries: dict[tuple[int | str, date], Sequence[Ban]] = {}

    def entries(self, format: str, house: BanList | None, on: date) -> Sequence[Ban]:
        """Return the entries of a house list, else of a format's, in force on a day."""
        key = (house.pk if house else format, on)
        if key not in self._entries:
            if len(self._entries) >= LISTS_MAX:
                self._entries = {}
            ban_list = house or queries.find_list(format)
            self._entries[key] = queries.read_bans(ban_list, on) if ban_list else ()
        return self._entries[key]


CATALOGUE = Remembered(versions.CARDS, Catalogue)
BAN_LISTS = Remembered(versions.BANS, BanLists)


def closest_names(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the closest card names for the first few of some unknown names. One query."""
    return CATALOGUE.now().closest(names)
