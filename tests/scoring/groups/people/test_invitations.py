"""Invitations: links by which people join, until they expire, and say which player they are."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coalition_site.lib.keys import key_hash
from scoring.groups.people import players
from scoring.groups.settings import commands as settings
from scoring.models import Invitation, Playgroup
from scoring.models.people import Visibility
from scoring.record import seating
from scoring.record.errors import GroupRefused

from ...browsing import form_to, refusal, text, words
from ...tables import tap_id, unchanged
from ..visitors import account, at, browser, player, post, roles

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
    with unchanged():
        long = post(owner, thursday, "invitations", tap_id=tap_id(2), role="member", days=366)
    assert refusal(long) == (422, "Give a whole number of days from 1 to 365.")
    parts = 'id="([a-z]*)" readonly|data-copy="([a-z]*)" hidden'
    assert re.findall(parts, text(response)) == [("invitation", ""), ("", "invitation")]
    assert 'data-share="invitation" data-title="Join Thursday group" hidden' in text(response)


def test_whoever_opens_the_link_is_asked_and_joins_once_with_its_role(thursday, owner, invitation):
    """Also a private playgroup. A link changes no member's role, also of one who came by it."""
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    client = browser("sid")
    assert client.get(at(thursday, "board")).status_code == 404

    with unchanged():
        page = client.get(link())
    response = client.post(link())
    key = thursday.memberships.get(user__username="sid").pk
    post(owner, thursday, "change_member", key, role="member")
    for name in ("pat", "sid", "olga"):
        assert browser(name).post(link()).status_code == 302

    assert "You are invited to this playgroup as a scorekeeper." in words(page)
    assert (response.status_code, response["Location"]) == (302, at(thursday, "board"))
    assert client.get(at(thursday, "board")).status_code == 200
    assert roles(thursday) == {"olga": "owner", "sid": "member", "pat": "scorekeeper"}


def test_signed_out_visitors_are_sent_to_sign_in_and_back(thursday, invitation):
    """And so is whoever is signed in as somebody else, after signing out."""
    with unchanged():
        page, answer = Client().get(link()), Client().post(link())
    wrong, where = browser("the wrong one"), f"{reverse('logout')}?next={link()}"
    out = wrong.post(where, form_to(wrong.get(link()), where).fields)

    assert f'href="{reverse("login")}?next={link()}"' in text(page)
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('login')}?next={link()}")
    assert out["Location"] == link()
    assert "Sign in to join" in words(wrong.get(link()))


def test_a_revoked_or_expired_link_opens_nothing_any_more(thursday, owner, invitation):
    """Nor does one that never was. While it is open, owners read that it lets people come back."""
    browser("pat").post(link())
    now = timezone.now()
    client = browser("sid")

    def refused(why: str) -> None:
        with unchanged():
            answers = [client.get(link()), client.post(link()), Client().get(link())]
        closed = (410, f"This invitation {why}. Ask for a new link.")
        assert [refusal(answer) for answer in answers] == [closed] * 3
        assert thursday.name not in words(answers[2])

    def people() -> tuple[bool, str]:
        page = words(owner.get(at(thursday, "people")))
        notice = "Somebody you remove can come back with an invitation that is still open."
        assert "Removing somebody revokes the scorekeeper links of all tables" in page
        return notice in page, words(owner.get(at(thursday, "invitations")))

    for key in ("wrong", KEY.upper(), f"{KEY}-", "0" * 2000, invitation.key_hash):
        with unchanged():
            never = client.get(link(key)), client.post(link(key))
        assert [answer.status_code for answer in never] == [404, 404]
    is_open, _ = people()
    post(owner, thursday, "revoke", invitation.pk)
    revoked_at = Invitation.objects.get().revoked_at
    refused("was revoked")
    with unchanged(), pytest.raises(GroupRefused, match="This invitation was revoked"):
        settings.join(invitation, account("sid"))  # the page was shown before
    post(owner, thursday, "revoke", invitation.pk)
    assert Invitation.objects.get().revoked_at == revoked_at
    after, listed = people()
    Invitation.objects.update(created_at=now - timedelta(days=7), expires_at=now, revoked_at=None)
    refused(f"expired on {now:%-d %B %Y}")

    assert (is_open, after, "Revoked" in listed) == (True, False, True)
    assert "Expired" in words(owner.get(at(thursday, "invitations")))
    assert roles(thursday) == {"olga": "owner", "pat": "scorekeeper"}


# --- whoever joins says once which player they are ---
def joined(name: str):
    client = browser(name)
    return client, client.post(link())


def accounts(group: Playgroup) -> dict[str, str]:
    owned = group.players.exclude(user=None)
    return dict(owned.values_list("name", "user__username"))


@pytest.fixture
def invited(thursday: Playgroup) -> Playgroup:
    for name in ("Ann", "Bo"):
        seating.add_player(thursday, name)
    settings.invite(thursday, "member", 7, key=KEY)
    return thursday


def test_who_joins_is_asked_and_one_tap_is_enough_but_for_a_player_with_an_account(invited):
    players.claim(player(invited, "Bo"), account("zoe", invited, "member"), confirmed=True)
    client, answer = joined("sid")
    page = client.get(answer["Location"])

    with unchanged():
        refused = post(client, invited, "claim", player(invited, "Bo").pk)
    tapped = post(client, invited, "claim", player(invited, "Ann").pk)

    assert answer["Location"] == at(invited, "choose_player")
    assert "Which player are you?" in words(page)
    assert "An owner confirms it." not in words(page)
    assert re.findall("That’s me : ([A-Z][a-z]+)", words(page)) == ["Ann"]
    assert refused.status_code == 422
    assert tapped["Location"] == at(invited, "people")
    assert accounts(invited) == {"Ann": "sid", "Bo": "zoe"}
    assert client.get(at(invited, "choose_player"))["Location"] == at(invited, "board")


def test_the_invitation_is_consent_only_once_and_to_a_player_whom_nobody_else_claims(invited):
    client, _ = joined("sid")
    post(client, invited, "claim", player(invited, "Ann").pk)
    players.release(player(invited, "Ann"))

    client.post(link())
    page = client.get(at(invited, "choose_player"))
    post(client, invited, "claim", player(invited, "Bo").pk)
    pat, _ = joined("pat")
    post(pat, invited, "claim", player(invited, "Bo").pk)

    assert "An owner confirms it." in words(page)
    assert accounts(invited) == {}
    claims = player(invited, "Bo").claims.order_by("pk")
    assert list(claims.values_list("user__username", flat=True)) == ["sid", "pat"]
