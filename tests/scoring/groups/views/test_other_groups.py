"""The same person in other playgroups: named if the account agreed, to those who may find them."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.groups import merging, players
from scoring.models import Player, Playgroup
from scoring.play import seating

from ...grouped import group as playgroup
from ...tables import text, unchanged
from ..visitors import account, browser, player
from .evenings import ask, evening, table_rows


@pytest.fixture
def groups(db: None) -> dict[str, Playgroup]:
    """Playgroups of each visibility, in all of which Ann is the account of "ann"."""
    made = {
        "home": playgroup("Home", visibility="unlisted"),
        "public": playgroup("Public club"),
        "unlisted": playgroup("Unlisted club", visibility="unlisted"),
        "private": playgroup("Private club", visibility="private"),
    }
    for number, one in enumerate(made.values(), 1):
        evening(one, {"Ann": 3 * number, "Bo": 1})
        Player.objects.filter(playgroup=one, name="Ann").update(user=account("ann"))
    return made


def named(groups: dict[str, Playgroup], client: Client | None = None) -> set[str]:
    """Return which playgroups the page of Ann at home leads to."""
    home = groups["home"]
    page = text(ask(home, "player", player(home, "Ann").pk, client=client))
    others = {name: one for name, one in groups.items() if name != "home"}
    return {name for name, one in others.items() if f"/g/{one.code}/" in page or one.name in page}


def test_visitors_see_public_playgroups_and_their_own(groups):
    players.show_playgroups(account("ann"), True)
    member = browser(account("mia", groups["private"], "member"))
    account("mia2", groups["unlisted"], "member")

    home = groups["home"]

    assert named(groups) == {"public"}
    assert groups["public"].name not in text(ask(home, "player", player(home, "Bo").pk))
    assert named(groups, member) == {"public", "private"}
    assert named(groups, browser("mia2")) == {"public", "unlisted"}


def test_who_agreed_can_take_it_back(groups):
    client = browser("ann")
    client.post(reverse("show_playgroups"), {"shows_playgroups": "on"})
    agreed = named(groups)
    page = text(client.get(reverse("account")))
    client.post(reverse("show_playgroups"))

    assert (agreed, named(groups)) == ({"public"}, set())
    assert 'name="shows_playgroups" checked' in page


def test_only_the_account_itself_agrees(groups):
    with unchanged():
        answer = Client().post(reverse("show_playgroups"), {"shows_playgroups": "on"})
    browser("bo").post(reverse("show_playgroups"), {"shows_playgroups": "on"})

    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("login"))
    assert named(groups) == set()


def test_a_player_whose_account_is_on_a_merged_player_is_the_same_person(groups):
    players.show_playgroups(account("ann"), True)
    home, club = groups["home"], groups["public"]
    merging.merge(player(home, "Ann"), seating.add_player(home, "Annie"))
    merging.merge(player(club, "Ann"), seating.add_player(club, "Anna"))

    page = ask(home, "player", player(home, "Annie").pk)

    assert table_rows(page, "In other playgroups") == [["Public club", "1", "6.0"]]
    assert f'href="{reverse("player", args=[club.code, player(club, "Anna").pk])}"' in text(page)
