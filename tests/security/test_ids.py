"""Ids of others, guessed or known: refused as those of nobody, and nothing is told of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.models import BanEntry, Status
from scoring.groups import players, settings
from scoring.models import EventRow, GameSet, Playgroup
from scoring.play import commands as tables
from scoring.play import seating
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.lengths import long
from tests.scoring.browsing import problem, words
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, record, set_up, tap_id, unchanged

from .world import World

SECRET = "Xanthippe"  # stands in every name of the other playgroup
OF_ONE = ("edit_player", "claim", "release", "merge", "separate", "answer_claim", "change_member")
OF_ONE += ("house_ban", "revoke", "edit_season", "season", "player")
FORM = {
    "tap_id": str(tap_id(7)),
    "name": "Dee",
    "confirm": 1,
    "remove": 1,
    "delete": 1,
    "role": "owner",
    "starts_on": "2026-09-01",
    "ends_on": "2026-12-01",
    "yes": 1,
}


@pytest.fixture
def others(world: World) -> dict[str, Model]:
    """A private playgroup with one of everything, by what an address may name."""
    home = group(f"{SECRET} and friends", visibility="private")
    owner = account(f"{SECRET}-owner", home, "owner")
    one = seating.add_player(home, f"{SECRET} A")
    players.claim(one, account("signed in"))
    table = tables.create_set(COALITION_906, [f"{SECRET} B", "Cy"], playgroup=home)
    tables.start_game(table, 1, first=1)
    record(table, Draw(SECRET))
    today = timezone.localdate()
    return {
        "group": home,
        "player": one,
        "claim": one.claims.get(),
        "member": home.memberships.get(user=owner),
        "season": settings.add_season(home, SECRET, today, today),
        "invitation": settings.invite(home, "member", 7, key="an-other-key"),
        "ban": _ban(home, world),
        "set": table,
    }


def _ban(home: Playgroup, world: World) -> BanEntry:
    elf = world.kept["card"]
    settings.ban(home, elf, Status.BANNED, SECRET, timezone.localdate(), None)  # type: ignore[arg-type]
    return BanEntry.objects.get(ban_list=home.house)


def named(name: str, others: dict[str, Model]) -> int:
    kinds = {
        "answer_claim": "claim",
        "change_member": "member",
        "house_ban": "ban",
        "revoke": "invitation",
        "edit_season": "season",
        "season": "season",
    }
    return int(others[kinds.get(name, "player")].pk)


def leaks(answer: HttpResponse) -> bool:
    is_signal = answer.streaming and answer.is_async
    shown = b"" if is_signal else b"".join(answer)
    return SECRET.encode() in shown or SECRET in repr(answer.headers)


@pytest.mark.parametrize("role", ["member", "scorekeeper", "owner"])
def test_what_is_of_another_playgroup_is_not_there_under_the_own_address(
    world: World, others: dict[str, Model], role: str
):
    """As a number that nobody has; the owner of one playgroup is nobody in the next."""
    client = world.clients()[role]

    with unchanged():
        for name in OF_ONE:
            theirs = reverse(name, args=[world.group.code, named(name, others)])
            nobodys = reverse(name, args=[world.group.code, 999_999])
            for ask in (client.get, client.post):
                there, nowhere = ask(theirs, FORM), ask(nobodys, FORM)
                assert there.status_code == nowhere.status_code, (name, ask)
                assert there.status_code in (302, 403, 404, 405), (name, ask)
                assert not leaks(there), (name, ask)


@pytest.mark.parametrize("field", ["into", "player", "a", "b", "season", "house", "group"])
def test_a_form_that_names_what_is_of_others_is_refused_without_a_word_of_it(
    world: World, others: dict[str, Model], field: str
):
    client, here = world.clients()["owner"], world.group.code
    kinds = {"season": others["season"].pk, "house": others["group"].house.key}  # type: ignore[attr-defined]
    value = kinds.get(field, others["player"].pk)
    value = others["group"].code if field == "group" else value  # type: ignore[attr-defined]
    ann = world.group.players.get(name="Ann").pk
    form: dict[str, Any] = {"tap_id": str(tap_id(8)), field: value, "confirm": 1, "preview": 1}
    asked = [
        (client.get, reverse(name, args=[here, *more]))
        for name, *more in (["board"], ["versus"], ["player", ann], ["heroes"], ["merge", ann])
    ]
    asked += [(client.get, reverse(name)) for name in ("start", "check", "bans")]
    # What its fields say becomes an expression in its address.
    asked += [(partial(client.get, follow=True), reverse("finder"))]
    asked += [(client.post, reverse("merge", args=[here, ann])), (client.post, reverse("check"))]
    if field == "group":  # it has none of the other fields, and starts a table without a name
        asked += [(client.post, reverse("start"))]
    form |= {"text": "4 Llanowar Elves", "ruleset": "coalition-906"}

    with unchanged():
        for ask, where in asked:
            answer = ask(where, form)
            assert answer.status_code in (200, 403, 404, 422), where
            assert not leaks(answer), where


# Editors keep every list, and superusers see every row.
@pytest.mark.parametrize(
    "role", ["signed in", *long("stranger", "key", "member", "scorekeeper", "owner")]
)
def test_no_page_reveals_who_is_in_a_private_playgroup(
    world: World, others: dict[str, Model], role: str
):
    client = world.clients()[role]

    for name, where in world.addresses:
        assert not leaks(client.get(where)), name


def test_a_private_table_is_not_there_whoever_guesses_its_code(
    world: World, others: dict[str, Model]
):
    clients = world.clients()
    code = others["set"].code  # type: ignore[attr-defined]

    for role in ("stranger", "key", "signed in", "member", "scorekeeper", "owner", "editor"):
        for name in ("watch", "table", "log", "export", "score", "links", "stream"):
            there = clients[role].get(reverse(name, args=[code]))
            nowhere = clients[role].get(reverse(name, args=["22222222"]))
            assert (there.status_code, nowhere.status_code) == (404, 404)
            assert words(there) == words(nowhere)


# --- taps ---
@pytest.fixture
def two(world: World) -> tuple[GameSet, GameSet, Client]:
    """Two tables, one browser that keeps the score of the second alone."""
    mine = set_up(3, key="my-own-key")
    client = Client()
    client.cookies[f"key-{mine.code}"] = "my-own-key"
    return world.table, mine, client


def test_the_id_of_another_tables_tap_is_as_good_as_a_fresh_id(two):
    theirs, mine, client = two
    tables.record(theirs, 1, hit(ANN, BO, 9), tap_id=tap_id(5))
    form = {"source": 1, "target": 2, "kind": "combat", "amount": 2, "tap_id": tap_id(5)}

    answers = [client.post(address(mine, "hit", 1), form).status_code for _ in range(2)]

    assert answers == [302, 302]
    kept = EventRow.objects.filter(tap_id=tap_id(5)).order_by("pk")
    assert [(row.game_set_id, row.entry["hits"][0]["amount"]) for row in kept] == [
        (theirs.pk, 9),
        (mine.pk, 2),
    ]


def test_undo_of_another_tables_tap_finds_nothing(two):
    theirs, mine, client = two
    tables.record(theirs, 1, hit(ANN, BO, 9), tap_id=tap_id(5))
    record(mine, hit(ANN, BO, 1))

    with unchanged():
        answer = client.post(address(mine, "undo", 1), {"of": tap_id(5), "tap_id": tap_id(6)})
        refused = client.post(address(theirs, "undo", 1), {"of": tap_id(5), "tap_id": tap_id(6)})

    assert (answer.status_code, refused.status_code) == (422, 403)
    assert problem(answer) == "That tap was not recorded: there is nothing to undo."
    assert "9" not in problem(answer)
