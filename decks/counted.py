"""What is counted over all decks and sets of this site, remembered for some minutes."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from . import queries, record

LASTS = 600  # seconds: one more deck hardly changes what is played

T = TypeVar("T")


class Counted(Generic[T]):
    """Something that is counted again when it is asked for after some time."""

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
        """Count again when it is next asked."""
        self._latest = None


PLAYED = Counted(queries.decks_by_card)  # decks by the primary key of a card
ALL_DECKS = Counted(record.sums)
