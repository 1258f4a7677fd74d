"""Imports go down only: each room stands on those below it, and knows nothing of those above."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
APPS = ("coalition_site", "decks", "scoring")
# From the top to the ground. A module belongs to the longest name that it begins with.
FLOORS = {
    "wiring": (
        *("coalition_site", "scoring.urls", "scoring.apps", "scoring.management"),
        *("decks.urls", "decks.apps", "decks.management", "decks.admin", "decks.editors_site"),
    ),
    "pages": (
        *("scoring.tables", "scoring.conspiracy", "scoring.groups", "scoring.pictures"),
        *("decks.decks.views", "decks.decks.check", "decks.decks.own", "decks.decks.page"),
        *("decks.decks.report", "decks.bans.page", "decks.bans.announcements"),
        *("decks.bans.draft_views", "decks.catalogue.views", "decks.finder.page"),
        "decks.pictures.views",
    ),
    "record": ("scoring.record", "scoring.live", "decks"),
    "models": ("scoring.access", "scoring.models", "decks.models"),
    "rules": (
        *("scoring.rules", "scoring.setlog", "decks.rules", "decks.reading"),
        "coalition_site.lib",
    ),
}
DECKS_LOOK_AT_SCORING = "decks.record"  # and nowhere else


def modules() -> dict[str, Path]:
    """Return all modules of the apps by name; migrations are history."""
    return {
        ".".join(path.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__"): path
        for app in APPS
        for path in sorted((BASE / app).rglob("*.py"))
        if "migrations" not in path.parts
    }


MODULES = modules()


def floor(module: str) -> int:
    """Return how many floors are above a module's.

    >>> floor("coalition_site.urls"), floor("scoring.rules.engine"), floor("coalition_site.lib")
    (0, 4, 4)
    """
    names = {name: at for at, rooms in enumerate(FLOORS.values()) for name in rooms}
    return names[max((name for name in names if f"{module}.".startswith(f"{name}.")), key=len)]


def imported(module: str, path: Path, source: str) -> Iterator[str]:
    """Yield what of ours a module imports, at its top or in a function."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(APPS))
        if isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, (above, node.module)))
            names = [f"{base}.{alias.name}" for alias in node.names]
            if base.startswith(APPS):
                yield from (name if name in MODULES else base for name in names)


def upward(module: str, path: Path, source: str) -> list[str]:
    return [name for name in imported(module, path, source) if floor(name) < floor(module)]


def test_modules_import_from_their_floor_and_below_only():
    found = {name: upward(name, path, path.read_text()) for name, path in MODULES.items()}

    assert {name: above for name, above in found.items() if above} == {}


def test_no_files_import_each_other_in_a_circle():
    """Outside the rules, where moves, effects and formats know each other's types."""
    left = {
        name: {
            one
            for one in imported(name, path, path.read_text())
            if one != name and not one.startswith("scoring.rules.")
        }
        for name, path in MODULES.items()
        if not name.startswith("scoring.rules.")
    }
    while leaves := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in leaves:
            del left[name]

    assert list(left) == []


def test_decks_look_at_the_scoring_app_in_one_place_only():
    looking = {
        module
        for module, path in MODULES.items()
        if module.startswith("decks")
        and any(name.startswith("scoring") for name in imported(module, path, path.read_text()))
    }
    assert looking == {DECKS_LOOK_AT_SCORING}


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("scoring.record.dice", "from ..rules import sets", []),
        (
            "scoring.record.dice",
            "from ..groups.people.players import claim",
            ["scoring.groups.people.players"],
        ),
        ("scoring.record.dice", "def f():\n    import scoring.tables.log", ["scoring.tables.log"]),
        ("coalition_site.lib.texts", "from ..middleware import x", ["coalition_site.middleware"]),
        ("coalition_site.urls", "from scoring.groups import players", []),
    ],
)
def test_an_import_from_above_is_noticed(module, source, found):
    assert upward(module, MODULES[module], source) == found


# Formats stay behind their door: pages know none by name, and templates know no rules.
ROOMS_OF_PAGES = ("scoring/tables", "scoring/live")
PAGES_OF_FORMATS = {"formats.py", "guides.py", "start.py"}  # one chooses among them there
PAGES = [
    path
    for room in ROOMS_OF_PAGES
    for path in sorted((BASE / room).rglob("*.py"))
    if path.name not in PAGES_OF_FORMATS
]
OF_ONE_FORMAT = re.compile(
    r"(?i)conspirac|_drafts?\b|\bdrafts?\b|\bseal|agenda|\bsplits?_|goad|melee|leveler|\bwars?\b"
)
RULES = re.compile(r"\b(state|recent|ruleset)\.\w+\(")


def named(source: str) -> list[str]:
    """Return where code names single formats; docstrings and comments may give examples."""
    code = re.sub(r'"""(?s:.*?)"""|#.*', "", source)
    return OF_ONE_FORMAT.findall(code)


def test_pages_and_views_know_no_format_by_name():
    found = {str(path.relative_to(BASE)): named(path.read_text()) for path in PAGES}

    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("source", ["from ..conspiracy import drafts", "drafts.notes(table)"])
def test_a_format_that_is_named_is_noticed(source):
    assert named(source)


def test_no_template_calls_rules():
    called = {
        str(path.relative_to(BASE)): sorted(set(RULES.findall(path.read_text())))
        for path in sorted((BASE / "templates").rglob("*.html"))
    }
    assert {path: names for path, names in called.items() if names} == {}
