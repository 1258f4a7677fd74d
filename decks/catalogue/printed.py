"""What is printed on the cards, as sets: colours, costs, types, numbers, keywords and text.

Each part is read from the database when a search first asks for it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from ..models import Card, CardFace
from ..rules.affiliations import Face, own_names
from ..rules.expressions.comparing import printed_number
from ..rules.oracle_text import rules_text, text_key
from .index import Index, as_set

V = TypeVar("V", bound=Hashable)
PHRASES_MAX = 256  # phrases whose cards are remembered; 4 kB each
MANY = 64  # cards of a value that are stored as a set
# What rules texts say of themselves instead of their names.
_KINDS = """
creature land artifact enchantment spell card permanent token aura equipment vehicle saga class
planeswalker siege case room
"""
ITSELF = tuple(f"this {kind}" for kind in _KINDS.split())


class Groups(Generic[V]):
    """The places of cards by some value; a card can have several."""

    def __init__(self, values: Iterable[tuple[V, int]], size: int) -> None:
        places: dict[V, array[int]] = {}
        for value, place in values:
            places.setdefault(value, array("l")).append(place)
        self._size = size
        self._small = {value: some for value, some in places.items() if len(some) < MANY}
        self._sets = {
            value: as_set(some, size) for value, some in places.items() if len(some) >= MANY
        }

    def values(self) -> list[V]:
        return [*self._sets, *self._small]

    def of(self, value: V) -> int:
        """Return the cards with a value."""
        return self._sets.get(value) or as_set(self._small.get(value, ()), self._size)

    def where(self, fits: Callable[[V], bool]) -> int:
        """Return the cards with any value that fits."""
        cards = as_set(
            (place for value, places in self._small.items() if fits(value) for place in places),
            self._size,
        )
        for value, of_value in self._sets.items():
            if fits(value):
                cards |= of_value
        return cards


class Numbers(NamedTuple):
    """What is printed in numbers on a face; None where nothing is."""

    mv: float
    pow: float | None
    tou: float | None
    loy: float | None
    defense: float | None


class Texts:
    """The texts of all faces, in small letters, and how often somebody looks for a phrase."""

    def __init__(self, texts: Iterable[tuple[int, str]], size: int) -> None:
        self._texts = list(texts)
        self._size = size
        self._known: dict[str, int] = {}

    def with_phrase(self, phrase: str) -> int:
        """Return the cards with a phrase in a text."""
        cards = self._known.get(phrase)
        if cards is None:
            cards = as_set((place for place, _ in self._containing([phrase])), self._size)
            if len(self._known) >= PHRASES_MAX:
                self._known.clear()
            self._known[phrase] = cards
        return cards

    def with_pattern(self, phrase: str, names: Mapping[int, list[str]]) -> int:
        """Return the cards with a phrase in which "~" stands for the card itself."""
        variants = [phrase.replace("~", itself) for itself in ITSELF]
        return as_set(
            (
                place
                for place, text in self._containing(phrase.split("~"))
                if any(variant in text for variant in variants)
                or any(phrase.replace("~", name) in text for name in names[place])
            ),
            self._size,
        )

    def _containing(self, pieces: list[str]) -> Iterable[tuple[int, str]]:
        longest = max(pieces, key=len)
        for place, text in self._texts:
            if longest in text and all(piece in text for piece in pieces):
                yield place, text

    def empty(self) -> int:
        """Return the cards with a face without text."""
        return as_set(
            (place for place, text in self._texts if not text.strip()),
            self._size,
        )


class Printed:
    """What is printed on the cards of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._size = len(index.keys)

    @cached_property
    def type_lines(self) -> Groups[str]:
        return self._of_cards("type_line", str.casefold)

    @cached_property
    def type_words(self) -> Groups[str]:
        """By the words of their type lines."""
        rows = Card.objects.values_list("pk", "type_line").order_by()
        return self._groups(
            (row, word) for row, line in rows for word in set(line.casefold().split())
        )

    @cached_property
    def layouts(self) -> Groups[str]:
        return self._of_cards("layout")

    @cached_property
    def identities(self) -> Groups[str]:
        return self._of_cards("identity")

    @cached_property
    def keywords(self) -> Groups[str]:
        rows = Card.objects.exclude(keywords="").values_list("pk", "keywords")
        return self._groups(
            (row, keyword) for row, keywords in rows for keyword in keywords.casefold().split(",")
        )

    @cached_property
    def colors(self) -> Groups[str]:
        """By the colours of any of their faces."""
        return self._groups(CardFace.objects.values_list("card", "colors").distinct().order_by())

    @cached_property
    def costs(self) -> Groups[str]:
        rows = CardFace.objects.exclude(mana_cost="").values_list("card", "mana_cost")
        return self._groups(rows.order_by())

    @cached_property
    def numbers(self) -> Groups[Numbers]:
        fields = ("card", "card__mana_value", "power", "toughness", "loyalty", "defense")
        rows = CardFace.objects.values_list(*fields).order_by()
        return self._groups(
            (row, Numbers(value, *map(printed_number, printed))) for row, value, *printed in rows
        )

    @cached_property
    def texts(self) -> Texts:
        """The rules texts without reminders."""
        return self._texts(lambda text: text_key(rules_text(text)))

    @cached_property
    def full_texts(self) -> Texts:
        return self._texts(text_key)

    @cached_property
    def names(self) -> Mapping[int, list[str]]:
        """What each card's text may call the card, by place."""
        names: dict[int, list[str]] = {}
        fields = ("card", "name", "type_line")
        for row, name, type_line in CardFace.objects.values_list(*fields).order_by():
            if row in self._index.places:
                own = own_names([Face(name, type_line, "")])
                names.setdefault(self._index.places[row], []).extend(map(text_key, own))
        return names

    def _of_cards(self, field: str, key: Callable[[str], str] = str) -> Groups[str]:
        rows = Card.objects.values_list("pk", field).order_by()
        return self._groups((row, key(value)) for row, value in rows)

    def _groups(self, rows: Iterable[tuple[int, Any]]) -> Groups[Any]:
        places = self._index.places  # an import may have ended since the index was read
        return Groups(((value, places[row]) for row, value in rows if row in places), self._size)

    def _texts(self, key: Callable[[str], str]) -> Texts:
        rows = CardFace.objects.values_list("card", "oracle_text").order_by()
        places = self._index.places
        return Texts(((places[row], key(text)) for row, text in rows if row in places), self._size)
