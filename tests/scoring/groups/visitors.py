"""A small language for tests of a playgroup's pages: who asks, where, and what the books say."""

from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import Membership, Player, Playgroup, SetResult, Tally

from ..grouped import group as new_group

ROLES = ("stranger", "signed in", "member", "scorekeeper", "owner", "superuser")


def owned_group() -> Playgroup:
    """Return a public playgroup whose owner is "olga"."""
    made = new_group()
    account("olga", made, "owner")
    return made


def account(name: str, group: Playgroup | None = None, role: str = "") -> User:
    """Return the account of a name, with a role in a playgroup if one is given."""
    user, _ = User.objects.get_or_create(username=name)
    if group and role:
        Membership.objects.update_or_create(
            playgroup=group, user=user, defaults={"role": role, "joined_at": timezone.now()}
        )
    return user


def browser(user: User | str | None) -> Client:
    client = Client()
    if user:
        client.force_login(account(user) if isinstance(user, str) else user)
    return client


def everybody(group: Playgroup) -> dict[str, Client]:
    """Return a browser of each role in a playgroup; the owner's account is "olga"."""
    root = User.objects.create_superuser("root")
    return {
        "stranger": browser(None),
        "signed in": browser("sid"),
        "member": browser(account("mia", group, "member")),
        "scorekeeper": browser(account("sam", group, "scorekeeper")),
        "owner": browser("olga"),
        "superuser": browser(root),
    }


def again(client: Client) -> Client:
    other = Client()
    other.cookies = client.cookies.copy()
    return other


def at(group: Playgroup, name: str, *args: object) -> str:
    return reverse(name, args=[group.code, *args])


def post(
    client: Client, group: Playgroup, name: str, /, *args: object, **form: Any
) -> HttpResponse:
    return client.post(at(group, name, *args), form)


def player(group: Playgroup, name: str) -> Player:
    return group.players.get(name=name)


def names(group: Playgroup) -> list[str]:
    return list(group.players.order_by("name").values_list("name", flat=True))


def books() -> tuple[list[Any], list[Any], list[Any]]:
    """Return all results, tallies and players; tallies without the keys that counting gives."""
    tallies = [
        {name: value for name, value in row.items() if name != "id"}
        for row in Tally.objects.order_by("player", "span", "starts_on", "ruleset", "size").values()
    ]
    return (
        list(SetResult.objects.order_by("pk").values()),
        tallies,
        list(Player.objects.order_by("pk").values()),
    )


def roles(group: Playgroup) -> dict[str, str]:
    return dict(group.memberships.values_list("user__username", "role"))
