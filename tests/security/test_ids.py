"""Ids of others, guessed or known: refused as those of nobody, and nothing is told of them."""

from functools import partial
from typing import Any

import pytest
from django.db.models import Model
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from decks.models import BanEntry, Status
from scoring.groups import players, settings
from scoring.models import Playgroup
from scoring.play import commands as tables
from scoring.play import seating
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.lengths import long
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account
from tests.scoring.tables import record, tap_id, unchanged

from .world import World

SECRET = "Xanthippe"  # stands in every name of the other playgroup
OF_ONE = ("edit_player", "claim", "release", "merge", "separate", "answer_claim", "change_member")
OF_ONE += ("house_ban", "revoke", "edit_season", "season", "player")
FORM = {"tap_id": str(tap_id(7)), "name": "Dee", "role": "owner"}
FORM |= {"starts_on": "2026-09-01", "ends_on": "2026-12-01"}
FORM |= dict.fromkeys(("confirm", "remove", "delete", "yes"), 1)
KINDS = {"answer_claim": "claim", "change_member": "member", "house_ban": "ban"}
KINDS |= {"revoke": "invitation", "edit_season": "season", "season": "season"}


@pytest.fixture
def others(world: World) -> dict[str, Model]:
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
    return int(others[KINDS.get(name, "player")].pk)


def leaks(answer: HttpResponse) -> bool:
    is_signal = answer.streaming and answer.is_async
    shown = b"" if is_signal else b"".join(answer)
    return SECRET.encode() in shown or SECRET in repr(answer.headers)


@pytest.mark.parametrize("role", ["scorekeeper", "owner"])
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
