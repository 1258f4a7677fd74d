"""What people type is shown as they typed it or refused; what would grow large is refused."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.lib.bidi import isolated
from decks.models import BanEntry, CreatureType
from scoring.groups.data.import_jobs import Importer
from scoring.groups.settings.creating import FILE_MAX
from scoring.management.commands import replay
from scoring.models import Membership
from scoring.rules import engine
from scoring.rules.moves import Draw
from tests.decks.lists import elves
from tests.environment import ROOT
from tests.scoring.browsing import Page, words
from tests.scoring.groups.visitors import browser
from tests.scoring.tables import address, record, set_up, tap_id, text, unchanged

from .world import KEY, World, build

EVIL = "<hr evil>\"'><img src=x onerror=x>{{7*7}}"
SAID = f"=1+1＝1שרה\u202e👩‍👧\u200b\u2060\ufeffZ\u0301\u0316{EVIL}"
LONG = "x" * 10_000
UNSEEN = "\u200b\u200d\u2060"


def store(world: World) -> None:
    """Put a text into every field that stores text, by its form where it has a form."""
    owner, group = world.clients()["superuser"], world.group
    season, (ann, bo) = group.seasons.get(), group.players.filter(name__in=("Ann", "Bo"))
    day = {"starts_on": "2026-03-01", "ends_on": "2026-05-31"}
    said_of_group = {
        "visibility": "public",
        "ruleset": "coalition-906",
        "illegal_decks": "warn",
    } | {"zone": "UTC"}
    posts: list[tuple[str, list[Any], dict[str, Any]]] = [
        ("edit_player", [group.code, ann.pk], {"name": f"{SAID}1"}),
        ("edit_player", [group.code, bo.pk], {"name": f"{SAID}2"}),
        ("edit_season", [group.code, season.pk], {"name": SAID, **day}),
        ("house_bans", [group.code], {"card": "Elvish Mystic", "status": "banned", "reason": SAID}),
        ("settings", [group.code], {"name": SAID, "house_rules": f"{SAID}\n{SAID}"}),
    ]
    for name, args, form in posts:
        more = said_of_group if name == "settings" else {"starts_on": "2026-09-01"}
        answer = owner.post(reverse(name, args=args), more | form)
        assert answer.status_code == 302, (name, words(answer))
    form = {"name": SAID, "text": f"4 Llanowar Elves\n{SAID}", "ruleset": "leveler", "save": 1}
    where = reverse("change_deck", args=[world.table.code])
    answer = world.clients()["key"].post(where, form | {"tap_id": tap_id(3)})
    assert answer.status_code == 302, words(answer)
    # What the forms of accounts and of the admin would refuse, as if they had not.
    for role in ("owner", "scorekeeper", "signed in"):
        User.objects.filter(username=role).update(username=f"{SAID}{role}", first_name=SAID)
    BanEntry.objects.update(reason=SAID)
    CreatureType.objects.filter(name="Zombie").update(name=SAID[:40])
    record(world.table, Draw(SAID))


@pytest.fixture
def world(db: None) -> World:
    return build()  # rows that a module shares would be in the way of those of ``filled``


@pytest.fixture
def filled(db: None) -> World:
    elves()
    world = build((SAID, f"{SAID}B", "Cy"))
    store(world)
    return world


def pages(world: World) -> Iterator[tuple[str, HttpResponse]]:
    """Yield every page as who may see all of them sees it."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="superuser"))
    for name in ("key-", "deck-"):
        client.cookies[name + world.table.code] = KEY
    for name, where in world.addresses:
        yield name, client.get(where)
    done = world.group.sets.exclude(finished_at=None).get()
    yield "standings", client.get(address(done, "watch"))
    for query in ("?sort=name", "?season=all"):
        yield "board", client.get(reverse("board", args=[world.group.code]) + query)


