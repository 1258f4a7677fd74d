"""The rules are plain Python: the standard library and themselves, no clock and no chance."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
ROOMS = tuple(BASE / room for room in ("scoring/rules", "scoring/setlog", "decks/rules"))
LIB = BASE / "coalition_site" / "lib"
# What these rooms stand on, as plain as they are themselves.
SHARED = {f"coalition_site.lib.{module}" for module in ("refusals", "texts", "untrusted")}
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


@pytest.mark.parametrize(
    "path",
    [
        "scoring/rules/engine.py",
        "scoring/rules/formats/coalition.py",
        "decks/rules/affiliations.py",
    ],
)
def test_there_are_rules_to_look_at(path):
    assert BASE / path in [path for _, path in MODULES]


@pytest.mark.parametrize(
    ("room", "path"), MODULES, ids=[str(path.relative_to(BASE)) for _, path in MODULES]
)
def test_module_of_the_rules_uses_nothing_foreign(room, path):
    depth = len(path.relative_to(room).parts)

    assert foreign(path.read_text(encoding="utf-8"), depth) == []


@pytest.mark.parametrize(
    ("source", "depth", "found"),
    [
        ("import json", 1, []),
        ("from collections.abc import Mapping", 1, []),
        ("from . import moves", 1, []),
        ("from .formats import Ruleset", 1, []),
        ("from ..moves import Hit", 2, []),
        ("from datetime import datetime\ndatetime.fromisoformat('2026-03-01')", 1, []),
        ("from uuid import UUID", 1, []),
        ("from .. import models", 1, [".."]),
        ("from ..rules.moves import Hit", 1, []),
        ("from ...rules import moves", 1, ["...rules"]),
        ("from ..models import Game", 1, ["..models"]),
        ("from ...models import Game", 2, ["...models"]),
        ("import django", 1, ["django"]),
        ("from django.db import models", 1, ["django.db"]),
        ("import decks.rules", 1, ["decks.rules"]),
        ("from scoring.models import Game", 1, ["scoring.models"]),
        ("from coalition_site.lib.texts import is_showable", 1, []),
        ("from coalition_site.lib.forms import Tap", 1, ["coalition_site.lib.forms"]),
        ("import random", 1, ["random"]),
        ("from secrets import choice", 1, ["secrets"]),
        ("def f():\n    import time", 1, ["time"]),
        ("import os.path", 1, ["os.path"]),
        ("from datetime import datetime\ndatetime.now()", 1, ["now"]),
        ("import datetime\nf = datetime.date.today", 1, ["today"]),
        ("from uuid import uuid4", 1, ["uuid4"]),
        ("import uuid\nuuid.uuid4()", 1, ["uuid4"]),
        ("__import__('random')", 1, ["__import__"]),
        ("open('x')", 1, ["open"]),
    ],
)
def test_wall_lets_through_only_what_is_plain(source, depth, found):
    assert foreign(source, depth) == found


IMPORTS_ALL = """
import importlib, sys
sys.modules["django"] = None
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)
print(*sorted(set(sys.modules) & {"random", "secrets", "sqlite3", "socket"}))
"""


def test_every_module_of_the_rules_imports_where_nothing_is_installed():
    """Without site-packages, and with Django barred besides."""
    names = [
        ".".join(path.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__")
        for _, path in MODULES
    ]

    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IMPORTS_ALL, str(BASE), *names],
        capture_output=True,
        check=False,
    )

    assert (ran.stderr.decode(), ran.stdout.decode().strip()) == ("", "")
