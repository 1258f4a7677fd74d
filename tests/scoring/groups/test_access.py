"""Who may do what with a playgroup: every address, every role, public and private."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import date, timedelta
from urllib.parse import quote
from zlib import crc32

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from decks.models import BanEntry, Status
from scoring.groups.evenings import commands as evenings
from scoring.groups.news import webhooks
from scoring.groups.people import players
from scoring.groups.seasons import closing
from scoring.groups.settings import commands as settings
from scoring.models import Claim, GameSet, Playgroup
from scoring.models.people import Visibility
from scoring.record import commands as table_commands
from scoring.record import seating
from scoring.rules.corrections import Undo
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw

from ...decks.cards import card
from ..browsing import NO_TABLE, words
from ..grouped import play
from ..tables import address, everything, holder, set_up, tap_id, text, unchanged
from ..test_access import patterns
from .visitors import ROLES, account, again, at, browser, everybody, owned_group, player, post

KEY, QUICK, INVITED = "the-key-of-a-table", "of-a-quick-table", "the-key-of-an-invitation"
NOTEBOOK = "12.3.2026 Ann 21, Bo 5"
DISCORD = "https://discord.com/api/webhooks/1/secret"

# Status of GET and of POST with an empty form, for a public playgroup, and which addresses have it.
ANSWERS = {
    # stranger   signed in  member     scorekeeper owner     superuser
    "200 302    200 422    200 422    200 422    200 422    200 422": "groups",
    "200 302    200 302    200 302    200 302    200 302    200 302": "join",
    "200 405    200 405    200 405    200 405    200 405    200 405": (
        "board board_part group_qr playing group_stream export_group results_csv feed player "
        "player_picture heroes teams versus seasons_archive season evenings evening round "
        "season_qr season_picture evening_picture calendar_feed people"
    ),
    # without a name, and with a guessed key
    "404 405    404 405    404 405    404 405    404 405    404 405": "hero type secret_feed",
    "302 403    302 403    302 403    302 422    302 422    302 422": (
        "plan_evening evening_people cancel_evening change_round change_clock"
    ),
    "302 403    302 403    302 403    302 302    302 302    302 302": (
        "draw_round end_evening invite_to_evening"
    ),
    "404 404    404 404    404 404    404 404    404 404    404 404": "coming",
    "302 403    302 403    302 403    302 403    302 302    302 302": (
        "close_season release answer_claim announce_house_bans house_ban send_test "
        "switch_on_webhook remove_webhook revoke"
    ),
    "200 422    200 422    200 422    200 422    200 422    200 422": "calendar",
    "302 403    302 403    302 302    302 302    302 302    302 302": "revoke_calendar claim",
    "302 302    302 422    302 422    302 422    302 422    302 422": "import_group",
    "302 405    404 405    404 405    404 405    404 405    404 405": "import",
    "302 403    302 403    302 403    302 403    302 422    302 422": (
        "add_player separate change_member renew_secret"
    ),
    "403 403    403 403    403 403    403 403    200 422    200 422": (
        "edit_player settings house_bans webhook invitations edit_seasons edit_season"
    ),
    "403 403    403 403    403 403    200 422    200 422    200 422": "notebook edit_evening",
    "403 405    403 405    200 405    200 405    200 405    200 405": "choose_player",
    "403 403    403 403    403 403    403 403    422 422    422 422": "merge",
    "302 403    302 403    302 302    302 302    302 422    302 302": "leave_group",
    "403 405    403 405    403 405    403 405    200 405    200 405": "board_without",
}
STATUSES = {name: line for line, names in ANSWERS.items() for name in names.split()}
# Who may send a good form, beside owners.
OF_MEMBERS = ("claim", "leave_group", "calendar", "revoke_calendar")
OF_SCOREKEEPERS = (
    *OF_MEMBERS,
    *("plan_evening", "evening_people", "draw_round", "end_evening", "cancel_evening"),
    *("change_round", "change_clock", "edit_evening", "notebook", "invite_to_evening"),
)
RIGHTFUL = {"member": OF_MEMBERS, "scorekeeper": OF_SCOREKEEPERS}
# Not pages of one playgroup.
OF_NONE = ("groups", "import_group", "import", "join", "secret_feed", "coming")


def pages() -> list[URLPattern]:
    return list(patterns(of_groups=True))


def of_one() -> list[URLPattern]:
    return [pattern for pattern in pages() if pattern.name not in OF_NONE]


def each(patterns: Sequence[URLPattern]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("pattern", patterns, ids=lambda one: str(one.name))


@pytest.fixture(scope="module")
def rows(shared_rows) -> tuple[Playgroup, dict[str, Client]]:
    with shared_rows():
        thursday = owned_group()
        ann = seating.add_player(thursday, "Ann")
        players.claim(ann, account("zoe"))
        settings.invite(thursday, "member", 7, key=INVITED)
        spring = settings.add_season(thursday, "Spring", date(2026, 3, 1), date(2026, 5, 31))
        closing.close(spring)  # a page would, and these tests look for what visitors change
        elf = card("Llanowar Elves")
        settings.ban(thursday, elf, Status.BANNED, "", timezone.localdate(), account("olga"))
        webhooks.save(thursday, "discord", DISCORD, site="https://table.example", key=KEY)
        table = table_commands.create_set(COALITION_906, ["Bo", "Cy"], key=KEY, playgroup=thursday)
        table_commands.start_game(table, 1, first=1)
        evening = evenings.create_evening(thursday, "Club", COALITION_906, rounds=2, usual_size=3)
        evenings.arrive(evening, ["Ann", "Bo", "Cy"])
        evenings.pair_round(evening)
        return thursday, everybody(thursday)


@pytest.fixture
def full(rows, db: None) -> Playgroup:
    """A playgroup that has one of everything that an address may name."""
    return deepcopy(rows[0])


@pytest.fixture
def clients(rows, db: None) -> dict[str, Client]:
    return {role: again(client) for role, client in rows[1].items()}


def fill(pattern: URLPattern, group: Playgroup) -> str:
    """Return an address with the playgroup's code, and the key of what it is about."""
    keys = {
        "answer_claim": Claim.objects.get,
        "change_member": lambda: group.memberships.get(role="owner"),
        "house_ban": BanEntry.objects.get,
        "revoke": group.invitations.get,
        "edit_season": group.seasons.get,
        "season": group.seasons.get,
        "season_picture": group.seasons.get,
        "season_qr": group.seasons.get,
        "close_season": group.seasons.get,
    }
    key = keys.get(pattern.name, lambda: player(group, "Ann"))().pk
    known = {"code": group.code, "pk": key, "key": INVITED if pattern.name == "join" else key}
    known |= {"number": 1, "round": 1, "part": "records"}
    return reverse(pattern.name, kwargs={one: known[one] for one in pattern.pattern.converters})


