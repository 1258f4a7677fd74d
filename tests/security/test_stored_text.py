"""What people type is shown as they typed it, wherever it appears, or it is refused."""

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.lib.bidi import isolated
from decks.models import BanEntry, CreatureType
from scoring.rules import engine
from scoring.rules.moves import Draw
from tests.decks.lists import elves
from tests.lengths import long
from tests.scoring.browsing import Page, words
from tests.scoring.tables import address, record, set_up, tap_id, text, unchanged

from .world import KEY, World, build

EVIL = "<hr evil>\"'><img src=x onerror=x>{{7*7}}"
TEXTS = {
    "markup": EVIL,
    "formula": "=1+1" + EVIL,
    "wide formula": "＝1+1" + EVIL,
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈" + EVIL,
    "right to left": "שרה\u202e" + EVIL,
    "zero width": "a\u200b\u200d\ufeff\u2060b" + EVIL,
    "marks": "Z" + "\u0301\u0316" * 9 + EVIL,
}
LONG = "x" * 10_000
UNSEEN = "\u200b\u200d\u2060"


def store(world: World, said: str) -> None:
    """Put a text into every field that stores text, by its form where it has a form."""
    owner, group = world.clients()["superuser"], world.group
    season, (ann, bo) = group.seasons.get(), group.players.filter(name__in=("Ann", "Bo"))
    day = {"starts_on": "2026-03-01", "ends_on": "2026-05-31"}
    said_of_group = {"visibility": "public", "ruleset": "coalition-906", "illegal_decks": "warn"}
    posts: list[tuple[str, list[Any], dict[str, Any]]] = [
        ("edit_player", [group.code, ann.pk], {"name": f"{said}1"}),
        ("edit_player", [group.code, bo.pk], {"name": f"{said}2"}),
        ("edit_season", [group.code, season.pk], {"name": said, **day}),
        ("house_bans", [group.code], {"card": "Elvish Mystic", "status": "banned", "reason": said}),
        ("settings", [group.code], {"name": said, "house_rules": f"{said}\n{said}"}),
    ]
    for name, args, form in posts:
        more = said_of_group if name == "settings" else {"starts_on": "2026-09-01"}
        answer = owner.post(reverse(name, args=args), more | form)
        assert answer.status_code == 302, (name, words(answer))
    _save_deck(world, said)
    _put_past_the_forms(said)
    record(world.table, Draw(said))


def _save_deck(world: World, said: str) -> None:
    form = {"name": said, "text": f"4 Llanowar Elves\n{said}", "ruleset": "leveler", "save": 1}
    where = reverse("change_deck", args=[world.table.code])
    answer = world.clients()["key"].post(where, form | {"tap_id": tap_id(3)})
    assert answer.status_code == 302, words(answer)


def _put_past_the_forms(said: str) -> None:
    """What the forms of accounts and of the admin would refuse, as if they had not."""
    for role in ("owner", "scorekeeper", "signed in"):
        User.objects.filter(username=role).update(username=f"{said}{role}", first_name=said)
    BanEntry.objects.update(reason=said)
    CreatureType.objects.filter(name="Zombie").update(name=said[:40])


@pytest.fixture(params=["all at once", *long(*TEXTS)], ids=str)
def said(request: pytest.FixtureRequest) -> str:
    return TEXTS.get(request.param) or f"=1+1שרה\u202e👩‍👧\u200b{EVIL}"


@pytest.fixture
def filled(db: None, said: str) -> World:
    elves()
    world = build((said, f"{said}B", "Cy"))
    store(world, said)
    return world


