"""The documents name files and functions that exist, and the README stays short."""

import re
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[1]
TOP = [BASE / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
DOCUMENTS = [*TOP, *sorted((BASE / "docs").glob("*.md"))]
FOLDERS = "coalition_site|decks|deploy|docs|scoring|static|templates|tests"
FILE = re.compile(rf"`((?:{FOLDERS})/[\w./-]*\.\w+)`")
NAMED = re.compile(rf"`((?:{FOLDERS})/[\w./-]*\.(?:py|js))`\s*(?:\(|, )`(\w+)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_a_document_names_only_files_that_are_there(document):
    text = document.read_text()
    files = [BASE / name for name in FILE.findall(text)]
    links = [document.parent / link for link in LINK.findall(text)]

    assert [str(path) for path in (*files, *links) if not path.exists()] == []


def test_the_walks_name_functions_that_are_there():
    walks = NAMED.findall((BASE / "docs/a-tap.md").read_text())
    define = r"(?:def|class|function)\s+{}\b"

    assert len(walks) >= 15
    assert [
        walk
        for walk in walks
        if not re.search(define.format(walk[1]), (BASE / walk[0]).read_text())
    ] == []


def test_the_readme_can_be_read_in_one_sitting():
    text = (BASE / "README.md").read_text()

    assert (text.count("\n") <= 90, len(text.split()) <= 700) == (True, True)