def statuses(where: str, clients: dict[str, Client]) -> Iterator[tuple[str, list[str]]]:
    """Yield each role with the statuses it gets; what one does is taken back for the next."""
    for role, client in clients.items():
        got = []
        for method in (client.get, client.post):
            with transaction.atomic():
                got.append(str(method(where).status_code))
                transaction.set_rollback(True)
        yield role, got


def expected(line: str, roles: Sequence[str], *, is_private: bool) -> dict[str, list[str]]:
    """Return by role what a line of a table says; what is private is not there for strangers."""
    of_line = line.split()
    by_role = {role: of_line[2 * place : 2 * place + 2] for place, role in enumerate(roles)}
    if is_private:
        for role in ("stranger", "signed in"):
            by_role[role] = [one if one in ("302", "405") else "404" for one in by_role[role]]
    return by_role


def check_hidden(client: Client, where: str, code: str) -> None:
    """Expect of an address that a client may not see what one gives that is nobody's."""
    for method in (client.get, client.post):
        hidden, missing = method(where), method(where.replace(code, NO_TABLE))
        assert hidden.status_code == missing.status_code
        assert headers(hidden, code) == headers(missing)
        assert without_tokens(hidden).replace(code, NO_TABLE) == without_tokens(missing)


def test_every_address_of_playgroups_has_a_line_in_the_table():
    assert sorted(STATUSES) == sorted(pattern.name for pattern in pages())