def pages(world: World) -> Iterator[tuple[str, HttpResponse]]:
    """Yield every page as who may see all of them sees it."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="superuser"))
    for name in ("key-", "deck-"):
        client.cookies[name + world.table.code] = KEY
    for name, where in world.addresses:
        yield name, client.get(where)
    for query in ("?sort=name", "?season=all"):
        yield "board", client.get(reverse("board", args=[world.group.code]) + query)


def test_no_page_takes_it_for_markup(filled: World, said: str):
    shown = set()
    for name, answer in pages(filled):
        assert answer.status_code < 500, name
        if answer.headers["Content-Type"].startswith("text/html"):
            tags = Page(text(answer)).tags
            names = {key for _, found in tags for key in found}
            assert not names & {"evil", "onerror"}, name
            assert "hr" not in [tag for tag, _ in tags], name
            if said in words(answer) or " ".join(said.split()) in words(answer):
                shown.add(name)
    assert shown >= {"watch", "score", "log", "board", "people", "settings", "deck", "season"}


def test_what_links_show_of_it_is_whole_and_nothing_else(filled: World, said: str):
    page = Page(text(Client().get(address(filled.table, "watch"))))

    told = {found["property"]: found["content"] for tag, found in page.tags if "property" in found}

    assert isolated(said) in str(told["og:title"]) + str(told["og:description"])
    assert told["og:url"] == f"http://testserver/s/{filled.table.code}/"


def test_the_feed_and_the_documents_hold_it_as_text(filled: World, said: str):
    client, code = Client(), filled.group.code
    feed = client.get(reverse("feed", args=[code]))
    kept = json.loads(b"".join(client.get(reverse("export_group", args=[code]))))
    log = client.get(address(filled.table, "export")).json()

    titles = [one.text or "" for one in ElementTree.fromstring(feed.content).iter() if one.text]
    assert any(said in title for title in titles)
    assert kept["playgroup"]["name"] == said
    assert {f"{said}1", f"{said}2"} <= {one["name"] for one in kept["players"]}
    assert log["players"] == [said, f"{said}B", "Cy"]


def test_a_text_taken_before_it_was_refused_is_still_read(
    db: None, monkeypatch: pytest.MonkeyPatch
):
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
    choices = {"visibility": "public", "ruleset": "coalition-906", "illegal_decks": "warn"}
    tap = {"tap_id": tap_id(3)}
    deck = {"text": "4 Llanowar Elves", "ruleset": "leveler", "save": 1, "name": said}
    game_set = table.code
    yield "table", client.post(reverse("start"), choices | tap | {"name": [said, "Bo"]})
    yield "playgroup", client.post(reverse("groups"), choices | tap | {"name": said})
    yield "player", client.post(reverse("add_player", args=[code]), {"name": said})
    yield "player", client.post(reverse("edit_player", args=[code, ann]), {"name": said})
    yield "name", client.post(reverse("settings", args=[code]), choices | {"name": said})
    yield (
        "rules",
        client.post(reverse("settings", args=[code]), choices | {"name": "x", "house_rules": said}),
    )
    yield "season", client.post(reverse("edit_seasons", args=[code]), days | {"name": said})
    yield "season", client.post(reverse("edit_season", args=[code, season]), days | {"name": said})
    ban = {"card": "Llanowar Elves", "status": "banned", "starts_on": "2031-03-01"}
    yield "reason", client.post(reverse("house_bans", args=[code]), ban | {"reason": said})
    yield "deck", client.post(reverse("check"), tap | deck)
    yield "deck", client.post(reverse("change_deck", args=[game_set]), tap | deck)
    listed = deck | {"name": "Elves", "text": f"4 Llanowar Elves\n// {said * 3}"}
    if said != UNSEEN:  # which are left out of a list
        yield "list", client.post(reverse("check"), tap | listed)
    yield "end", client.post(address(table, "end", 1, "draw"), tap | {"reason": said})
    account = {"username": said, "password1": "a-good-secret", "password2": "a-good-secret"}
    yield "account", Client().post(reverse("signup"), account)
    yield "account", client.post(reverse("account"), {"username": said})
    yield "email", client.post(reverse("account"), {"username": "root", "email": f"{said}@x.org"})


TOLD = ("too long", "at most", "can't be shown", "can’t be shown", "valid")  # or some of it


@pytest.mark.parametrize(
    "sent",
    [LONG, UNSEEN, "a\x1bb", "a\uffff"],
    ids=["long", "unseen", "escape", "U+FFFF"],
)
def test_text_too_long_or_invisible_is_refused_with_the_reason(world: World, sent: str):
    client = world.clients()["superuser"]
    told = {}

    with unchanged():
        for name, answer in fields(world, client, sent):
            assert answer.status_code == 422, (name, words(answer)[:300])
            told[name] = words(answer)

    for name, page in told.items():
        assert [word for word in TOLD if word in page], (name, page[:2000])
