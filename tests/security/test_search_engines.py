"""What search engines are asked to leave out: all that is reached only by a link."""

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


@pytest.mark.parametrize("role", ["stranger", "key", "editor"])
def test_of_other_pages_those_without_a_code_are_found_and_announcements(world, role):
    """Quick tables, decks, invitations and the pages of editors are left out."""
    apart = [one for one in world.addresses if not one[1].startswith("/g/")]
    codes = {name for name, where in apart if resolve(where).kwargs}

    found = tagged(world.clients()[role], apart)

    assert {"watch", "table", "log", "export", "deck", "join"} <= found.keys() & codes
    assert {"home", "groups", "bans", "check", "finder", "start"} <= found.keys() - codes
    public = codes & {name for name, is_hidden in found.items() if not is_hidden}
    assert public == {"announcements", "announcements_feed", "export_bans"}
    assert not [name for name in found.keys() - codes if found[name]]


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.UNLISTED])
def test_the_ban_list_of_a_playgroup_is_left_out_unless_it_is_public(world, visibility):
    Playgroup.objects.update(visibility=visibility)
    where = f"{reverse('bans')}?list=group-{world.group.code}"

    assert tagged(Client(), [("bans", where)]) == {"bans": visibility != Visibility.PUBLIC}
