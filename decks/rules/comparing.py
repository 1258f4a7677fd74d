"""What differs between two decks, or two states of one."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

Place = tuple[str, str]  # a card's name, and its section


@dataclass(frozen=True, slots=True)
class Moved:
    count: int
    name: str
    source: str
    target: str


class Difference(NamedTuple):
    came: tuple[tuple[int, Place], ...] = ()
    went: tuple[tuple[int, Place], ...] = ()
    moved: tuple[Moved, ...] = ()
    same: tuple[tuple[int, Place], ...] = ()


def difference(before: Mapping[Place, int], after: Mapping[Place, int]) -> Difference:
    """Return what happened to a deck's cards, counted by their places.

    >>> changes = difference(
    ...     {("Elf", "main"): 4, ("Ox", "main"): 1}, {("Elf", "main"): 3, ("Elf", "sideboard"): 2}
    ... )
    >>> changes.came, changes.went
    (((1, ('Elf', 'sideboard')),), ((1, ('Ox', 'main')),))
    >>> changes.same
    ((3, ('Elf', 'main')),)
    >>> changes.moved
    (Moved(count=1, name='Elf', source='main', target='sideboard'),)
    """
    more, less = Counter(after) - Counter(before), Counter(before) - Counter(after)
    moved = []
    for source in sorted(less):
        for target in sorted(place for place in more if place[0] == source[0]):
            if count := min(less[source], more[target]):
                moved.append(Moved(count, source[0], source[1], target[1]))
                less[source] -= count
                more[target] -= count
    same = Counter(before) & Counter(after)
    return Difference(_counted(more), _counted(less), tuple(moved), _counted(same))


def _counted(places: Counter[Place]) -> tuple[tuple[int, Place], ...]:
    return tuple((count, place) for place, count in sorted(places.items()) if count > 0)
