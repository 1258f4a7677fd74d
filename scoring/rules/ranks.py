"""Competition ranking: equal values share a rank, and leave out those after it."""

from collections.abc import Mapping
from typing import Any, TypeVar

K = TypeVar("K")


def ranked(values: Mapping[K, Any]) -> dict[K, int]:
    """
    >>> ranked({"Ann": 40, "Bo": 21, "Cy": 21, "Di": 7})
    {'Ann': 1, 'Bo': 2, 'Cy': 2, 'Di': 4}
    """
    first: dict[Any, int] = {}
    for place, value in enumerate(sorted(values.values(), reverse=True), 1):
        first.setdefault(value, place)
    return {key: first[value] for key, value in values.items()}
