"""Requests as no page of the site sends them: none gets past its walls, or leads out of it."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

from decks.models import BanEntry, Status
from scoring.groups.people import players
from scoring.groups.settings import commands as settings
from scoring.models import GameSet, Playgroup
from scoring.models.people import Visibility
from scoring.record import commands, seating
from scoring.record import commands as tables
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.lengths import long
from tests.scoring.browsing import words
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account
from tests.scoring.rules.play import ANN
from tests.scoring.tables import address, record, set_up, tap_id, text, unchanged

from .world import World, rows

# --- forged forms ---
GOOD = {"tap_id": "00000000-0000-4000-8000-000000000001", "name": "Dee"}


def token(client: Client, page: str = "/start/") -> str:
    field = r'name="csrfmiddlewaretoken" value="(\w+)"'
    return re.findall(field, client.get(page).content.decode())[0]


@pytest.mark.parametrize("role", ["key", *long("stranger", "superuser")])
def test_no_address_takes_a_form_with_a_forged_token(world: World, role: str):
    """Without a token, with rubbish, and with another visitor's."""
    client = world.clients(enforce_csrf_checks=True)[role]
    token(client)  # which brings the cookie
    forged = [{}, {"csrfmiddlewaretoken": "x" * 64}, {"csrfmiddlewaretoken": token(Client())}]
    before = rows()

    for name, where in world.addresses:
        if name in ("choose_theme", "stream", "group_stream"):
            assert client.post(where, GOOD).status_code == 403, name
            continue
        is_api = name.startswith("api_")
        if is_api or name in ("healthz", "readyz", "metrics"):  # for machines, and takes no form
            assert client.post(where, GOOD).status_code == 405, name
            continue
        if name in ("check_shared", "change_deck"):  # lists are judged without a token
            assert client.post(where, GOOD).status_code in (403, 422)
            continue
        sent = GOOD | {"save": "1"} if name == "check" else GOOD
        for form in forged:
            answer = client.post(where, sent | form)
            assert (answer.status_code, "This page is too old" in words(answer)) == (403, True)
    assert rows() == before


# --- headers and paths ---
EVIL = "evil.example"


@pytest.fixture
def table(db: None) -> GameSet:
    return set_up()


def test_what_a_visitor_says_of_the_way_changes_no_link(world: World):
    client, where = world.clients()["key"], address(world.table, "links")
    assert f"http://testserver/s/{world.table.code}/" in text(client.get(where))

    for name in ("X-Forwarded-Host", "X-Original-URL", "HX-Current-URL", "Referer", "Forwarded"):
        said = f"host={EVIL};proto=https" if name == "Forwarded" else f"https://{EVIL}/"
        headers = {name: said, "X-Forwarded-Proto": "https"}
        answer = client.get(where, headers=headers)
        reset = Client().post(reverse("password_reset"), {"email": "x@y.org"}, headers=headers)
        assert EVIL not in text(answer) + repr(answer.headers) + repr(reset.headers), name
        assert "https://testserver" not in text(answer), name


@pytest.mark.parametrize(
    "path",
    [
        *(
            "//evil.example/",
            "/\\evil.example/",
            "/s/..%2f..%2fetc/passwd/",
            "/static/../manage.py",
        ),
        *("/static/..%5c..%5cx", "/s/a%00b/score/", "/g/%ff%fe/", "/admin/../admin/", "/sw.js/"),
    ],
)
def test_a_path_that_is_none_is_404_and_leads_nowhere_else(db, path):
    client = Client(raise_request_exception=False)
    for ask in (client.get, client.head, client.post):
        with unchanged():
            answer = ask("/", PATH_INFO=unquote_to_bytes(path).decode("latin-1"))
        leads_to = answer.headers.get("Location", "/")
        assert answer.status_code in (301, 302, 400, 404, 405), (path, ask)
        assert leads_to.startswith("/"), leads_to
        assert not leads_to.startswith(("//", "/\\")), leads_to


# --- methods ---
OTHER_ROLES = ("key", "signed in", "member", "scorekeeper", "editor", "superuser")
OTHERS = ("PUT", "PATCH", "DELETE", "OPTIONS")
HEADS = {"stream": 405, "group_stream": 405, "admin:login": 200}  # otherwise than for a GET
REFUSED = {302, 403, 404, 405, 410}  # led to sign in, not let in, not there, or not by this method
BODY = b"tap_id=00000000-0000-4000-8000-000000000001&name=Dee&go_on=1&starter=1"


