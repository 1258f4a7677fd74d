"""A set's page leads to its playgroup and to its players, and to all its records."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.play import commands
from scoring.rules.formats import COALITION_906

from ...browsing import Page, words
from ...tables import KEY, address, holder, text
from ..visitors import player
from .evenings import ask, evening, make_group


def links(client, table):
    tags = Page(text(client.get(address(table, "watch")))).tags
    return [at["href"] for tag, at in tags if tag == "a"]


def group_pages(group):
    """Return the addresses of a playgroup's leaderboard, and of its players Ann and Bo."""
    return [
        reverse("board", args=[group.code]),
        *(reverse("player", args=[group.code, player(group, name).pk]) for name in ("Ann", "Bo")),
    ]


def test_the_standings_lead_to_the_playgroup_its_players_and_the_log(group):
    table = evening(group, {"Ann": 9, "Bo": 4}, led={"Ann": ("Krenko, Mob Boss", "Goblin")})

    addresses = links(Client(), table)

    assert [link for link in addresses if link.startswith("/g/")] == [
        *group_pages(group),
        f"{reverse('hero', args=[group.code])}?name=Krenko%2C%20Mob%20Boss",
        f"{reverse('type', args=[group.code])}?name=Goblin",
    ]
    assert {address(table, "log"), address(table, "export"), "/decks/deck2345/?revision=1"} <= {
        *addresses
    }
    shown = words(Client().get(address(table, "watch")))
    assert "Ann Krenko, Mob Boss ( in this playgroup ), Goblin · A deck" in shown


def test_a_table_that_is_played_leads_there_too(group):
    table = commands.create_set(COALITION_906, ["Ann", "Bo"], playgroup=group)

    before = links(Client(), table)
    commands.start_game(table, 1, first=1)
    during = links(Client(), table)

    for addresses in (before, during):
        assert [link for link in addresses if link.startswith("/g/")] == group_pages(group)
    fresh = text(Client().get(address(table, "watch"), headers={"HX-Request": "true"}))
    assert all(f'href="{link}"' in fresh for link in group_pages(group)[1:])


@pytest.mark.parametrize("visibility", [None, "private"])
def test_a_key_alone_leads_to_no_playgroup(db, visibility):
    group = make_group(visibility) if visibility else None
    table = commands.create_set(COALITION_906, ["Ann", "Bo"], key=KEY, playgroup=group)

    assert not [link for link in links(holder(table), table) if link.startswith("/g/")]


@pytest.mark.parametrize("page", ["board", "heroes", "versus", "seasons_archive"])
def test_what_is_being_played_is_on_top(group, page):
    table = commands.create_set(COALITION_906, ["Ann", "Bo"], playgroup=group)

    tags = Page(text(ask(group, page))).tags

    assert address(table, "watch") in [at.get("href") for _, at in tags]


def test_players_met_lead_to_head_to_head(group):
    for day in range(3):
        evening(group, {"Ann": 9, "Bo": 4}, day=day)
    ann, bo = player(group, "Ann").pk, player(group, "Bo").pk

    page = ask(group, "player", ann)

    where = f"{reverse('versus', args=[group.code])}?a={ann}&b={bo}"
    assert where in [at.get("href") for _, at in Page(text(page)).tags]
