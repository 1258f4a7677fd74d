"""Whatever is sent, the answer is a page that says what is wrong, and nothing changes."""

from __future__ import annotations

from html import unescape
from random import Random
from typing import Any

import pytest
from django.http import SimpleCookie
from django.test import Client
from django.urls import reverse

from coalition_site.accounts import urls as accounts
from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw, PassTurn
from tests.lengths import long
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import Page, words
from ..tables import KEY, address, everything, holder, record, set_up, tap_id, text, unchanged
from ..test_access import fill, patterns

NAMES = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "{{ 7*7 }}{% x %}&amp;",
    "\u202eRTL \u05d0\u05d1 </b>",
    "👩\u200d👩\u200d👧\u200d👦 Zoë",
]


def markup(last: bool = True) -> GameSet:
    """Return a table of players whose names are markup, in a game or after the last one."""
    table = commands.create_set(COALITION_906, NAMES, key=KEY)
    commands.start_game(table, 1, first=ANN)
    record(table, hit(ANN, BO, 4), hit(BO, CY, 3), PassTurn())
    if last:
        record(table, Draw("</h2><script>alert(2)</script>"))
        commands.call_set(table)
    return table


@pytest.mark.parametrize("finished", [False, *long(True)], ids=["in-a-game", "finished"])
@pytest.mark.django_db
def test_names_with_markup_stay_text_on_every_page(finished):
    table = markup(finished)
    client = holder(table)

    for pattern in patterns():
        response = client.get(fill(pattern, table), {"player": ANN, "players": BO})
        is_page = "html" in response["Content-Type"]
        if response.status_code != 200 or not is_page:
            continue
        tags = Page(text(response)).tags
        assert all(found.get("src") for tag, found in tags if tag == "script"), pattern.name
        assert "img" not in [tag for tag, _ in tags], pattern.name
        assert [name for _, found in tags for name in found if name.startswith("on")] == []
        assert "{{ 7*7 }}" in unescape(text(response)) or pattern.name in NAMELESS


# Pages of the site, and those of one event or without the players.
STARTS = {"start", "try_out"}  # what strangers may do
NAMELESS = {"home", "start", "links", "qr", "secret_qr", "line", "check", "finder", "bans"}
NAMELESS |= {"export_bans", "announcements", "announcements_feed"}
NAMELESS |= {"my_decks", "new_deck", "add_card", "compare_deck", "bring_deck"}
NAMELESS |= {"api", "conspiracy_cards", "format", "keyboard", "set_picture"}
NAMELESS |= {"card_picture", "complete_names"}
NAMELESS |= {"manifest", "worker", "offline", "stream", "healthz", "readyz"}
NAMELESS |= {pattern.name for pattern in accounts.urlpatterns}
NAMELESS |= {
    "api_playgroups",
    "api_ban_lists",
    "api_ban_list",
    "api_announcements",
    "api_verdicts",
    "openapi",
    "openapi-json",
}


@pytest.mark.django_db
def test_names_with_markup_are_shown_as_they_were_typed():
    table = markup(last=False)

    said = words(holder(table).get(address(table, "score")))

    for name in NAMES:
        assert " ".join(name.split()) in said


def test_a_refusal_does_not_carry_markup(table, tap):
    for name, form in {
        "hit": {"source": ANN, "target": BO, "kind": "<script>x</script>", "amount": 1},
        "more": {"player": "<script>x</script>", "life": "<script>x</script>"},
    }.items():
        page = text(tap(name, 1, **form))
        assert "<script>x" not in page


def test_a_body_that_is_too_large_is_400_with_a_page(table, scorer):
    checked = holder(table, enforce_csrf_checks=True)
    checked.get(address(table, "score"))  # gives the cookie that the token is held against
    for client in (scorer, checked):
        with unchanged():
            response = client.post(address(table, "hit", 1), {"typed": "9" * 700_001})
        assert response.status_code == 400
        assert "That was too much or damaged" in words(response)


