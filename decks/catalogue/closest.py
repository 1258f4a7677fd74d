"""Which names of cards are closest to a misspelt one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from rapidfuzz import fuzz, process

CLOSEST = 2
NEAR_ENOUGH = 75  # from 0 to 100, as rapidfuzz scores
MISSPELT_MAX = 1000  # misspelt names whose closest names are remembered


class AllNames:
    """All names in the catalogue by their keys, and the keys sorted."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Take each card's key of the front, key of the whole name, and name."""
        self._by_key: dict[str, str] = {}
        for front, key, name in rows:
            self._by_key[key] = name  # a whole name replaces a front face of the same key
            self._by_key.setdefault(front, name)
        self._keys = sorted(self._by_key)
        self._closest: dict[str, list[str]] = {}

    def closest(self, key: str) -> list[str]:
        """Return the names closest to a key. A list that is being typed asks again and again."""
        names = self._closest.get(key)
        if names is None:
            names = self._search(key)
            if len(self._closest) >= MISSPELT_MAX:
                self._closest = {}
            self._closest[key] = names
        return names

    def _search(self, key: str) -> list[str]:
        """Return names that begin with the words of a key, then the most similar ones."""
        # A dict for its order: both keys of a two-faced card may match.
        names = dict.fromkeys(self._by_key[match] for match in _beginning_with(key, self._keys))
        if len(names) < CLOSEST:
            similar = process.extract(
                key, self._keys, scorer=fuzz.ratio, limit=CLOSEST, score_cutoff=NEAR_ENOUGH
            )
            names |= dict.fromkeys(self._by_key[match] for match, _, _ in similar)
        return [*names][:CLOSEST]


def _beginning_with(words: str, keys: Sequence[str]) -> Iterator[str]:
    """Yield the keys that begin with whole words; ``keys`` are sorted."""
    for key in islice(keys, bisect_left(keys, words), None):
        if not key.startswith(words):
            return
        if not key[len(words) :][:1].isalnum():
            yield key
