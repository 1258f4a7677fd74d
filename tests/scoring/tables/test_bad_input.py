"""Whatever is sent, the answer is a page that says what is wrong, and nothing changes."""

import pytest
from django.http import SimpleCookie
from django.test import Client
from django.urls import reverse

from tests.scoring.rules.play import ANN, BO

from ..browsing import words
from . import KEY, address, everything, holder, tap_id, text, unchanged

pytestmark = pytest.mark.django_db


def test_a_refusal_does_not_carry_markup(table, tap):
    for name, form in {
        "hit": {"source": ANN, "target": BO, "kind": "<script>x</script>", "amount": 1},
        "more": {"player": "<script>x</script>", "life": "<script>x</script>"},
    }.items():
        page = text(tap(name, 1, **form))
        assert "<script>x" not in page


def test_a_body_too_large_and_a_form_of_too_many_fields_are_400_with_a_page(table, scorer):
    checked = holder(table, enforce_csrf_checks=True)
    checked.get(address(table, "score"))  # gives the cookie that the token is held against
    fields = {f"field-{at}": "1" for at in range(500)}

    with unchanged():
        answers = [
            *(
                client.post(address(table, "hit", 1), {"typed": "9" * 700_001})
                for client in (scorer, checked)
            ),
            scorer.post(address(table, "turn", 1), {"tap_id": tap_id(1), **fields}),
        ]
        assert scorer.get(address(table, "score"), fields).status_code in (200, 400)

    for answer in answers:
        assert answer.status_code == 400
        assert "That was too large or damaged" in words(answer)


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


def test_times_are_shown_in_the_visitors_zone(table):
    client = Client()
    client.cookies = SimpleCookie({"zone": "America/St_Johns"})

    assert "Times in America/St_Johns." in words(client.get(address(table, "log")))


@pytest.mark.parametrize("theme", ["dark", ""])
def test_the_choice_of_colours_is_remembered_and_leads_back_into_the_site(db, theme):
    client = Client()

    led = [
        client.post(reverse("choose_theme"), {"theme": theme, "back": back})["Location"]
        for back in ("/start/", "//evil.example", "https://evil.example/", "javascript:x")
    ]
    client.post(reverse("choose_theme"), {"theme": "<pink>", "back": "/"})

    assert led == ["/start/", "/", "/", "/"]
    page = text(client.get(reverse("home")))
    assert ('<html lang="en">' in page, 'data-theme="dark"' in page) == (theme == "", theme != "")
