"""What a process remembers of the cards and the ban lists, until their versions change.

A change is seen by the next request of each process, and by the transaction that makes it.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from functools import lru_cache, partial
from threading import Lock
from typing import Generic, TypeVar

from coalition_site.lib.refusals import Refused

from .. import queries, versions
from ..models import BanList, Card
from ..rules.deck import no_card_called
from ..rules.entries import displayable
from .known import Catalogue, KnownCard

LISTS_MAX = 100  # lists of a day that are remembered

T = TypeVar("T")


class Remembered(Generic[T]):
    """Something that is made again whenever the version of its part has changed."""

    def __init__(self, part: str, make: Callable[[], T]) -> None:
        self._part, self._make = part, make
        self._latest: tuple[int, T] | None = None
        self._lock = Lock()

    def now(self) -> T:
        """Whoever still reads for an earlier version goes on with what belongs to that one."""
        version = versions.current(self._part)
        if version is None:
            return self._make()
        with self._lock:
            if self._latest is None or self._latest[0] != version:
                self._latest = version, self._make()
            return self._latest[1]


class BanLists:
    """What the list of a format, or a house list instead, says on a day, and when it changes."""

    def __init__(self) -> None:
        self.entries = lru_cache(LISTS_MAX)(partial(_of_list, queries.read_bans))
        self.days_after = lru_cache(LISTS_MAX)(partial(_of_list, queries.change_days))


def _of_list(
    read: Callable[[BanList, date], Sequence[T]], format: str, house: BanList | None, on: date
) -> Sequence[T]:
    ban_list = house or queries.find_list(format)
    return read(ban_list, on) if ban_list else ()


CATALOGUE = Remembered(versions.CARDS, Catalogue)
BAN_LISTS = Remembered(versions.BANS, BanLists)


def closest_names(names: Sequence[str]) -> dict[str, list[str]]:
    return CATALOGUE.now().closest(names)


class UnknownCard(Refused):
    def __init__(self, name: str) -> None:
        self.closest = closest_names([name])[name]
        super().__init__(no_card_called(displayable(name), self.closest))


def find_cards(names: Collection[str]) -> dict[str, KnownCard]:
    return CATALOGUE.now().find(names)


def find_rows(names: Collection[str]) -> dict[str, Card]:
    """Return the cards with these names as they are stored. Three queries at most."""
    known = find_cards(names)
    rows = Card.objects.in_bulk({card.pk for card in known.values()})
    return {name: rows[card.pk] for name, card in known.items()}