def test_a_form_with_too_many_fields_is_400_with_a_page(table, scorer):
    fields = {f"field-{at}": "1" for at in range(500)}

    with unchanged():
        answers = [
            scorer.post(address(table, "turn", 1), {"tap_id": tap_id(1), **fields}),
            scorer.get(address(table, "score"), fields),
        ]

    assert answers[0].status_code == 400
    assert answers[1].status_code in (200, 400)
    assert "That was too much or damaged" in words(answers[0])


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b'{"tap_id": 1}'),
        ("text/plain", b"tap_id=1"),
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=" + "x" * 300, b"--x"),
        ("application/x-www-form-urlencoded; charset=utf-7", b"tap_id=1"),
        ("application/x-www-form-urlencoded; charset=nonsense", b"tap_id=1"),
        ("application/x-www-form-urlencoded", b"tap_id=%ff%fe&event=%00&=%&&&"),
        ("", b"\xff\x00"),
    ],
)
def test_a_body_of_another_kind_is_refused_with_a_page(table, content_type, body):
    client = holder(table, raise_request_exception=False)

    for name in ("hit", "undo", "turn", "more"):
        with unchanged():
            response = client.generic("POST", address(table, name, 1), body, content_type)
        assert response.status_code in (400, 422)
        assert words(response)


@pytest.mark.parametrize("code", ["x", "22222222", "a" * 300, "%00", "..%2f", "ü", "'--", "-"])
def test_an_unknown_code_is_404(db, code):
    for end in ("", "score/", "log.json", "log/", "key/x/", "score/1/hit/"):
        client = Client(raise_request_exception=False)
        assert client.get(f"/s/{code}/{end}").status_code in (302, 404)


JUNK = [
    "",
    "x",
    "~",
    "!",
    "~!~!~",
    "a~b~c",
    "a\0b~c",
    "\0",
    "{code}~",
    "{code}~\0",
    "{code}~x",
    "~" + KEY,
    "{code}~{key}~{key}",
    "{code}\0~{key}",
    "é~ü!🔑~🔒",
    "x" * 8000,
    "!" * 5000,
    "a~b!" * 2000,
    "../../etc/passwd",
    "Europe/Nowhere",
    "America",
    "/etc/localtime",
    "Europe/Berlin\0",
    "zone.tab",
    "__init__.py",
    "a.b/c",
    "<script>",
    "\\x",
    "\ud7ff\U0010ffff",
]

FEW = range(0, len(JUNK), 9)
COOKIES = ["key-{code}", "sessionid", "theme", "zone", "csrftoken"]


@pytest.mark.parametrize("cookie", COOKIES)
@pytest.mark.parametrize("place", [*FEW, *long(*(set(range(len(JUNK))) - set(FEW)))])
def test_a_cookie_of_garbage_is_as_good_as_none(table, cookie, place):
    client = Client(raise_request_exception=False)
    value = JUNK[place].replace("{code}", table.code).replace("{key}", KEY)
    name = cookie.replace("{code}", table.code)
    client.cookies[name] = value.encode().decode("latin-1")  # as it comes in a header
    places = [reverse("home"), reverse("start"), *(address(table, name) for name in WATCHED)]

    with unchanged():
        statuses = [client.get(where).status_code for where in places]
        locked = client.get(address(table, "score")).status_code
        posted = client.post(address(table, "hit", 1), {"tap_id": tap_id(1)}).status_code

    assert statuses == [200] * len(places)
    assert (locked, posted) == (403, 403)


WATCHED = ("watch", "log", "table", "export")


def test_cookies_that_are_no_cookies_are_as_good_as_none(table):
    client = Client(raise_request_exception=False)
    for header in ("", ";;;", "key-", "key-=;key-a=;", '"', "a=b=c; =x", "\\", 'key-a="b\\000"'):
        answer = client.get(reverse("home"), headers={"cookie": header})
        assert answer.status_code == 200


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns"])
def test_times_are_shown_in_the_visitors_zone(table, zone):
    record(table, hit(ANN, BO, 3))
    client = Client()
    client.cookies = SimpleCookie({"zone": zone})

    assert f"Times in {zone}." in words(client.get(address(table, "log")))


QUERIES = [
    ("score", "collected"),
    ("log", "game"),
    ("end", "player"),
    ("end", "players"),
    ("end", "reason"),
    ("end", "tap_id"),
    ("table", "upright"),
    ("watch", "x"),
    ("more", "player"),
    ("change_start", "starter"),
]


@pytest.mark.parametrize("junk", [JUNK[::4], *long(JUNK)], ids=len)
@pytest.mark.parametrize(("name", "field"), QUERIES)
def test_a_query_of_garbage_never_breaks_a_page(table, name, field, junk):
    record(table, hit(ANN, BO, 3))
    client = holder(table, raise_request_exception=False)
    args = {"end": (1, "lose"), "more": (1,), "change_start": (1,)}.get(name, ())

    for value in (*junk, "1", "-1", "9" * 5000, "1.2.3", "each", "%", ["1", "x"], "\r\nX: y"):
        with unchanged():
            response = client.get(address(table, name, *args), {field: value})
        assert response.status_code in (200, 302, 404), value
        assert "<script>\n" not in text(response)
        assert "X" not in response.headers


