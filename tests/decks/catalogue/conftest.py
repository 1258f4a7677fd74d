"""What tests of imports share."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., str]:
    """Write a card file of the 21st, of records or of bytes, and return its path."""

    def write(*records: Any, content: bytes | None = None, name: str = "cards.json") -> str:
        path = tmp_path / name
        path.write_bytes(json.dumps(records).encode() if content is None else content)
        then = datetime(2026, 11, 21, 23, 59, tzinfo=UTC).timestamp()
        os.utime(path, (then, then))
        return str(path)

    return write
