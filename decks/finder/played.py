"""How many decks of this site have each card, remembered for some minutes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from threading import Lock

from .. import queries

LASTS = 600  # seconds: one more deck hardly changes what is played


class Played:
    """The decks by card, counted again when they are asked for after some time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._decks: Mapping[int, int] = {}
        self._until = 0.0

    def now(self) -> Mapping[int, int]:
        """Return how many decks have a card, by its primary key. A query every ten minutes."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._decks = queries.decks_by_card()
                self._until = time.monotonic() + LASTS
            return self._decks

    def forget(self) -> None:
        """Count again when it is next asked."""
        self._until = 0.0


PLAYED = Played()
