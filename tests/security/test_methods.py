"""Every address, every role, every method: nothing breaks, and only a POST may change anything."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.lengths import long

from .world import World, rows

OTHER_ROLES = ("key", "signed in", "member", "scorekeeper", "editor", "superuser")
OTHERS = ("PUT", "PATCH", "DELETE", "OPTIONS")
HEADS = {"stream": 405, "group_stream": 405, "admin:login": 200}  # otherwise than for a GET
REFUSED = {302, 403, 404, 405, 410}  # led to sign in, not let in, not there, or not by this method
BODY = b"tap_id=00000000-0000-4000-8000-000000000001&name=Dee&go_on=1&starter=1"


def ask(client: Client, method: str, where: str) -> HttpResponse:
    if method in ("GET", "HEAD"):
        return client.generic(method, where)
    return client.generic(method, where, BODY, "application/x-www-form-urlencoded")


def shown(response: HttpResponse) -> bytes:
    return b"" if response.streaming else response.content


def wrong(client: Client, name: str, where: str) -> Iterator[tuple[str, str, int]]:
    """Yield the methods that an address answers otherwise than it should."""
    got, bare = ask(client, "GET", where), ask(client, "HEAD", where)
    if got.status_code >= 500:
        yield name, "GET", got.status_code
    if (bare.status_code, shown(bare)) != (HEADS.get(name, got.status_code), b""):
        yield name, "HEAD", bare.status_code
    for method in OTHERS:
        status = ask(client, method, where).status_code
        is_admin = name.startswith("admin:")  # Django's: what is no POST is a GET to it
        if status not in REFUSED and not (status == 200 and (is_admin or method == "OPTIONS")):
            yield name, method, status


@pytest.mark.parametrize("role", ["stranger", *long("owner", *OTHER_ROLES)])
def test_only_a_post_changes_anything_and_no_method_breaks_an_address(world: World, role: str):
    client = world.clients(raise_request_exception=False)[role]
    before = rows()

    found: list[tuple[str, str, int]] = []
    for name, where in world.addresses:
        found += wrong(client, name, where)
    assert (found, rows()) == ([], before)


@pytest.mark.parametrize("role", ["owner", *long("stranger", *OTHER_ROLES)])
def test_no_post_breaks_an_address(world: World, role: str):
    client = world.clients(raise_request_exception=False)[role]

    for name, where in world.addresses:
        with transaction.atomic():  # what it does is taken back for the next
            assert ask(client, "POST", where).status_code < 500, name
            transaction.set_rollback(True)
