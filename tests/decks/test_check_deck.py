"""The command that judges a list: what it prints, to the letter, and how it exits."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from decks.rules.deck import Code

from .faults import FAULTS, HERO, bring_pool
from .written import deck, leveler

LEGAL = deck("4 Elvish Mystic")
DECLARES = (
    "This file declares a document type or entities, which no deck list needs."
    " Export the deck again, or paste it as text."
)
NO_TEXT = "This is not a text file. Export the deck as text, .dek or .cod, or paste it."
NO_CARD = "There is no card in this list. Write one card per line, like 4 Forest."
TOO_LONG = "This list is too long: 200 kB at most. Send the list of a single deck."
BOMB = """<?xml version="1.0"?><!DOCTYPE deck [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<Deck><Cards Quantity="1" Name="&b;"/></Deck>"""
OUTSIDE = """<!DOCTYPE deck SYSTEM "file:///etc/passwd"><Deck/>"""

File = Callable[[str | bytes], str]


@pytest.fixture
def _pool(db: None) -> None:
    bring_pool()


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


pytestmark = pytest.mark.usefixtures("_pool")


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
            "cards": {
                "main": {"Elvish Mystic": 4, "Forest": 56},
                "sideboard": {HERO: 1, "Forest": 9},
                "left_out": {},
            },
        },
    )


def test_report_of_a_deck_with_faults_is_whole(file):
    text = deck("2 Negate", "1 Goblin Guide", "2 Nobody At All", sizes=(59, 10), hero="1 Kaalia")

    assert check(file(text), "--type", "angel") == (
        1,
        {
            "ruleset": "coalition-906",
            "legal": False,
            "hero": "Kaalia",
            "coalition_type": "Angel",
            "possible_types": [],
            "counts": {"main": 59, "sideboard": 10},
            "problems": [
                {
                    "code": "main_size",
                    "card": None,
                    "line": None,
                    "message": "The main deck has 59 cards and needs 60: add 1.",
                },
                {
                    "code": "too_many_copies",
                    "card": "Negate",
                    "line": 5,
                    "message": "2 copies of Negate: only creatures and lands may have more than 1."
                    " Take out 1.",
                },
                {
                    "code": "not_affiliated",
                    "card": "Goblin Guide",
                    "line": 6,
                    "message": "Goblin Guide belongs to Goblin, Scout, not to Angel: take it out,"
                    " or change the type.",
                },
                {
                    "code": "unknown_card",
                    "card": "Nobody At All",
                    "line": 7,
                    "message": "No card is called “Nobody At All”. Check the spelling.",
                },
            ],
            "cards": {
                "main": {"Negate": 2, "Goblin Guide": 1, "Nobody At All": 2, "Forest": 54},
                "sideboard": {"Kaalia": 1, "Forest": 9},
                "left_out": {},
            },
        },
    )


def test_keys_of_the_report_stand_in_their_order(file):
    _, report = check(file(deck("2 Negate")))

    assert [*report] == [
        "ruleset",
        "legal",
        "hero",
        "coalition_type",
        "possible_types",
        "counts",
        "problems",
        "cards",
    ]
    assert [*report["problems"][0]] == ["code", "card", "line", "message"]


def test_report_of_a_leveler_deck_counts_its_sub_decks(file):
    assert check(file(leveler("1 Lathril")), "--ruleset", "leveler") == (
        0,
        {
            "ruleset": "leveler",
            "legal": True,
            "hero": None,
            "coalition_type": None,
            "possible_types": [],
            "counts": {"level-1": 50, "level-2": 30, "level-3": 20},
            "problems": [],
            "cards": {
                "main": {},
                "sideboard": {},
                "level-1": {"Lathril": 1, "Forest": 49},
                "level-2": {"Forest": 30},
                "level-3": {"Forest": 20},
                "left_out": {},
            },
        },
    )


def test_report_to_read_says_the_same(file):
    assert run(file(deck("2 Negate", "0 Forest", sizes=(61, 10)))) == (
        1,
        "Not legal under coalition-906 (main 61, sideboard 10)\n"
        f"Hero: {HERO}, coalition type: Elf\n"
        "deck: The main deck has 61 cards and needs 60: take out 1. [main_size]\n"
        "line 5: 2 copies of Negate: only creatures and lands may have more than 1."
        " Take out 1. [too_many_copies]\n"
        "line 6: The count must be from 1 to 999. [bad_line]\n",
        "",
    )
    assert run(file(LEGAL)) == (
        0,
        f"Legal under coalition-906 (main 60, sideboard 10)\nHero: {HERO}, coalition type: Elf\n",
        "",
    )


def test_cards_that_are_left_out_are_told(file):
    path = file(LEGAL + "\nMaybeboard\n2 negate\n1 Nobody At All")

    assert check(path)[1]["cards"]["left_out"] == {"Negate": 2, "Nobody At All": 1}
    assert run(path) == (
        0,
        f"Legal under coalition-906 (main 60, sideboard 10)\nHero: {HERO}, coalition type: Elf\n"
        "line 8: 2 negate is left out. It stands under “Maybeboard”.\n"
        "line 9: 1 Nobody At All is left out. It stands under “Maybeboard”.\n",
        "",
    )


def test_heading_is_told_from_a_card_by_the_cards_there_are(file):
    text = LEGAL.replace("4 Elvish Mystic", "Elves (4)\n4 Elvish Mystic\nForest (4)").replace(
        "56", "52"
    )

    assert check(file(text)) == check(file(LEGAL))


# --- every code ---
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_each_fault_is_reported_by_its_code(file, fault):
    options = ["--ruleset", fault.ruleset, *(["--type", fault.type] if fault.type else [])]

    code, report = check(file(fault.text), *options)

    assert (code, report["legal"], report["problems"]) == (1, False, [fault.problem])


OF_ONE_FORMAT = {Code.RESTRICTED, Code.CONSPIRACY_IN_DECK}  # in tests of their rules


def test_every_code_has_a_fault():
    assert {fault.code for fault in FAULTS} | OF_ONE_FORMAT == set(Code)


# --- what can be asked for ---
@pytest.mark.parametrize(
    ("ruleset", "legal"),
    [
        ("coalition-906", False),
        ("coalition-readme", False),
        ("coalition-2026", True),
        ("leveler", False),
    ],
)
def test_deck_is_judged_by_the_requested_ruleset(file, ruleset, legal):
    code, report = check(file(deck(sizes=(60, 15))), "--ruleset", ruleset)

    assert (code, report["ruleset"], report["legal"]) == (int(not legal), ruleset, legal)


def test_requested_hero_and_type_are_used(file):
    text = deck(side=("1 Lathril",))

    _, report = check(file(text), "--hero", "lathril", "--type", "noble")

    assert (report["hero"], report["coalition_type"]) == ("Lathril", "Noble")
    assert report["possible_types"] == ["Elf"]
    assert [(one["code"], one["card"]) for one in report["problems"]] == [
        ("not_affiliated", HERO),
        ("legendary", HERO),
    ]


@pytest.mark.parametrize("name", ["Nobody", "Kaalia"])
def test_requested_hero_that_is_not_in_the_list_is_reported(file, name):
    code, report = check(file(LEGAL), "--hero", name)

    assert (code, report["hero"]) == (1, None)
    assert report["problems"][0]["message"] == (
        f"The hero {name} is not in the list: add it to the sideboard."
    )


def test_ruleset_that_there_is_not_is_refused(file):
    with pytest.raises(CommandError, match="invalid choice: 'chess'"):
        call_command("check_deck", file(LEGAL), "--ruleset", "chess")


# --- how it reads ---
@pytest.mark.parametrize(
    "content",
    [
        LEGAL,
        LEGAL.replace("\n", "\r\n"),
        codecs.BOM_UTF8 + LEGAL.encode(),
        LEGAL.encode("utf-16"),
        codecs.BOM_UTF16_BE + LEGAL.encode("utf-16-be"),
        "// Jötun\n".encode("windows-1252") + LEGAL.encode(),
    ],
)
def test_list_is_read_in_whatever_encoding_it_is(file, content):
    assert check(file(content))[0] == 0


def test_list_is_read_from_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LEGAL.encode())))

    assert check("-")[0] == 0


@pytest.mark.parametrize("name", ["elvish mystic", "ELVISH  MYSTIC", "Elvìsh Mystic"])
def test_names_match_however_they_are_typed(file, name):
    assert check(file(deck(f"4 {name}")))[0] == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", NO_CARD),
        ("\n\n// nothing\n", NO_CARD),
        ("Deck\n\nSideboard\n", NO_CARD),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, NO_TEXT),
        (b"\xff\xfe\x00", NO_TEXT),
        (bytes(64), NO_TEXT),
        ("x" * 200_001, TOO_LONG),
        (b"\xf6" * 300_000, TOO_LONG),
        (
            "1 Forest\n" * 1001,
            "There are 1001 lines with cards here. Send the list of a single deck.",
        ),
        (BOMB, DECLARES),
        (OUTSIDE, DECLARES),
        ("<Deck/>", NO_CARD),
        (
            "***",
            f"{NO_CARD} Line 1: No card name can be read here. Write a count and a name, like"
            " 4 Forest.",
        ),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_text_that_is_no_list_is_unreadable(file, content, message):
    path = file(content)

    assert run(path, "--json") == (2, "", f"{path}: {message}")


def test_noise_of_200_kb_is_answered(file):
    """Some of it is read as names that nobody knows; it ends, and says what is wrong."""
    noise = (
        "".join(f"line {at} of noise, {at * 7919 % 1000}\n" for at in range(990)) + "." * 150_000
    )

    code, report = check(file(noise))

    assert (code, report["legal"]) == (1, False)
    assert {one["code"] for one in report["problems"]} == {
        "main_size",
        "sideboard_size",
        "no_hero",
        "unknown_card",
        "bad_line",
    }


def test_file_that_is_not_there_is_unreadable(tmp_path):
    path = str(tmp_path / "none.txt")

    assert run(path) == (2, "", f"{path}: [Errno 2] No such file or directory: '{path}'")
    assert run(str(tmp_path))[:2] == (2, "")


def test_broken_xml_is_judged_as_far_as_it_goes(file):
    code, report = check(file('<Deck>\n<Cards Quantity="1" Name="Forest"/>\n<Cards'))

    assert (code, report["counts"]) == (1, {"main": 1, "sideboard": 0})
    assert [one["line"] for one in report["problems"] if one["code"] == "bad_line"] == [3]
