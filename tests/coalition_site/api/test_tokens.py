"""Personal tokens: made with the password, shown once, stored as a hash, revoked by their owner."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from coalition_site.api import tokens
from coalition_site.models import ApiToken
from tests.scoring.browsing import problem, words
from tests.scoring.groups.visitors import browser
from tests.scoring.tables import text, unchanged

from .asking import ask

PASSWORD = "three-taps-for-a-hit"


@pytest.fixture
def client(db: None) -> Client:
    return browser(User.objects.create_user("Ann", password=PASSWORD))


def make(client: Client, **changed: str) -> Any:
    form = {"name": "Club website", "password": PASSWORD} | changed
    return client.post(reverse("tokens"), form)


def test_a_token_is_shown_once_and_only_its_hash_is_stored(client):
    shown = make(client)
    (secret,) = re.findall(r'value="(ctt_[\w-]+)"', text(shown))
    (stored,) = ApiToken.objects.values()

    assert (
        shown.headers["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    )
    assert secret not in repr(stored)
    assert tokens.owner_of(secret) == User.objects.get(username="Ann")
    again = client.get(reverse("tokens"))
    assert secret not in text(again)
    assert f"Club website ends in {secret[-4:]}" in words(again)
    answer = ask("api_playgroups", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("changed", "most", "message"),
    [
        ({"password": "wrong"}, 2, "The password is wrong. Enter your current password."),
        ({"name": "x" * 41}, 2, "Ensure this value has at most 40 characters (it has 41)."),
        ({"name": "club WEBSITE"}, 2, tokens.SAME_NAME),
        ({}, 1, tokens.TOO_MANY),
    ],
)
def test_a_refused_form_makes_no_token(client, monkeypatch, changed, most, message):
    monkeypatch.setattr(tokens, "TOKENS_MAX", most)
    make(client)

    before = list(ApiToken.objects.values())
    answer = make(client, **({"name": "Another"} | changed))

    assert (answer.status_code, problem(answer)) == (422, message)
    assert list(ApiToken.objects.values()) == before


def test_a_token_is_revoked_by_its_owner_alone(client):
    make(client, name="Secret of Ann")
    other, where = browser("Bo"), reverse("revoke_token", args=[ApiToken.objects.get().pk])

    with unchanged():
        refused = other.post(where)
    assert (refused.status_code, "Secret of Ann" in text(other.get(reverse("tokens")))) == (
        404,
        False,
    )

    assert "The token is revoked." in words(client.post(where, follow=True))
    assert not ApiToken.objects.exists()
