"""Formats stay behind their door: pages know none by name, and templates know no rules."""

import re
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[2]
ROOMS = ("scoring/views", "scoring/pages", "scoring/live", "scoring/forms")
PAGES_OF_FORMATS = {"formats.py", "guides.py"}
MODULES = [
    path
    for room in ROOMS
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
    found = {str(path.relative_to(BASE)): named(path.read_text()) for path in MODULES}

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