def ask(client: Client, method: str, where: str) -> HttpResponse:
    if method in ("GET", "HEAD"):
        return client.generic(method, where)
    return client.generic(method, where, BODY, "application/x-www-form-urlencoded")


def wrong(client: Client, name: str, where: str) -> Iterator[tuple[str, str, int]]:
    """Yield the methods that an address answers otherwise than it should."""
    got, bare = ask(client, "GET", where), ask(client, "HEAD", where)
    if got.status_code >= 500:
        yield name, "GET", got.status_code
    shown = b"" if bare.streaming else bare.content
    if (bare.status_code, shown) != (HEADS.get(name, got.status_code), b""):
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


# --- links that are revoked ---
SEAT, NEW_SEAT = "the-key-of-a-seat", "the-new-key-of-a-seat"
OF_A_SEAT = ["watch", "table", "log", "export", "seat", "stream"]


def seated(table: GameSet, key: str = SEAT) -> Client:
    """Return a player's phone that has opened the link of Ann's seat."""
    phone = Client()
    answer = phone.get(address(table, "take_seat_key", key))
    assert (answer.status_code, answer["Location"]) == (302, address(table, "seat"))
    return phone


@pytest.mark.parametrize("key", [NEW_SEAT, None])
def test_a_seats_old_link_opens_no_private_table(world: World, key: str | None):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    table = world.group.sets.get(finished_at=None)
    commands.change_seat_key(table, ANN, SEAT)
    phone = seated(table)
    assert [phone.get(address(table, name)).status_code for name in OF_A_SEAT] == [200] * 6

    commands.change_seat_key(table, ANN, key)

    with unchanged():
        answers = [phone.get(address(table, name)) for name in (*OF_A_SEAT, "score")]
        answers.append(phone.get(address(table, "take_seat_key", SEAT)))
        answers.append(phone.post(address(table, "seat_confirm", 1), {"tap_id": tap_id(1)}))
    assert [answer.status_code for answer in answers] == [404] * 9
    if key:
        assert seated(table, key).get(address(table, "seat")).status_code == 200


# --- what search engines are asked to leave out: all that is reached only by a link ---
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

    done = world.group.sets.exclude(finished_at=None).get()
    pages = [(name, where) for name, where in world.addresses if where.startswith("/g/")]
    pages += [(name, address(done, name)) for name in ("watch", "table", "log", "export")]
    pages.append(("bans", f"{reverse('bans')}?list=group-{world.group.code}"))

    found = tagged(world.clients()[role], pages)

    assert {"board", "player", "people", "watch", "log", "export", "bans"} <= set(found)
    assert set(found.values()) == {hidden}


@pytest.mark.parametrize("role", ["stranger", "key", "editor"])
def test_of_other_pages_those_without_a_code_are_found_and_announcements(world, role):
    """Quick tables, decks, invitations and the pages of editors are left out."""
    apart = [one for one in world.addresses if not one[1].startswith("/g/")]
    codes = {name for name, where in apart if resolve(where).kwargs}

    found = tagged(world.clients()[role], apart)

    view = "tablet" if role == "key" else "table"
    assert {"watch", view, "log", "export", "deck", "join"} <= found.keys() & codes
    assert {"home", "groups", "bans", "check", "finder", "start"} <= found.keys() - codes
    public = codes & {name for name, is_hidden in found.items() if not is_hidden}
    assert public == {"announcements", "announcements_feed", "export_bans"}
    assert not [name for name in found.keys() - codes if found[name]]


# --- ids of others, guessed or known: refused as those of nobody ---
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
    settings.ban(home, world.kept["card"], Status.BANNED, SECRET, today, None)  # type: ignore[arg-type]
    return {
        "group": home,
        "player": one,
        "claim": one.claims.get(),
        "member": home.memberships.get(user=owner),
        "season": settings.add_season(home, SECRET, today, today),
        "invitation": settings.invite(home, "member", 7, key="an-other-key"),
        "ban": BanEntry.objects.get(ban_list=home.house),
        "set": table,
    }


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
