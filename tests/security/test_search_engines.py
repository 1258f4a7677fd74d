"""What search engines are asked to leave out: all that is reached only by a link."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import resolve, reverse

from scoring.models import Playgroup
from scoring.models.people import Visibility
from tests.scoring.tables import address

from .world import World


def tagged(client: Client, addresses: list[tuple[str, str]]) -> dict[str, bool]:
    """Return which pages there are, and which of them say noindex."""
    found = {}
    for name, where in addresses:
        if name.startswith("admin:") or "stream" in name:
            continue
        answer = client.get(where)
        if answer.status_code == 200:
            found[name] = answer.get("X-Robots-Tag") == "noindex"
    return found


def of_playgroup(world: World) -> list[tuple[str, str]]:
    """Return the addresses of the playgroup, and those of its set that has been finished."""
    done = world.group.sets.exclude(finished_at=None).get()
    pages = [(name, where) for name, where in world.addresses if where.startswith("/g/")]
    return pages + [(name, address(done, name)) for name in ("watch", "table", "log", "export")]


@pytest.mark.parametrize(
    ("visibility", "role", "hidden"),
    [
        (Visibility.PUBLIC, "stranger", False),
        (Visibility.UNLISTED, "stranger", True),
        (Visibility.UNLISTED, "owner", True),
        (Visibility.PRIVATE, "owner", True),
    ],
)
def test_pages_of_a_playgroup_are_left_out_unless_it_is_public(world, visibility, role, hidden):
    Playgroup.objects.update(visibility=visibility)

    found = tagged(world.clients()[role], of_playgroup(world))

    assert {"board", "player", "people", "watch", "log", "export"} <= set(found)
    assert set(found.values()) == {hidden}


@pytest.mark.parametrize("role", ["stranger", "key"])
def test_quick_tables_decks_and_invitations_are_left_out(world, role):
    with_a_code = [one for one in world.addresses if resolve(one[1]).kwargs]
    apart = [one for one in with_a_code if not one[1].startswith(("/g/", "/bans/"))]

    found = tagged(world.clients()[role], apart)

    assert {"watch", "table", "log", "export", "deck", "join"} <= set(found)
    assert set(found.values()) == {True}


def test_announcements_are_found_but_not_the_pages_of_their_editors(world):
    of_lists = [one for one in world.addresses if one[1].startswith("/bans/c")]

    found = {role: tagged(world.clients()[role], of_lists) for role in ("stranger", "editor")}

    public = {"announcements", "announcements_feed", "export_bans"}
    assert [{name for name, hidden in of.items() if not hidden} for of in found.values()] == [
        public,
        public,
    ]


def test_the_pages_of_the_site_itself_are_found(world):
    without_a_code = [one for one in world.addresses if not resolve(one[1]).kwargs]

    found = tagged(Client(), without_a_code)

    assert {"home", "groups", "bans", "check", "finder", "start"} <= set(found)
    assert set(found.values()) == {False}


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.UNLISTED])
def test_the_ban_list_of_a_playgroup_is_left_out_unless_it_is_public(world, visibility):
    Playgroup.objects.update(visibility=visibility)
    where = f"{reverse('bans')}?list=group-{world.group.code}"

    assert tagged(Client(), [("bans", where)]) == {"bans": visibility != Visibility.PUBLIC}
