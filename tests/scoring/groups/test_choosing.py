"""Whoever joins by an invitation says once which player they are."""

import pytest
from django.urls import reverse

from scoring.groups import players, settings
from scoring.models import Membership, Playgroup
from scoring.play import seating

from ..browsing import form_to, words
from ..tables import unchanged
from .visitors import account, at, browser, player, post

KEY = "the-key-of-an-invitation"


@pytest.fixture
def invited(thursday: Playgroup) -> Playgroup:
    for name in ("Ann", "Bo"):
        seating.add_player(thursday, name)
    settings.invite(thursday, "member", 7, key=KEY)
    return thursday


def joined(name: str):
    client = browser(name)
    return client, client.post(reverse("join", args=[KEY]))


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

    client.post(reverse("join", args=[KEY]))
    page = client.get(at(invited, "choose_player"))
    post(client, invited, "claim", player(invited, "Bo").pk)

    assert "An owner confirms it." in words(page)
    assert accounts(invited) == {}


def test_a_player_whom_one_claims_already_waits_and_is_not_offered_again(invited, member):
    post(member, invited, "claim", player(invited, "Ann").pk)

    page = words(member.get(at(invited, "choose_player")))

    assert "Ann Waiting for an owner" in page
    assert "That’s me : Ann" not in page
    assert "That’s me : Bo" in page


def test_whoever_is_signed_in_as_somebody_else_signs_out_and_comes_back(invited):
    client = browser("the wrong one")
    join = reverse("join", args=[KEY])
    where = f"{reverse('logout')}?next={join}"
    form = form_to(client.get(join), where)

    answer = client.post(where, form.fields)

    assert answer["Location"] == join
    assert "Sign in to join" in words(client.get(join))
