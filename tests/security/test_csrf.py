"""No form is taken that the visitor's own page did not send: by token, and over https by origin."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.models import EventRow
from tests.lengths import long
from tests.scoring.browsing import words
from tests.scoring.tables import address

from .world import World, rows

GOOD = {"tap_id": "00000000-0000-4000-8000-000000000001", "name": "Dee"}


def is_refused(response: HttpResponse) -> bool:
    return response.status_code == 403 and "This page is too old" in words(response)


def token(client: Client, page: str = "/start/") -> str:
    field = r'name="csrfmiddlewaretoken" value="(\w+)"'
    return re.findall(field, client.get(page).content.decode())[0]


@pytest.mark.parametrize("role", ["key", *long("stranger", "superuser")])
def test_no_address_takes_a_form_with_a_forged_token(world: World, role: str):
    """Without a token, with rubbish, and with another visitor's."""
    client = world.clients(enforce_csrf_checks=True)[role]
    token(client)  # which brings the cookie
    forged = [{}, {"csrfmiddlewaretoken": "x" * 64}, {"csrfmiddlewaretoken": token(Client())}]
    before = rows()

    for name, where in world.addresses:
        if name in ("choose_theme", "stream", "group_stream"):
            assert client.post(where, GOOD).status_code == 403, name
            continue
        is_api = name.startswith("api_")
        if is_api or name in ("healthz", "readyz", "metrics"):  # for machines, and takes no form
            assert client.post(where, GOOD).status_code == 405, name
            continue
        for form in forged:
            answer = client.post(where, GOOD | form)
            assert is_refused(answer), name
    assert rows() == before


def test_a_token_from_before_the_sign_in_is_none_after_it(world: World):
    client = world.clients(enforce_csrf_checks=True)["stranger"]
    sign_up = {"username": "newcomer", "password1": "a-good-secret", "password2": "a-good-secret"}
    old = {"csrfmiddlewaretoken": token(client)}

    assert client.post(reverse("signup"), sign_up | old).status_code == 302
    before = rows()
    answer = client.post(reverse("groups"), GOOD | old)

    assert (is_refused(answer), rows()) == (True, before)


@pytest.mark.parametrize(
    ("headers", "is_taken"),
    [
        ({"origin": "https://testserver"}, True),
        ({"referer": "https://testserver/start/"}, True),
        ({}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "https://testserver.evil.example"}, False),
        ({"origin": "http://testserver"}, False),
        ({"origin": "null"}, False),
        ({"referer": "https://evil.example/testserver/"}, False),
    ],
    ids=str,
)
def test_over_https_a_form_comes_from_a_page_of_the_site(world: World, headers, is_taken):
    client = world.clients(enforce_csrf_checks=True)["key"]
    said = {"csrfmiddlewaretoken": token(client), **GOOD}
    before = EventRow.objects.count()

    answer = client.post(address(world.table, "turn", 1), said, secure=True, headers=headers)

    assert (answer.status_code == 302) is is_taken
    says = (
        "Nothing says where this" if headers in ({}, {"origin": "null"}) else "came from elsewhere"
    )
    assert is_taken or (answer.status_code, says in words(answer)) == (403, True)
    assert EventRow.objects.count() - before == int(is_taken)


def test_no_address_answers_a_visit_with_an_empty_page(world: World):
    client = world.clients()["owner"]

    answered = {
        name: client.get(where).status_code
        for name, where in world.addresses
        if name not in ("stream", "group_stream") and not name.startswith("admin:")
    }

    assert [name for name, status in answered.items() if status == 405] == []
