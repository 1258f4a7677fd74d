"""How many streams may be open at once, from each address and in total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

_open: Counter[str] = Counter()  # by address; only the event loop's thread changes it


def has_room(place: str) -> bool:
    """Return whether an address may open another stream."""
    most = settings.STREAMS_PER_ADDRESS
    return _open.total() < settings.STREAMS_MAX and not (most and _open[place] >= most)


@contextmanager
def counted(place: str) -> Iterator[None]:
    """Count a stream for as long as it is open."""
    _open[place] += 1
    try:
        yield
    finally:
        _open[place] -= 1
        if not _open[place]:
            del _open[place]
