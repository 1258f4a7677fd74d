"""Which cards have which property, as sets that cost next to nothing to combine."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, count

from ..models import POOL, Affiliation, Card, Legality

FLAGS = "is_creature is_land is_basic is_legendary has_legendary_back can_lead every_type".split()
FLAGS += "reserved is_conspiracy uses_ante uses_stickers".split()
FORMATS = ("vintage", "legacy")
RARE = 3  # letters of a word that few names contain
FEW = 300  # cards that are sorted; of more only the first are looked for
_FILLED = re.compile(rb"[^\0]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Ranked:
    """All places in some order, and the rank of each place in it."""

    places: Sequence[int]
    ranks: Sequence[int]

    @classmethod
    def of(cls, places: Sequence[int]) -> Ranked:
        """Return an order of all places from 0.

        >>> Ranked.of([2, 0, 1]).ranks
        array('l', [1, 2, 0])
        """
        ranks = array("l", bytes(len(places) * array("l").itemsize))
        for rank, place in enumerate(places):
            ranks[place] = rank
        return cls(array("l", places), ranks)

    def backwards(self) -> Ranked:
        return Ranked.of(self.places[::-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """All cards by their places, in order of their names.

    A set of cards is a whole number, whose bit n is set if the card at place n belongs to it.
    ``flags`` are the sets of cards by the boolean field that is set, ``types`` by affiliation,
    ``legalities`` by format and legality.
    """

    keys: Sequence[str]
    text: str  # each key after a line break
    starts: Sequence[int]  # of the line breaks in it
    legends: Mapping[str, Sequence[int]]  # places of legendary cards, by name
    rows: Sequence[int]  # primary keys
    places: dict[int, int]  # by primary key
    by_name: Ranked
    by_mana: Ranked
    flags: dict[str, int]
    types: dict[str, int]
    legalities: dict[tuple[str, str], int]
    in_pool: int
    affiliated: int  # with any type

    @property
    def all(self) -> int:
        return (1 << len(self.keys)) - 1

    def of_types(self, names: Iterable[str]) -> int:
        """Return the cards that have any of some types."""
        of_types = self.flags["every_type"]
        for name in names:
            of_types |= self.types.get(name, 0)
        return of_types

    def with_words(self, words: Sequence[str]) -> int:
        """Return the cards whose keys contain all of some words."""
        if not words:
            return self.all
        longest, *others = sorted(words, key=len, reverse=True)
        places = self._with_word(longest)
        for word in others:
            places = [place for place in places if word in self.keys[place]]
        return as_set(places, len(self.keys))

    def _with_word(self, word: str) -> Iterable[int]:
        """Return the places of the cards whose keys contain a word, some of them repeatedly."""
        if len(word) < RARE:
            return [place for place, key in enumerate(self.keys) if word in key]
        # What is rare is found in half the time if Python looks at a single text.
        return self._places_in_text(word)

    def _places_in_text(self, word: str) -> Iterator[int]:
        at, last = self.text.find(word), len(self.starts) - 1
        while at >= 0:
            place = bisect_right(self.starts, at) - 1
            yield place
            at = self.text.find(word, self.starts[place + 1]) if place < last else -1

    def beginning_with(self, words: str) -> tuple[int, int]:
        """Return the cards whose keys begin with some words, and those that `named` returns."""
        places = self._beginning_with(words)
        whole = [place for place in places if self.keys[place] == words]
        front = [place for place in places if self.keys[place].startswith(f"{words}/")]
        size = len(self.keys)
        return as_set(places, size), as_set(whole or front, size)

    def named(self, key: str) -> int:
        """Return the cards with this key, else those whose front face has it."""
        return self.beginning_with(key)[1]

    def _beginning_with(self, words: str) -> list[int]:
        parts = self.text.split(f"\n{words}")[:-1]
        # Each part but the first comes after a line break that was split off.
        breaks = accumulate(part.count("\n") + (number > 0) for number, part in enumerate(parts))
        return list(breaks)

    def legends_named(self, name: str) -> int:
        """Return the legendary cards of exactly this name."""
        return as_set(self.legends.get(name, ()), len(self.keys))

    def of_rows(self, rows: Iterable[int]) -> int:
        """Return the cards with some primary keys; those without a card are left out."""
        places = (self.places.get(row) for row in rows)
        return as_set((place for place in places if place is not None), len(self.keys))

    def in_order(self, cards: int, order: Ranked) -> Iterator[int]:
        """Yield the primary keys of some cards in an order of all places."""
        if cards.bit_count() <= FEW:
            places = sorted(in_set(cards), key=order.ranks.__getitem__)
            return (self.rows[place] for place in places)
        chosen = cards.to_bytes(len(self.keys) // 8 + 1, "little")
        return (self.rows[place] for place in order.places if chosen[place >> 3] >> (place & 7) & 1)


def as_set(places: Iterable[int], size: int) -> int:
    """Return the set of cards at some places below ``size``.

    >>> bin(as_set([0, 3], 8))
    '0b1001'
    """
    bits = bytearray(size // 8 + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def in_set(cards: int) -> Iterator[int]:
    """Yield the places of a set of cards.

    >>> list(in_set(0b1001))
    [0, 3]
    """
    filled = cards.to_bytes(cards.bit_length() // 8 + 1, "little")
    for match in _FILLED.finditer(filled):
        place, bits = 8 * match.start(), match[0][0]
        yield from (place + bit for bit in range(8) if bits >> bit & 1)


def read_index() -> Index:
    """Return the index of all cards. Two queries."""
    fields = ("pk", "key", "name", "mana_value", *FORMATS, *FLAGS)
    cards = list(Card.objects.order_by("key", "pk").values_list(*fields))
    rows, keys, names, values, *columns = zip(*cards, strict=True) if cards else [()] * len(fields)
    size = len(cards)
    legalities, flags = columns[: len(FORMATS)], columns[len(FORMATS) :]
    places = {row: place for place, row in enumerate(rows)}
    types, affiliated = _by_type(places)
    return Index(
        keys=keys,
        text="".join(f"\n{key}" for key in keys),
        starts=array("l", accumulate((len(key) + 1 for key in keys[:-1]), initial=0)),
        legends=_by_name(names, flags[FLAGS.index("is_legendary")]),
        rows=array("q", rows),
        places=places,
        by_name=Ranked.of(range(size)),
        by_mana=Ranked.of(sorted(range(size), key=values.__getitem__)),
        flags={
            field: as_set(compress(count(), column), size)
            for field, column in zip(FLAGS, flags, strict=True)
        },
        types={name: as_set(of_type, size) for name, of_type in types.items()},
        legalities={
            (format, legality): as_set(
                (place for place, value in enumerate(column) if value == legality), size
            )
            for format, column in zip(FORMATS, legalities, strict=True)
            for legality in Legality.values
        },
        in_pool=as_set((place for place, value in enumerate(legalities[0]) if value in POOL), size),
        affiliated=as_set(affiliated, size),
    )


def _by_name(names: Sequence[str], chosen: Sequence[bool]) -> dict[str, list[int]]:
    """Return the places of the chosen cards by their names."""
    by_name: dict[str, list[int]] = {}
    for place in compress(count(), chosen):
        by_name.setdefault(names[place], []).append(place)
    return by_name


def _by_type(places: Mapping[int, int]) -> tuple[dict[str, list[int]], set[int]]:
    """Return the places of the cards of each creature type, and those of cards with any."""
    by_type: dict[str, list[int]] = {}
    for name, row in Affiliation.objects.values_list("creature_type__name", "card"):
        if row in places:  # an import may have ended since the cards were read
            by_type.setdefault(name, []).append(places[row])
    return by_type, {place for of_type in by_type.values() for place in of_type}
