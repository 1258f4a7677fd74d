"""The command that judges a list: what it prints, to the letter, and how it exits."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ..faults import HERO
from ..written import deck

LEGAL = deck("4 Elvish Mystic")
NO_TEXT = "This is not a text file. Export the deck as text, .dek or .cod, or paste it."
NO_CARD = "There is no card in this list. Write one card per line, like 4 Forest."

pytestmark = pytest.mark.usefixtures("pool")
File = Callable[[str | bytes], str]


@pytest.fixture
def file(tmp_path: Path) -> File:
    """Write a list and return its path."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "deck.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def run(*arguments: str) -> tuple[int, str, str]:
    """Run the command; return its exit code, what it prints and what it complains about."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("check_deck", *arguments, stdout=out, stderr=err)
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, out.getvalue(), err.getvalue().rstrip("\n")


def check(*arguments: str) -> tuple[int, dict[str, Any]]:
    """Run it with ``--json``; return its exit code and the report."""
    code, out, err = run(*arguments, "--json")
    assert err == ""
    return code, json.loads(out)


# --- what it prints ---
def test_report_of_a_legal_deck_is_whole(file):
    assert check(file(LEGAL)) == (
        0,
        {
            "ruleset": "coalition-906",
            "legal": True,
            "hero": HERO,
            "coalition_type": "Elf",
            "possible_types": ["Elf"],
            "counts": {"main": 60, "sideboard": 10},
            "problems": [],
            "read_as": "a plain list",
            "cards": {
                "main": {"Elvish Mystic": 4, "Forest": 56},
                "sideboard": {HERO: 1, "Forest": 9},
                "left_out": {},
            },
        },
    )


def test_report_to_read_says_the_same(file):
    assert run(file(deck("2 Negate", "0 Forest", sizes=(61, 10)))) == (
        1,
        "Not legal under coalition-906 (main 61, sideboard 10)\n"
        f"Hero: {HERO}, coalition type: Elf\n"
        f"Read as a plain list: 61 main deck, 10 sideboard, hero {HERO}\n"
        "deck: The main deck has 61 cards and needs 60: take out 1. [main_size]\n"
        "line 5: 2 copies of Negate: only creatures and lands may have more than 1."
        " Take out 1. [too_many_copies]\n"
        "line 6: The count must be from 1 to 999. [bad_line]\n",
        "",
    )
    assert run(file(LEGAL)) == (
        0,
        f"Legal under coalition-906 (main 60, sideboard 10)\nHero: {HERO}, coalition type: Elf\n"
        f"Read as a plain list: 60 main deck, 10 sideboard, hero {HERO}\n",
        "",
    )


def test_cards_that_are_left_out_are_told(file):
    path = file(LEGAL + "\nMaybeboard\n2 negate\n1 Nobody At All")

    assert check(path)[1]["cards"]["left_out"] == {"Negate": 2, "Nobody At All": 1}
    assert run(path) == (
        0,
        f"Legal under coalition-906 (main 60, sideboard 10)\nHero: {HERO}, coalition type: Elf\n"
        f"Read as a plain list: 60 main deck, 10 sideboard, hero {HERO};"
        " 3 of “Maybeboard” left out\n"
        "line 8: 2 negate is left out. It is under “Maybeboard”.\n"
        "line 9: 1 Nobody At All is left out. It is under “Maybeboard”.\n",
        "",
    )


def test_requested_hero_and_type_are_used_and_a_heading_is_told_by_the_cards_there_are(file):
    _, report = check(file(deck(side=("1 Lathril",))), "--hero", "lathril", "--type", "noble")
    assert (report["hero"], report["coalition_type"]) == ("Lathril", "Noble")
    headed = LEGAL.replace("4 Elvish Mystic", "Elves (4)\n4 Elvish Mystic\nForest (4)")
    assert check(file(headed.replace("56", "52"))) == check(file(LEGAL))


def test_list_is_read_from_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LEGAL.encode())))

    assert check("-")[0] == 0


def test_what_is_no_list_or_no_file_is_unreadable(file, tmp_path):
    for content, message in (("", NO_CARD), (bytes(64), NO_TEXT)):
        path = file(content)
        assert run(path, "--json") == (2, "", f"{path}: {message}")
    path = str(tmp_path / "none.txt")
    assert run(path) == (2, "", f"{path}: [Errno 2] No such file or directory: '{path}'")
    assert run(str(tmp_path))[:2] == (2, "")
