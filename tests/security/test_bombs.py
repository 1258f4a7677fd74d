"""Small things that would grow large: XML and JSON that no reader may unfold, count or nest."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.groups.import_jobs import Importer
from scoring.groups.views.creating import FILE_MAX
from scoring.management.commands import replay
from scoring.models import Membership
from tests.scoring.browsing import words
from tests.scoring.groups.visitors import browser
from tests.scoring.tables import set_up, unchanged

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


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
@pytest.mark.django_db
def test_a_deck_that_is_nested_or_counted_beyond_reason_is_refused_with_a_short_page(text: str):
    answer = check(text)

    assert answer.status_code in (200, 422)
    assert len(answer.content) < 4 * len(text) + 60_000  # with what was typed
    assert words(answer)


# --- JSON ---
GROUP = {"name": "Bombs", "visibility": "private", "zone": "UTC", "house_rules": ""}
GROUP["ruleset"] = "coalition-906"


def document(**fields: Any) -> str:
    head: dict[str, Any] = {"version": 1, "playgroup": GROUP, "players": [], "seasons": []}
    return json.dumps(head | {"sets": []} | fields)


JSON: dict[str, tuple[Callable[[], str], str]] = {
    "lists": (lambda: "[" * 100_000, "this is nested too deeply"),
    "a small number": (lambda: document(version=0).replace("0", f"1e{'9' * 99}", 1), "version"),
    "many fields twice": (
        lambda: "{" + '"k":1,' + ",".join(f'"k{n}":{n}' for n in range(150_000)) + ',"k149999":1}',
        "k149999: stands here twice",
    ),
    "a million empty lists": (
        lambda: f"[{'[],' * 990_000}[]]",
        "This playgroup has more than 400,000 values. Leave sets out",
    ),
    "many small objects": (lambda: document(sets=[{"a": 1}] * 200_001), "400,000 values"),
    "a long field": (lambda: json.dumps({"x" * 1_000_000: 1}), "unknown field"),
    "a name of ten thousand": (
        lambda: document(playgroup=GROUP | {"name": "x" * 10_000}),
        "playgroup.name: must have at most 80 characters",
    ),
    "a half character": (lambda: document().replace("Bombs", "\\ud800"), "can't be shown"),
    "half characters as a field": (lambda: '{"\\ud800": 1}', "unknown field"),
    "corrections of no events": (
        lambda: document(
            sets=[{"log": {"games": [{"events": [{"event": one}]}]}} for one in ([], "1", None)]
        ),
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

    answer = client.post(reverse("import_group"), {"file": file})
    if answer.status_code == 302:  # a file whose fields are those of a playgroup
        importer = Importer()
        while importer.go_on() is not None:
            pass
        answer = client.get(answer["Location"])

    assert told in words(answer)
    assert len(answer.content) < 30_000
    assert not Membership.objects.exists()


@pytest.mark.django_db
def test_a_file_that_is_too_large_is_not_even_read():
    client = browser("ann")

    with unchanged():
        file = SimpleUploadedFile("group.json", b"[" * (FILE_MAX + 1))
        answer = client.post(reverse("import_group"), {"file": file})

    assert (answer.status_code, "3 MB at most" in words(answer)) == (422, True)


@pytest.mark.parametrize("command", ["import_set", "import_group", "replay"])
@pytest.mark.django_db
def test_the_commands_refuse_them_too(tmp_path: Any, monkeypatch: Any, command: str):
    set_up()
    file = tmp_path / "bomb.json"

    with unchanged():
        file.write_text(f"[{'[],' * 1_600_000}[]]")  # which would fill the memory
        with pytest.raises(CommandError, match="this has more than 3,000,000 values"):
            call_command(command, str(file))
        monkeypatch.setattr(replay, "FILE_MAX", 1_000_000)
        with pytest.raises(CommandError, match=r"^/dev/zero: this is more than 1 MB$"):
            call_command(command, "/dev/zero")