@each(pages())
@pytest.mark.parametrize("is_private", [False, True])
def test_every_address_answers_each_role_as_the_table_says(full, clients, pattern, is_private):
    if is_private:
        Playgroup.objects.update(visibility=Visibility.PRIVATE)
    hides = is_private and pattern.name not in OF_NONE

    actual = dict(statuses(fill(pattern, full), clients))

    assert actual == expected(STATUSES[pattern.name], ROLES, is_private=hides)


@each(of_one())
@pytest.mark.parametrize("user", [None, "sid"])
def test_an_address_without_a_playgroup_answers_like_a_private_playgroup(full, pattern, user):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)

    check_hidden(browser(user), fill(pattern, full), full.code)


def headers(response: HttpResponse, code: str = NO_TABLE) -> dict[str, str]:
    # The time it is, a hash of what is compared anyway, and each request's own number.
    changing = ("Expires", "ETag", "X-Request-ID")
    return {
        name: value.replace(code, NO_TABLE)
        for name, value in response.items()
        if name not in changing
    }


def without_tokens(response: HttpResponse) -> str:
    return re.sub('name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())


def test_visitors_who_can_not_see_a_playgroup_are_led_by_sign_in_to_the_same_page(full):
    begins = Client().get(f"/start/?group={full.code}")
    assert f"?next=/start/%3Fgroup%3D{full.code}" in text(begins)
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    where = f"{at(full, 'board')}?sort=name"

    page = Client().get(where)
    led = re.search(r'class="btn go" href="([^"]*)"', text(page))
    posted = Client().post(at(full, "add_player"), {"name": "Ann"})

    assert led
    assert led[1] == f"{reverse('login')}?next={quote(where)}"
    assert (
        "There is no playgroup here that you can see. If it is private, sign in with an account "
        "that belongs to it." in words(page)
    )
    assert f"?next={reverse('groups')}" in posted.content.decode()


@each(of_one())
def test_visitors_without_the_right_change_nothing_with_a_good_form(full, clients, pattern):
    """Each field that any form of playgroups has, with something that would do."""
    form = {
        "name": "Dee",
        "into": player(full, "Bo").pk,
        "confirm": 1,
        "remove": 1,
        "delete": 1,
        "role": "owner",
        "days": 7,
        "visibility": "private",
        "ruleset": "coalition-2026",
        "illegal_decks": "refuse",
        "zone": "Europe/Berlin",
        "card": "Llanowar Elves",
        "status": "allowed",
        "starts_on": "2026-09-01",
        "ends_on": "2026-12-01",
        "form": "discord",
        "address": "https://discord.com/api/webhooks/2/other",
        "tap_id": "00000000-0000-4000-8000-000000000001",
        "rounds": 2,
        "usual_size": 3,
        "names": "Dee",
        "come": player(full, "Bo").pk,
        "begin": 1,
        "change": "stop",
        "text": NOTEBOOK,
        "shown": f"{crc32(repr(('coalition-2026', [NOTEBOOK.split()])).encode()):x}",
        "evening": full.evenings.get().pk,
    }
    before = everything()

    for role in ("stranger", "signed in", "member", "scorekeeper"):
        if pattern.name not in RIGHTFUL.get(role, ()):
            clients[role].post(fill(pattern, full), form)
            clients[role].get(fill(pattern, full), form)

    assert everything() == before


def test_the_secret_link_opens_a_set_of_a_private_playgroup(full):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    table = full.sets.get()
    client = browser(None)

    wrong = client.get(address(table, "take_key", "wrong"))
    right = client.get(address(table, "take_key", KEY))

    assert (wrong.status_code, right.status_code) == (404, 302)
    assert client.get(address(table, "watch")).status_code == 200
    assert client.get(address(table, "score")).status_code == 200
    assert client.get(at(full, "board")).status_code == 404


@pytest.mark.parametrize("visibility", Visibility)
def test_a_key_opens_a_set_of_a_playgroup_until_a_day_after_its_end(full, visibility):
    Playgroup.objects.update(visibility=visibility)
    """A quick table's for good."""
    table, quick = full.sets.get(), set_up(key=QUICK)
    outside = [holder(table, KEY), browser("sid")]
    member = browser(account("mia", full, "member"))
    for client in (*outside, member):
        client.cookies[f"key-{table.code}"] = KEY
    names = ("watch", "log", "export", "score", "links")

    def statuses(client: Client) -> list[int]:
        return [client.get(address(table, name)).status_code for name in names]

    table_commands.record(table, 1, Draw())
    table_commands.call_set(table)
    assert [statuses(client) for client in (*outside, member)] == [[200] * 5] * 3  # to correct it

    GameSet.objects.update(finished_at=timezone.now() - timedelta(days=2))
    assert holder(quick, QUICK).get(address(quick, "score")).status_code == 200
    looks_on = [200, 200, 200, 403, 403]
    hidden = visibility == Visibility.PRIVATE
    assert [statuses(client) for client in outside] == [[404] * 5 if hidden else looks_on] * 2
    assert statuses(member) == looks_on
    assert statuses(browser(account("sam", full, "scorekeeper"))) == [200] * 5
    assert member.post(address(table, "undo", 1), {"tap_id": tap_id(7)}).status_code == 403


@pytest.mark.parametrize("visibility", Visibility)
@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_a_removed_member_can_score_with_no_key_that_a_browser_still_has(full, role, visibility):
    """Signed in or not, a running set or a finished one that is opened again.

    A member who leaves closes no table for others: anybody with an invitation could stop all.
    """
    Playgroup.objects.update(visibility=visibility)
    now = full.sets.get()
    done = play(full, date(2026, 3, 6), {"Ann": (1, 1, 1), "Bo": (2, 2, 2)}, key="another-key")
    user = account("max", full, role)
    clients = [browser(user), browser(None)]
    for client in clients:
        client.cookies[f"key-{now.code}"] = KEY
        client.cookies[f"key-{done.code}"] = "another-key"
    post(browser(account("mia", full, "member")), full, "leave_group")
    assert [client.get(address(now, "score")).status_code for client in clients] == [200] * 2

    key = full.memberships.get(user=user).pk
    assert post(browser("olga"), full, "change_member", key, remove=1).status_code == 302
    table_commands.record(done, 3, Undo())

    refused = 404 if visibility == Visibility.PRIVATE else 403
    for table in (now, done):
        with unchanged():
            answers = [
                client.post(address(table, "undo", 1), {"tap_id": tap_id(7)}) for client in clients
            ]
        assert [answer.status_code for answer in answers] == [refused] * 2
    sam = browser(account("sam", full, "scorekeeper"))
    assert sam.get(address(now, "score")).status_code == 200


def test_the_link_of_a_seat_ends_with_those_of_scorekeepers(full):
    """A day after the end, and when a member is removed."""
    table, phones = full.sets.get(), [Client(), Client()]
    for seat, phone in enumerate(phones, 1):
        table_commands.change_seat_key(table, seat, f"the-key-of-seat-{seat}")
        phone.get(address(table, "take_seat_key", f"the-key-of-seat-{seat}"))
    form = {"tap_id": tap_id(7), "life": 25}

    def confirmed(phone: Client) -> int:
        return phone.post(address(table, "seat_confirm", 1), form).status_code

    assert confirmed(phones[0]) == 302
    GameSet.objects.update(finished_at=timezone.now() - timedelta(days=2))
    with unchanged():
        assert confirmed(phones[1]) == 403
    GameSet.objects.update(finished_at=None)
    key = full.memberships.get(user=account("max", full, "member")).pk
    post(browser("olga"), full, "change_member", key, remove=1)

    with unchanged():
        assert [confirmed(phone) for phone in phones] == [403, 403]


@pytest.mark.parametrize(
    ("visibility", "shown"),
    [(Visibility.PUBLIC, True), (Visibility.UNLISTED, False), (Visibility.PRIVATE, False)],
)
def test_public_playgroups_are_listed_for_everybody(full, visibility, shown):
    Playgroup.objects.update(visibility=visibility)

    for client in (browser(None), browser("sid")):
        assert (at(full, "board") in text(client.get(reverse("groups")))) is shown
    assert at(full, "board") in text(browser("olga").get(reverse("groups")))
