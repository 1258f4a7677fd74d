"""What is counted over all decks and sets of this site, remembered for some minutes."""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar

from .. import queries, record

LASTS = 600  # seconds: one more deck hardly changes what is played

T = TypeVar("T")


class Counted(Generic[T]):
    """What ``count`` returns, counted again every ten minutes; remembered for ``most`` cards."""

    def __init__(self, count: Callable[..., T], most: int = 1) -> None:
        self._at = lru_cache(most)(lambda _, *card: count(*card))
        self.forget = self._at.cache_clear

    def now(self, *card: int) -> T:
        return self._at(time.monotonic() // LASTS, *card)


# Decks by the primary key of a card.
PLAYED = Counted(lambda: dict(queries.cards_in_decks().values_list("card", "decks")))
EVIDENCE = Counted(record.sums, 1000)  # by the primary key of a card
