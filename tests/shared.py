"""Where the shared cases and data stand: beside the repository, or where COALITION_SHARED says.

None of it is ours to commit; tests that need it skip loudly where it is missing.
"""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[2] / "shared"
SHARED = Path(os.environ.get("COALITION_SHARED") or BESIDE_THE_REPOSITORY)


def skip_module_without(*parts: str) -> None:
    """Skip the module that calls this, if not all ``parts`` of the shared folder are there."""
    missing = [part for part in parts if not (SHARED / part).exists()]
    if missing:
        words = f"SHARED CASES NOT PLAYED: there is no {' nor '.join(missing)} in {SHARED}"
        pytest.skip(words, allow_module_level=True)


def load_shared(part: str) -> Any:
    data = (SHARED / part).read_bytes()
    return json.loads(gzip.decompress(data) if part.endswith(".gz") else data)