def test_no_page_takes_it_for_markup(filled: World):
    shown = set()
    for name, answer in pages(filled):
        assert answer.status_code < 500, name
        if answer.headers["Content-Type"].startswith("text/html"):
            tags = Page(text(answer)).tags
            names = {key for _, found in tags for key in found}
            assert not names & {"evil", "onerror"}, name
            assert "hr" not in [tag for tag, _ in tags], name
            if SAID in words(answer) or " ".join(SAID.split()) in words(answer):
                shown.add(name)
    assert shown >= {"watch", "score", "log", "board", "people", "settings", "deck", "season"}


def test_templates_take_nothing_for_markup_but_what_they_write_themselves():
    """And so no page of another format does either: all else is escaped."""
    found = {
        said
        for path in (ROOT / "templates").rglob("*.*")
        for said in re.findall(r"('[^']*'|[\w|]+)\|safe\b|autoescape", path.read_text())
    }

    assert found == {"' hx-swap-oob=\"true\"'", "csrf_input|string"}


def test_what_links_the_feed_and_the_documents_show_of_it_is_whole_and_nothing_else(filled: World):
    client, code = Client(), filled.group.code
    page = Page(text(client.get(address(filled.table, "watch"))))
    told = {found["property"]: found["content"] for tag, found in page.tags if "property" in found}
    feed = client.get(reverse("feed", args=[code]))
    kept = json.loads(b"".join(client.get(reverse("export_group", args=[code]))))
    log = client.get(address(filled.table, "export")).json()

    assert isolated(SAID) in str(told["og:title"]) + str(told["og:description"])
    assert told["og:url"] == f"http://testserver/s/{filled.table.code}/"
    titles = [one.text or "" for one in ElementTree.fromstring(feed.content).iter() if one.text]
    assert any(SAID in title for title in titles)
    assert kept["playgroup"]["name"] == SAID
    assert {f"{SAID}1", f"{SAID}2"} <= {one["name"] for one in kept["players"]}
    assert log["players"] == [SAID, f"{SAID}B", "Cy"]


def test_a_text_taken_before_it_was_refused_is_still_read(db, monkeypatch):
    table = set_up(2)
    with monkeypatch.context() as first_release:
        first_release.setattr(engine, "require_wellformed", lambda state, move: None)
        record(table, Draw("Time\uffff"))

    assert "Time\uffff" in text(Client().get(address(table, "log")))
    assert Client().get(address(table, "watch")).status_code == 200


# --- what is refused ---
def fields(world: World, client: Client, said: str) -> Iterator[tuple[str, HttpResponse]]:
    """Send a text to every form that stores text."""
    code, table = world.group.code, world.table
    for name in ("key-", "deck-"):
        client.cookies[name + table.code] = KEY
    ann, season = world.group.players.get(name="Ann").pk, world.group.seasons.get().pk
    days = {"starts_on": "2031-03-01", "ends_on": "2031-05-31"}
    choices = {"visibility": "public", "ruleset": "coalition-906", "illegal_decks": "warn"} | {
        "zone": "UTC"
    }
    tap = {"tap_id": tap_id(3)}
    deck = {"text": "4 Llanowar Elves", "ruleset": "leveler", "save": 1, "name": said}
    yield "table", client.post(reverse("start"), choices | tap | {"name": [said, "Bo"]})
    yield "playgroup", client.post(reverse("groups"), choices | tap | {"name": said})
    yield "player", client.post(reverse("add_player", args=[code]), {"names": said})
    yield "player", client.post(reverse("edit_player", args=[code, ann]), {"name": said})
    yield "name", client.post(reverse("settings", args=[code]), choices | {"name": said})
    rules = choices | {"name": "x", "house_rules": said}
    yield "rules", client.post(reverse("settings", args=[code]), rules)
    yield "season", client.post(reverse("edit_seasons", args=[code]), days | {"name": said})
    yield "season", client.post(reverse("edit_season", args=[code, season]), days | {"name": said})
    ban = {"card": "Llanowar Elves", "status": "banned", "starts_on": "2031-03-01"}
    yield "reason", client.post(reverse("house_bans", args=[code]), ban | {"reason": said})
    yield "deck", client.post(reverse("check"), tap | deck)
    yield "deck", client.post(reverse("change_deck", args=[table.code]), tap | deck)
    listed = deck | {"name": "Elves", "text": f"4 Llanowar Elves\n// {said * 3}"}
    if said != UNSEEN:  # which are left out of a list
        yield "list", client.post(reverse("check"), tap | listed)
    yield "end", client.post(address(table, "end", 1, "draw"), tap | {"reason": said})
    account = {"username": said, "password1": "a-good-secret", "password2": "a-good-secret"}
    yield "account", Client().post(reverse("signup"), account)
    yield "account", client.post(reverse("account"), {"username": said})
    yield "email", client.post(reverse("account"), {"username": "root", "email": f"{said}@x.org"})


