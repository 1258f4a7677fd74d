"""Invitations: links by which people join, until they expire or are revoked."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coalition_site.lib.keys import key_hash
from scoring.groups import settings
from scoring.models import Invitation, Playgroup
from scoring.models.people import Visibility

from ..browsing import refusal, text, words
from ..tables import tap_id, unchanged
from .visitors import at, browser, post, roles

KEY = "the-key-of-an-invitation"


def link(key: str = KEY) -> str:
    return reverse("join", args=[key])


def shown(response) -> str:
    match = re.search(r'value="http://testserver([^"]*/join/key/[^"]*)"', text(response))
    return match[1] if match else ""


@pytest.fixture
def invitation(thursday: Playgroup) -> Invitation:
    return settings.invite(thursday, "scorekeeper", 7, key=KEY)


def test_an_owner_invites_by_a_link_that_is_shown_to_its_tap_only(thursday, owner):
    response = post(owner, thursday, "invitations", tap_id=tap_id(1), role="member", days=3)

    made = Invitation.objects.get()
    where = shown(response)
    assert response.status_code == 200
    assert 'class="qr"' in text(response)
    assert "no-store" in response["Cache-Control"]
    assert (made.role, made.expires_at - made.created_at) == ("member", timedelta(days=3))
    assert made.key_hash == key_hash(where.split("/")[-2])
    again = post(owner, thursday, "invitations", tap_id=tap_id(1), role="member", days=3)
    assert (shown(again), Invitation.objects.count()) == (where, 1)
    assert shown(owner.get(at(thursday, "invitations"))) == ""
    parts = 'id="([a-z]*)" readonly|data-copy="([a-z]*)" hidden'
    assert re.findall(parts, text(response)) == [("invitation", ""), ("", "invitation")]
    assert 'data-share="invitation" data-title="Join Thursday group" hidden' in text(response)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"days": 0}, "Give a whole number of days from 1 to 365."),
        ({"days": 366}, "Give a whole number of days from 1 to 365."),
        ({"days": "soon"}, "Give a whole number of days from 1 to 365."),
        ({"role": "king"}, "Choose a role."),
    ],
)
def test_an_invitation_that_makes_no_sense_is_refused(thursday, owner, form, message):
    good = {"tap_id": tap_id(1), "role": "member", "days": 3}

    with unchanged():
        answer = post(owner, thursday, "invitations", **good | form)

    assert refusal(answer) == (422, message)


def test_whoever_opens_the_link_is_asked_and_joins_once_with_its_role(thursday, invitation):
    """Also a private playgroup."""
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    client = browser("sid")
    assert client.get(at(thursday, "board")).status_code == 404

    with unchanged():
        page = client.get(link())
    response = client.post(link())
    for name in ("pat", "sid"):
        browser(name).post(link())

    assert "You are invited to this playgroup as a scorekeeper." in words(page)
    assert (response.status_code, response["Location"]) == (302, at(thursday, "board"))
    assert client.get(at(thursday, "board")).status_code == 200
    assert roles(thursday) == {"olga": "owner", "sid": "scorekeeper", "pat": "scorekeeper"}


def test_signed_out_visitors_are_sent_to_sign_in_and_back(thursday, invitation):
    with unchanged():
        page, answer = Client().get(link()), Client().post(link())

    assert f'href="{reverse("login")}?next={link()}"' in text(page)
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('login')}?next={link()}")


def test_visitors_without_an_account_create_one_and_come_back(thursday, invitation):
    client = Client()
    page = client.get(link())
    password = "three-taps-for-a-hit"
    form = {"username": "nina", "password1": password, "password2": password}

    led = client.post(reverse("signup"), form | {"next": link()})

    assert f'href="{reverse("signup")}?next={link()}"' in text(page)
    assert (led.status_code, led["Location"]) == (302, link())
    assert "Join as nina" in words(client.get(link()))


def test_a_link_changes_no_members_role(thursday, owner, invitation):
    """Who was a scorekeeper by the link and is none any more may still have it."""
    mia = browser("mia")
    mia.post(link())
    key = thursday.memberships.get(user__username="mia").pk
    post(owner, thursday, "change_member", key, role="member")

    for client in (mia, owner):
        assert client.post(link()).status_code == 302

    assert roles(thursday) == {"olga": "owner", "mia": "member"}


def test_removing_a_member_shows_links_that_are_still_open(thursday, owner, member, invitation):
    notice = "Somebody you remove can come back with an invitation that is still open."
    people = words(owner.get(at(thursday, "people")))
    assert notice in people
    assert "Removing somebody revokes the scorekeeper links of all tables" in people

    post(owner, thursday, "revoke", invitation.pk)

    assert notice not in words(owner.get(at(thursday, "people")))


def test_a_revoked_link_opens_nothing_any_more(thursday, owner, invitation):
    browser("pat").post(link())
    post(owner, thursday, "revoke", invitation.pk)
    revoked_at = Invitation.objects.get().revoked_at
    client = browser("sid")

    with unchanged():
        answers = [client.get(link()), client.post(link()), Client().get(link())]
    post(owner, thursday, "revoke", invitation.pk)

    closed = (410, "This invitation was revoked. Ask for a new link.")
    assert [refusal(answer) for answer in answers] == [closed] * 3
    assert thursday.name not in words(answers[2])
    assert Invitation.objects.get().revoked_at == revoked_at
    assert roles(thursday) == {"olga": "owner", "pat": "scorekeeper"}
    assert "Revoked" in words(owner.get(at(thursday, "invitations")))


def test_an_expired_link_opens_nothing_any_more(thursday, owner, invitation):
    now = timezone.now()
    Invitation.objects.update(created_at=now - timedelta(days=7), expires_at=now)
    client = browser("sid")

    with unchanged():
        answer = client.post(link())

    closed = (410, f"This invitation expired on {now:%-d %B %Y}. Ask for a new link.")
    assert refusal(answer) == closed
    assert "Expired" in words(owner.get(at(thursday, "invitations")))


def test_a_link_that_never_was_is_not_there(thursday, invitation):
    client = browser("sid")

    with unchanged():
        for key in ("wrong", KEY.upper(), f"{KEY}-", "0" * 2000, invitation.key_hash):
            assert client.get(link(key)).status_code == 404
            assert client.post(link(key)).status_code == 404
