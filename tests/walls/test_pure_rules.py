"""The rules are plain Python: the standard library and themselves, no clock and no chance."""

import ast
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
PURE = ("scoring/rules", "scoring/setlog", "decks/rules", "decks/reading")
ROOMS = tuple(BASE / room for room in PURE)
LIB = BASE / "coalition_site" / "lib"
# What these rooms stand on, as plain as they are themselves.
SHARED = {f"coalition_site.lib.{module}" for module in ("bidi", "refusals", "texts", "untrusted")}
MODULES = [(room, path) for room in ROOMS for path in sorted(room.rglob("*.py"))]
MODULES += [(LIB, LIB / f"{module.rpartition('.')[2]}.py") for module in sorted(SHARED)]

BARRED = {"random", "secrets", "time", "django", "os", "socket", "sqlite3", "urllib", "importlib"}
CLOCK_AND_CHANCE = {"now", "today", "utcnow", "uuid1", "uuid4"}
BUILTINS = {"open", "input", "exec", "eval", "__import__"}


def foreign(source: str, depth: int = 1) -> list[str]:
    """Return what a module at ``depth`` below the room may not use, in order."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                found += [alias.name for alias in names if not is_plain(alias.name)]
            case ast.ImportFrom(module, _, level) if level == depth + 1 and is_rules(module):
                continue  # the set log stands on the rules
            case ast.ImportFrom(module, names, 0):
                found += [] if is_plain(module) else [module]
                found += [alias.name for alias in names if alias.name in CLOCK_AND_CHANCE]
            case ast.ImportFrom(module, _, level):
                found += [f"{'.' * level}{module or ''}"] if level > depth else []
            case ast.Attribute(attr=name) if name in CLOCK_AND_CHANCE:
                found.append(name)
            case ast.Name(name) if name in BUILTINS:
                found.append(name)
    return found


def is_rules(module: str | None) -> bool:
    return (module or "").split(".")[0] == "rules"


def is_plain(module: str) -> bool:
    room = module.split(".")[0]
    return module in SHARED or (room in sys.stdlib_module_names and room not in BARRED)


def test_modules_of_the_rules_use_nothing_foreign():
    found = {
        str(path.relative_to(BASE)): foreign(path.read_text(), len(path.relative_to(room).parts))
        for room, path in MODULES
    }

    assert found.keys() >= {"scoring/rules/engine.py", "decks/rules/affiliations.py"}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "depth", "found"),
    [
        ("from collections.abc import Mapping", 1, []),
        ("from ..moves import Hit", 2, []),
        ("from ..rules.moves import Hit", 1, []),
        ("from datetime import datetime\ndatetime.fromisoformat('2026-03-01')", 1, []),
        ("from coalition_site.lib.texts import is_showable", 1, []),
        ("from coalition_site.lib.forms import Tap", 1, ["coalition_site.lib.forms"]),
        ("from .. import models", 1, [".."]),
        ("from ...models import Game", 2, ["...models"]),
        ("from django.db import models", 1, ["django.db"]),
        ("def f():\n    import os.path", 1, ["os.path"]),
        ("from uuid import uuid4", 1, ["uuid4"]),
        ("import datetime\nf = datetime.date.today", 1, ["today"]),
        ("open('x')", 1, ["open"]),
    ],
)
def test_wall_lets_through_only_what_is_plain(source, depth, found):
    assert foreign(source, depth) == found
