"""The first release as it was: its migrations, and a database with its data on either kind."""

import hashlib
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

FIRST = Path(__file__).parent / "first"
IMPORTS = re.compile(rb"^from (coalition_site|decks|scoring)\b.*\n", re.M)


def record() -> dict[str, Any]:
    record: dict[str, Any] = json.loads((FIRST / "release.json").read_text())
    return record


def dump(kind: str) -> str:
    return (FIRST / f"{kind}.sql").read_text()


def hash_of(migrations: dict[str, list[str]]) -> str:
    """Return a hash of the files of migrations: a released one never changes.

    Their imports from our own modules are left out: they follow the modules that move.
    """
    content = hashlib.sha256()
    for app in sorted(migrations):
        folder = Path(str(import_module(f"{app}.migrations").__file__)).parent
        for name in sorted(migrations[app]):
            file = folder / f"{name}.py"
            content.update(IMPORTS.sub(b"", file.read_bytes()) if file.exists() else b"gone")
    return content.hexdigest()
