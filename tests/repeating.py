"""Cases that repeat their siblings as far as a database can tell."""

from __future__ import annotations

from typing import Any

import pytest


def repeated(*cases: object) -> list[Any]:
    """Mark cases whose siblings send the same queries, in other words.

    `make test` tries them on SQLite alone; pytest by hand has them on PostgreSQL too.
    """
    return [pytest.param(case, marks=pytest.mark.repeated) for case in cases]