@pytest.mark.parametrize(
    "back",
    [
        *("foo", "home", "log", "watch", "", "//evil.example", "https://evil.example/"),
        *("javascript:x", "/\\evil.example", "/a\r\nX: y", "\0", "/" + "x" * 5000, "../.."),
        *("%", "é", "?"),
    ],
)
def test_the_choice_of_colours_leads_back_into_the_site(db, back):
    client = Client(raise_request_exception=False)

    response = client.post(reverse("choose_theme"), {"theme": "dark", "back": back})

    assert response.status_code in (302, 400)
    if response.status_code == 302:
        assert "evil" not in response["Location"].split("?")[0].removeprefix("/")
        assert not response["Location"].startswith(("//", "javascript:", "http"))
        assert "X" not in response.headers


@pytest.mark.parametrize("theme", ["light", "dark", ""])
def test_the_choice_of_colours_is_remembered(db, theme):
    client = Client()

    client.post(reverse("choose_theme"), {"theme": theme, "back": "/start/"})

    page = text(client.get(reverse("home")))
    assert ('<html lang="en">' in page) == (theme == "")
    assert (f'data-theme="{theme}"' in page) == (theme != "")


def test_an_invalid_choice_of_colours_is_not_remembered(db):
    client = Client()

    client.post(reverse("choose_theme"), {"theme": "<pink>", "back": "/"})

    assert "theme" not in client.cookies


# What a field may hold, sense and nonsense alike.
VALUES: tuple[Any, ...] = (
    *("", "0", "1", "2", "3", "4", "5", "-1", "9999", "10000", "1.5", "ten", "each", "on", "\0"),
    *("combat", "hero", "other", "hand", "crown", "none", "lose", "both", "gain", "time", "٣"),
    *(10**30, "9" * 5000, "<script>", "' OR 1=1 --", "\u202e", "🔑", "\r\n", "x" * 300),
    *("1.2.3.combat.0.0.0", "0.1.1.other.0.0.0", "concede", "draw", "decked"),
)
FIELDS = (
    *("source", "target", "kind", "amount", "typed", "infect", "toxic", "signs", "together"),
    *("collected", "drop", "event", "player", "players", "life", "poison", "by", "hero"),
    *("monarch", "hold", "turn", "reason", "starter", "dropped", "place-1", "place-2", "ask"),
    *("go_on", "theme", "back", "name", "ruleset", "source-0", "target-0", "kind-0", "amount-0"),
    *("game", "upright", "by-1"),
)


@pytest.mark.parametrize("seed", [0, *long(1, 2, 3, 4)])
@pytest.mark.django_db
def test_random_requests_never_break_the_site(seed):
    """A refused request changes nothing: neither does any that does not come from the key."""
    chance = Random(seed)
    table = set_up()
    clients = [holder(table, raise_request_exception=False), Client(raise_request_exception=False)]
    record(table, PassTurn())
    accepted, before = 0, everything()

    everywhere = list(patterns())
    at_tables = [pattern for pattern in everywhere if "/score/" in str(pattern.pattern)]

    for at in range(150):
        pattern = chance.choice(chance.choice([everywhere, at_tables]))
        where = fill(
            pattern,
            table,
            number=chance.choice([1, 1, 1, 2, 9]),
            event=chance.choice([1, 2, 3, 999999]),
            what=chance.choice(["concede", "concede_to", "lose", "win", "draw", "turn", "x"]),
        )
        form = {field: chance.choice(VALUES) for field in chance.sample(FIELDS, 8)}
        if chance.random() < 0.9:
            form["tap_id"] = tap_id(chance.randint(1, 3 + at))
        client = chance.choices(clients, [4, 1])[0]
        headers = {"HX-Request": "true"} if chance.random() < 0.5 else {}
        ask = chance.choice([client.get, client.post, client.post, client.post])

        response = ask(where, form, headers=headers)
        after = everything()

        told = f"{pattern.name} {form}"
        assert response.status_code < 500, told
        if response.status_code >= 400 or (client is clients[1] and pattern.name not in STARTS):
            assert after == before, told
        accepted += after != before
        before = after
    assert accepted
