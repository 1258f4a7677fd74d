"""Headers and paths as no browser sends them: none leads out of the site, or past its walls."""

from urllib.parse import unquote_to_bytes

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import GameSet
from tests.scoring.browsing import words
from tests.scoring.tables import address, holder, set_up, text, unchanged

from .world import World

EVIL = "evil.example"


@pytest.fixture
def table(db: None) -> GameSet:
    return set_up()


@pytest.mark.parametrize("host", [EVIL, f"localhost@{EVIL}", "a b", "[::1", "localhost:x", "é", ""])
def test_a_host_that_is_not_ours_is_400_and_in_no_link(table, host):
    answer = holder(table).get(address(table, "links"), headers={"host": host or " "})

    assert (answer.status_code, EVIL in text(answer)) == (400, False)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-Host": EVIL},
        {"Forwarded": f"host={EVIL};proto=https"},
        {"X-Forwarded-Proto": "https"},
        {"X-Original-URL": f"//{EVIL}/"},
        {"HX-Current-URL": f"https://{EVIL}/"},
        {"Referer": f"https://{EVIL}/"},
    ],
    ids=str,
)
def test_what_a_visitor_says_of_the_way_changes_no_link(world: World, headers):
    client = world.clients()["key"]
    where = address(world.table, "links")

    plain, told = client.get(where), client.get(where, headers=headers)

    assert f"http://testserver/s/{world.table.code}/" in text(plain)
    assert EVIL not in text(told) + repr(told.headers)
    assert ("https://testserver" in text(told)) is False
    reset = Client().post(reverse("password_reset"), {"email": "x@example.org"}, headers=headers)
    assert EVIL not in repr(reset.headers)


@pytest.mark.parametrize(
    "path",
    [
        *("//evil.example/", "//evil.example/%2e%2e", "/\\evil.example/", "/%5cevil.example/"),
        *("//s//x//", "/s/..%2f..%2fetc/passwd/", "/static/../manage.py", "/static/%2e%2e/x"),
        *("/static/..%5c..%5cx", "/%00", "/s/%00/", "/s/a%00b/score/", "/g/%ff%fe/", "/;/"),
        *("/s/" + "x" * 9000 + "/", "/admin/../admin/", "/admin/%2e%2e/", "/s/%252e/"),
        *("/.git/config", "/sw.js/"),
    ],
)
def test_a_path_that_is_none_is_404_and_leads_nowhere_else(db, path):
    client = Client(raise_request_exception=False)
    for ask in (client.get, client.head, client.post):
        with unchanged():
            answer = ask("/", PATH_INFO=unquote_to_bytes(path).decode("latin-1"))
        leads_to = answer.headers.get("Location", "/")
        assert answer.status_code in (301, 302, 400, 404, 405), (path, ask)
        assert leads_to.startswith("/"), leads_to
        assert not leads_to.startswith(("//", "/\\")), leads_to


def test_an_address_in_other_words_is_no_other_address(world: World):
    """What is private is not let out by doubled, encoded or dotted parts of its path."""
    stranger, code = world.clients()["stranger"], world.group.code
    for path in (
        f"/g/{code}//settings/",
        f"/g/{code}/settings/../settings/",
        f"/g/{code}/%73ettings/",
        f"/g/{code}/settings%2f",
        f"/G/{code}/settings/",
        f"//g/{code}/settings/",
        f"/g/{code}/./settings/",
        f"/g/{code.upper()}/settings/",
    ):
        answer = stranger.get(path, follow=True)
        assert (answer.status_code in (403, 404), "House rules" in words(answer)) == (True, False)
