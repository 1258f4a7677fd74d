"""What is counted over all decks and sets of this site, remembered for some minutes."""

import time
from collections.abc import Callable, Hashable
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

from . import queries, record

LASTS = 600  # seconds: one more deck hardly changes what is played

KEYS_MAX = 1000

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Counted(Generic[T]):
    def __init__(self, count: Callable[[], T]) -> None:
        self._count = count
        self._lock = Lock()
        self._latest: tuple[float, T] | None = None

    def now(self) -> T:
        """Return what was counted in the last ten minutes. Its queries otherwise."""
        with self._lock:
            if self._latest is None or time.monotonic() >= self._latest[0]:
                self._latest = time.monotonic() + LASTS, self._count()
            return self._latest[1]

    def forget(self) -> None:
        self._latest = None


class CountedFor(Generic[K, T]):
    def __init__(self, count: Callable[[K], T]) -> None:
        self._count = count
        self._by_key: dict[K, Counted[T]] = {}

    def now(self, key: K) -> T:
        if len(self._by_key) >= KEYS_MAX:
            self.forget()
        return self._by_key.setdefault(key, Counted(partial(self._count, key))).now()

    def forget(self) -> None:
        self._by_key.clear()


PLAYED = Counted(queries.decks_by_card)  # decks by the primary key of a card
EVIDENCE = CountedFor(record.sums)  # by the primary key of a card
