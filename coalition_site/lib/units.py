"""Numbers with their units."""

from __future__ import annotations


def amount(count: int, unit: str) -> str:
    """Return a number of things.

    >>> amount(1, "set"), amount(1200, "set")
    ('1 set', '1,200 sets')
    """
    return f"{count:,} {unit if count == 1 else unit + 's'}"
