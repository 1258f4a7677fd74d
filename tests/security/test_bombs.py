"""Small things that would grow large: XML and JSON that no reader may unfold, count or nest."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.groups.forms.importing import FILE_MAX
from scoring.groups.import_limits import LIMITS
from scoring.management.commands import replay
from tests.scoring.browsing import words
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account, browser
from tests.scoring.tables import set_up, unchanged

DECLARES = "This file declares a document type or entities, which no deck list needs."
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
XML = {
    "billion laughs": f'<!DOCTYPE d [<!ENTITY l0 "ha">{LAUGHS}]><d>&l11;</d>',
    "quadratic": f'<!DOCTYPE d [<!ENTITY a "{"a" * 50_000}">]><d>{"&a;" * 30_000}</d>',
    "a file": '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d>&a;</d>',
    "an address": '<!DOCTYPE d SYSTEM "http://127.0.0.1:1/x.dtd"><d/>',
    "parameters": "<!DOCTYPE d [<!ENTITY % a \"<!ENTITY b 'c'>\"> %a;]><d>&b;</d>",
    "declared as utf-7": '<?xml version="1.0" encoding="utf-7"?><!DOCTYPE d [<!ENTITY a "b">]><d/>',
}
BROKEN = {
    "nested": "<d>" * 60_000,
    "attributes": "<d " + " ".join(f"a{n}='1'" for n in range(20_000)) + "/>",
    "one attribute twice": '<cards number="1" number="1"/>',
    "a long name": f"<{'d' * 190_000}/>",
    "a huge count": f'<Deck><Cards Quantity="{"9" * 100_000}" Name="Elf"/></Deck>',
}


def check(text: str, name: str = "deck.dek") -> HttpResponse:
    form = {"ruleset": "coalition-906", "file": SimpleUploadedFile(name, text.encode())}
    return Client(raise_request_exception=False).post(reverse("check"), form)


@pytest.mark.parametrize("text", XML.values(), ids=XML)
@pytest.mark.django_db
def test_a_deck_that_declares_anything_is_refused_before_it_unfolds(text: str):
    with unchanged():
        answer = check(text)

    assert (answer.status_code, DECLARES in words(answer)) == (422, True)
    assert "root:" not in words(answer)


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
@pytest.mark.django_db
def test_a_deck_that_is_nested_or_counted_beyond_reason_is_refused_with_a_short_page(text: str):
    answer = check(text)

    assert answer.status_code in (200, 422)
    assert len(answer.content) < 4 * len(text) + 60_000  # with what was typed
    assert words(answer)


@pytest.mark.django_db
def test_a_compressed_body_is_not_unpacked():
    packed = gzip.compress(b"tap_id=1&" * 100_000)
    kind = "application/x-www-form-urlencoded"

    answer = Client().generic(
        "POST", reverse("check"), packed, kind, headers={"content-encoding": "gzip"}
    )

    assert answer.status_code in (400, 422)


# --- JSON ---
def deep(opening: str, closing: str) -> str:
    return opening * 100_000 + "1" + closing * 100_000


HEAD: dict[str, Any] = {
    "version": 1,
    "playgroup": {
        "name": "Bombs",
        "visibility": "private",
        "zone": "UTC",
        "ruleset": "coalition-906",
        "house_rules": "",
    },
    "players": [],
    "seasons": [],
    "sets": [],
}
PLAYER = {"name": "", "guest": False, "merged_into": None}
TURNS = [{"type": "turn"}] * 1001
AMENDS = [{"type": "amend", "event": 1 + n, "with": {"type": "turn"}} for n in range(10)]
AMENDS += [{"type": "strike", "event": 10**9}]  # of what is not there


def games(*logs: list[Any]) -> dict[str, Any]:
    """Return a set of which the games are all that there is."""
    return {"log": {"games": [{"events": log} for log in logs]}}


def document(**fields: Any) -> str:
    return json.dumps(HEAD | fields)


JSON: dict[str, tuple[Callable[[], str], str]] = {
    "lists": (lambda: deep("[", "]"), "this is nested too deeply"),
    "objects": (lambda: deep('{"a":', "}"), "this is nested too deeply"),
    "a long number": (lambda: document(version=0).replace("0", "9" * 100_000, 1), "not JSON"),
    "a small number": (lambda: document(version=0).replace("0", f"1e{'9' * 99}", 1), "version"),
    "no number": (lambda: document().replace("1", "NaN", 1), "NaN is not a number"),
    "a field twice": (lambda: document().replace('"sets"', '"version"'), "stands here twice"),
    "many fields twice": (
        lambda: "{" + '"k":1,' + ",".join(f'"k{n}":{n}' for n in range(150_000)) + ',"k149999":1}',
        "k149999: stands here twice",
    ),
    "a million empty lists": (
        lambda: f"[{'[],' * 990_000}[]]",
        "This playgroup has more than 200,000 values. Leave sets out",
    ),
    "many small objects": (lambda: document(sets=[{"a": 1}] * 100_001), "200,000 values"),
    "a long field": (lambda: json.dumps({"x" * 1_000_000: 1}), "unknown field"),
    "a name of ten thousand": (
        lambda: document(playgroup=HEAD["playgroup"] | {"name": "x" * 10_000}),
        "playgroup.name: must have at most 80 characters",
    ),
    "a half character": (lambda: document().replace("Bombs", "\\ud800"), "can't be shown"),
    "half characters as a field": (lambda: '{"\\ud800": 1}', "unknown field"),
    "not text": (lambda: "\ufeff\0", "not JSON"),
    "many sets": (lambda: document(sets=[0] * 41), "41 sets, and this page imports 40 at most"),
    "many players": (
        lambda: document(players=[PLAYER | {"name": f"P{n}"} for n in range(5000)]),
        "5000 players, and this page imports 1000 at most",
    ),
    "many seasons": (lambda: document(seasons=[0] * 201), "201 seasons"),
    "many bans": (lambda: document(house={"bans": [0] * 201}), "201 house bans"),
    "long games": (
        lambda: document(sets=[games(TURNS), games(TURNS, TURNS)]),
        "3003 events, and this page imports 3000 at most",
    ),
    "many hits": (
        lambda: document(sets=[games([{"type": "damage", "hits": [0] * 3001}])]),
        "3001 events, and this page imports 3000 at most",
    ),
    "corrections of what is long ago": (
        lambda: document(sets=[games([*TURNS, *AMENDS])] * 2),
        "20020 events that corrections play again, and this page imports 20000 at most",
    ),
    "corrections of no events": (
        lambda: document(sets=[games([{"event": one} for one in ([], "1", None, True, -1e9)])]),
        "sets[0]: ",
    ),
    "sets of nothing": (
        lambda: document(sets=[None, [], {"log": []}, {"log": {"games": 1}}]),
        "sets",
    ),
}


@pytest.mark.parametrize(("make", "told"), JSON.values(), ids=JSON)
@pytest.mark.django_db
def test_a_playgroups_file_that_is_a_bomb_is_refused_with_what_is_wrong(
    make: Callable[[], str], told: str
):
    client = browser("ann")
    client.raise_request_exception = False
    file = SimpleUploadedFile("group.json", make().encode("utf-8", "surrogatepass"))

    with unchanged():
        answer = client.post(reverse("import_group"), {"file": file})

    assert answer.status_code == 422
    assert told in words(answer)
    assert len(answer.content) < 30_000


@pytest.mark.django_db
def test_a_file_that_is_too_large_is_not_even_read():
    client = browser("ann")

    with unchanged():
        file = SimpleUploadedFile("group.json", b"[" * (FILE_MAX + 1))
        answer = client.post(reverse("import_group"), {"file": file})

    assert (answer.status_code, "3 MB at most" in words(answer)) == (422, True)


@pytest.mark.django_db
def test_what_a_page_of_the_site_hands_out_is_no_more_than_another_takes_back():
    """A playgroup within the limits comes back whole."""
    made = group("Thursday")
    text = b"".join(browser(None).get(reverse("export_group", args=[made.code])))
    client = browser(account("ann"))

    answer = client.post(reverse("import_group"), {"file": SimpleUploadedFile("g.json", text)})

    assert answer.status_code == 302
    assert set(LIMITS) == {
        *("sets", "players", "seasons", "house bans", "announcements"),
        *("evenings", "places at evenings"),
        *("events", "events that corrections play again"),
    }


@pytest.mark.parametrize("text", [deep("[", "]"), "9" * 100_000, '{"a":1,"a":2}', "\0", "{}"])
@pytest.mark.parametrize("command", ["import_set", "import_group", "replay"])
@pytest.mark.django_db
def test_the_commands_refuse_them_too(tmp_path: Any, command: str, text: str):
    set_up()
    file = tmp_path / "bomb.json"
    file.write_text(text)

    with unchanged(), pytest.raises((CommandError, SystemExit)):
        call_command(command, str(file))


@pytest.mark.parametrize("command", ["import_set", "import_group", "replay"])
@pytest.mark.django_db
def test_the_commands_refuse_what_would_fill_the_memory(tmp_path: Any, command: str):
    file = tmp_path / "bomb.json"
    file.write_text(f"[{'[],' * 1_600_000}[]]")

    with pytest.raises(CommandError, match="this has more than 3,000,000 values"):
        call_command(command, str(file))


@pytest.mark.parametrize("command", ["import_set", "import_group", "replay"])
@pytest.mark.django_db
def test_the_commands_read_no_endless_file(monkeypatch: Any, command: str):
    monkeypatch.setattr(replay, "FILE_MAX", 1_000_000)

    with pytest.raises(CommandError) as refusal:
        call_command(command, "/dev/zero")

    assert str(refusal.value) == "/dev/zero: this is more than 1 MB"


@pytest.mark.parametrize("rules", ["a\x1bb", "a\x7fb", "a\x08b"])
@pytest.mark.django_db
def test_house_rules_have_no_character_that_the_playgroups_file_could_not_carry(rules: str):
    made = group("Thursday")
    account("ann", made, "owner")
    form = {"name": "Thursday", "visibility": "public", "ruleset": "coalition-906"}
    form |= {"illegal_decks": "warn", "house_rules": rules}
    client = browser("ann")

    with unchanged():
        answer = client.post(reverse("settings", args=[made.code]), form)

    assert answer.status_code == 422
    assert "This contains a character that can't be shown. Type it again." in words(answer)
