"""Whatever is sent, the answer is a page that says what is wrong, and nothing changes."""

import pytest
from django.http import SimpleCookie
from django.test import Client
from django.urls import reverse

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw, PassTurn
from tests.lengths import long
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import Page, words
from ..tables import KEY, address, everything, holder, record, tap_id, text, unchanged
from ..test_access import fill, patterns

pytestmark = pytest.mark.django_db

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


JUNK = [
    *("\0", "~", "{code}~", "{code}~{key}~{key}", "~" + KEY, "é~ü!🔑~🔒", "x" * 8000, "\\x"),
    *("Europe/Nowhere", "America", "/etc/localtime", "Europe/Berlin\0", "zone.tab", "a.b/c"),
]


@pytest.mark.parametrize("cookie", ["key-{code}", "sessionid", "theme", "zone", "csrftoken"])
def test_a_cookie_of_garbage_is_as_good_as_none(table, cookie):
    name, before = cookie.replace("{code}", table.code), everything()

    for junk in JUNK:
        client = Client(raise_request_exception=False)
        value = junk.replace("{code}", table.code).replace("{key}", KEY)
        client.cookies[name] = value.encode().decode("latin-1")  # as it comes in a header
        posted = client.post(address(table, "hit", 1), {"tap_id": tap_id(1)})
        assert client.get(address(table, "log")).status_code == 200, junk
        assert client.get(address(table, "score")).status_code == posted.status_code == 403, junk
    assert everything() == before


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns"])
def test_times_are_shown_in_the_visitors_zone(table, zone):
    record(table, hit(ANN, BO, 3))
    client = Client()
    client.cookies = SimpleCookie({"zone": zone})

    assert f"Times in {zone}." in words(client.get(address(table, "log")))


@pytest.mark.parametrize(
    "back",
    [
        *("home", "", "//evil.example", "https://evil.example/", "javascript:x"),
        *("/\\evil.example", "/a\r\nX: y", "\0", "../.."),
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