TOLD = ("too long", "at most", "can't be shown", "can’t be shown", "valid")  # or some of it


@pytest.mark.parametrize("sent", [LONG, UNSEEN, "a\x1bb", "a\uffff"], ids=range(4))
def test_text_too_long_or_invisible_is_refused_with_the_reason(world: World, sent: str):
    client = world.clients()["superuser"]
    told = {}

    with unchanged():
        for name, answer in fields(world, client, sent):
            assert answer.status_code == 422, (name, words(answer)[:300])
            told[name] = words(answer)

    for name, page in told.items():
        assert [word for word in TOLD if word in page], (name, page[:2000])


# --- small things that would grow large ---
BROKEN = {
    "nested": "<d>" * 60_000,
    "attributes": "<d " + " ".join(f"a{n}='1'" for n in range(20_000)) + "/>",
    "a long name": f"<{'d' * 190_000}/>",
    "a huge count": f'<Deck><Cards Quantity="{"9" * 100_000}" Name="Elf"/></Deck>',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_deck_that_is_nested_or_counted_beyond_reason_is_refused_with_a_short_page(db, text):
    file = SimpleUploadedFile("deck.dek", text.encode())
    form = {"ruleset": "coalition-906", "file": file}
    answer = Client(raise_request_exception=False).post(reverse("check"), form)

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
    "a million empty lists": (
        lambda: f"[{'[],' * 990_000}[]]",
        "This playgroup has more than 400,000 values. Leave sets out",
    ),
    "many small objects": (lambda: document(sets=[{"a": 1}] * 200_001), "400,000 values"),
    "half characters as a field": (lambda: '{"\\ud800": 1}', "unknown field"),
    "corrections of no events": (
        lambda: document(
            sets=[{"log": {"games": [{"events": [{"event": one}]}]}} for one in ([], "1", None)]
        ),
        "sets[0]: ",
    ),
}


@pytest.mark.parametrize(("make", "told"), JSON.values(), ids=JSON)
def test_a_playgroups_file_that_is_a_bomb_is_refused_with_what_is_wrong(db, make, told):
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


def test_a_file_that_is_too_large_is_not_even_read(db):
    client = browser("ann")

    with unchanged():
        file = SimpleUploadedFile("group.json", b"[" * (FILE_MAX + 1))
        answer = client.post(reverse("import_group"), {"file": file})

    assert (answer.status_code, "3 MB at most" in words(answer)) == (422, True)


@pytest.mark.parametrize("command", ["import_set", "import_group", "replay"])
def test_the_commands_refuse_them_too(db, tmp_path, monkeypatch, command):
    set_up()
    file = tmp_path / "bomb.json"

    with unchanged():
        file.write_text(f"[{'[],' * 1_600_000}[]]")  # which would fill the memory
        with pytest.raises(CommandError, match="this has more than 3,000,000 values"):
            call_command(command, str(file))
        monkeypatch.setattr(replay, "FILE_MAX", 1_000_000)
        with pytest.raises(CommandError, match=r"^/dev/zero: this is more than 1 MB$"):
            call_command(command, "/dev/zero")
