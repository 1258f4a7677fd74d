"""Invitations: links by which people join, until they expire, and say which player they are."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coalition_site.lib.keys import key_hash
from scoring.groups import players, settings
from scoring.models import Invitation, Membership, Playgroup
from scoring.models.people import Visibility
from scoring.play import seating

from ..browsing import form_to, refusal, text, words
from ..tables import tap_id, unchanged
from .visitors import account, at, browser, player, post, roles

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


# --- whoever joins says once which player they are ---
@pytest.fixture
def invited(thursday: Playgroup) -> Playgroup:
    for name in ("Ann", "Bo"):
        seating.add_player(thursday, name)
    settings.invite(thursday, "member", 7, key=KEY)
    return thursday


def joined(name: str):
    client = browser(name)
    return client, client.post(link())


def accounts(group: Playgroup) -> dict[str, str]:
    owned = group.players.exclude(user=None)
    return dict(owned.values_list("name", "user__username"))


def test_who_joins_is_asked_and_one_tap_is_enough(invited):
    client, answer = joined("sid")
    page = client.get(answer["Location"])

    tapped = post(client, invited, "claim", player(invited, "Ann").pk)

    assert answer["Location"] == at(invited, "choose_player")
    assert "Which player are you?" in words(page)
    assert "An owner confirms it." not in words(page)
    assert tapped["Location"] == at(invited, "people")
    assert accounts(invited) == {"Ann": "sid"}
    assert client.get(at(invited, "choose_player"))["Location"] == at(invited, "board")


def test_a_player_whom_somebody_else_claims_waits_for_an_owner(invited):
    pat, _ = joined("pat")
    Membership.objects.filter(user__username="pat").update(may_choose=False)
    post(pat, invited, "claim", player(invited, "Ann").pk)
    sid, _ = joined("sid")

    post(sid, invited, "claim", player(invited, "Ann").pk)

    assert accounts(invited) == {}
    claims = player(invited, "Ann").claims.order_by("pk")
    assert list(claims.values_list("user__username", flat=True)) == ["pat", "sid"]


def test_a_player_with_an_account_is_not_offered_and_stays_whose_it_is(invited):
    players.claim(player(invited, "Ann"), account("zoe", invited, "member"), confirmed=True)
    client, answer = joined("sid")

    page = client.get(answer["Location"])
    with unchanged():
        refused = post(client, invited, "claim", player(invited, "Ann").pk)

    assert "That’s me : Bo" in words(page)
    assert "That’s me : Ann" not in words(page)
    assert refused.status_code == 422
    assert accounts(invited) == {"Ann": "zoe"}


def test_the_invitation_is_consent_only_once(invited):
    client, _ = joined("sid")
    post(client, invited, "claim", player(invited, "Ann").pk)
    players.release(player(invited, "Ann"))

    client.post(link())
    page = client.get(at(invited, "choose_player"))
    post(client, invited, "claim", player(invited, "Bo").pk)

    assert "An owner confirms it." in words(page)
    assert accounts(invited) == {}


def test_whoever_is_signed_in_as_somebody_else_signs_out_and_comes_back(invited):
    client = browser("the wrong one")
    where = f"{reverse('logout')}?next={link()}"
    form = form_to(client.get(link()), where)

    answer = client.post(where, form.fields)

    assert answer["Location"] == link()
    assert "Sign in to join" in words(client.get(link()))
