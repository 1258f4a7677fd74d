"""How many files, and therefore connections, this process may have open."""

from __future__ import annotations

import resource

ENOUGH = 65_536


def allow_enough() -> int:
    """Raise the limit of open files as far as the system allows, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(soft, min(ENOUGH, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def streams_for(files: int, wanted: int) -> int:
    """Return how many streams leave room for everything else.

    >>> streams_for(65_536, 2000), streams_for(1024, 2000)
    (2000, 512)
    """
    return min(wanted, files // 2)
