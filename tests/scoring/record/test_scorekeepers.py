"""Who keeps a set's score: numbered, seen by the others, and named beside what they tapped."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client, RequestFactory
from django.utils import timezone

from scoring.models import EventRow, GameSet, Scorekeeper
from scoring.record import commands
from scoring.record.scorekeepers import names, other_scorekeepers
from scoring.rules.corrections import Undo
from scoring.rules.moves import Draw, PassTurn
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import Page, words
from ..tables import KEY, address, holder, record, set_up, tap_id, text

HTMX = {"HX-Request": "true"}
A_HIT = {"source": ANN, "target": BO, "kind": "combat", "amount": 3}


@pytest.fixture
def table(db: None) -> GameSet:
    table = set_up()
    record(table, PassTurn(ANN))
    return table


def arrived(table: GameSet, key: str = KEY) -> Client:
    """Return a browser that has tapped, though nothing came of it."""
    return tapping(holder(table, key), table)


def tapping(client: Client, table: GameSet) -> Client:
    client.post(address(table, "undo", 1), {"tap_id": tap_id(99), "event": 99})
    return client


def here(client: Client, table: GameSet) -> str:
    page = text(client.get(address(table, "score")))
    inside = page.partition('id="others"')[2].partition("</p>")[0].partition(">")[2]
    return " ".join(re.sub("<[^>]*>", " ", inside).split())


def fresh(client: Client, table: GameSet, **asked: str) -> str:
    return text(client.get(address(table, "score"), asked, headers=HTMX))


def pieces(html: str) -> list[str]:
    return [at["id"] for _, at in Page(html).tags if "hx-swap-oob" in at]


# --- numbers ---
def test_a_number_counts_at_its_own_table_and_can_not_be_made_up(table):
    other = set_up(key="another-key")
    arrived(table)
    own = arrived(other, "another-key").cookies[f"scorekeeper-{other.code}"].value

    for number, value in enumerate((own, "1", "1:x", ""), 2):
        client = holder(table)
        client.cookies[f"scorekeeper-{table.code}"] = value
        tap = {"tap_id": tap_id(EventRow.objects.count())}
        assert client.post(address(table, "turn", 1), tap).status_code == 302

        assert EventRow.objects.latest("pk").by == number


def test_a_phone_has_the_name_of_the_account_that_is_signed_in_there_until_it_is_gone(table):
    first, second = arrived(table), arrived(table)
    assert here(first, table) == "Also keeping the score: 1 Phone 2"

    second.force_login(olga := User.objects.create_user("olga"))
    second.get(address(table, "score"))
    assert here(first, table) == "Also keeping the score: 1 olga"

    olga.delete()
    assert here(first, table) == "Also keeping the score: 1 Phone 2"
    Scorekeeper.objects.filter(number=2).update(seen_at=timezone.now() - timedelta(seconds=46))
    assert here(first, table) == ""


def test_looking_at_the_pad_leaves_no_row(table):
    client = holder(table)

    for headers in ({}, HTMX):
        assert client.get(address(table, "score"), headers=headers).status_code == 200

    assert not Scorekeeper.objects.exists()
    assert not [name for name in client.cookies if name.startswith("scorekeeper-")]


def test_a_set_has_fifty_scorekeepers_at_most_and_the_longest_unseen_gives_up_its_number(table):
    first, second = arrived(table), arrived(table)
    for number in range(3, 51):
        table.scorekeepers.create(number=number, seen_at=timezone.now())
    long_ago = timezone.now() - timedelta(minutes=5)
    Scorekeeper.objects.filter(number=2).update(seen_at=long_ago, user=None)
    olga = User.objects.create_user("olga")
    newest = holder(table)
    newest.force_login(olga)

    tapping(newest, table)

    assert Scorekeeper.objects.count() == 50
    assert names(table)[2] == "olga"
    first.post(address(table, "hit", 1), A_HIT | {"tap_id": tap_id(1)})
    newest.post(address(table, "hit", 1), A_HIT | {"tap_id": tap_id(2)})
    second.get(address(table, "score"))
    assert list(EventRow.objects.order_by("seq").values_list("by", flat=True)) == [None, 1, 2]


# --- other scorekeepers ---
def test_a_page_reads_its_own_scorekeeper_and_those_of_today(table):
    now = timezone.now()
    for number, days in ((1, 0), (2, 1.1), (3, 0.9), (4, 30)):
        table.scorekeepers.create(number=number, seen_at=now - timedelta(days=days))
    set_up(key="another-key").scorekeepers.create(number=1, seen_at=now)

    request = RequestFactory().get("/")
    request.user, request.scorekeeper = AnonymousUser(), 2

    assert list(other_scorekeepers(request, table).others) == [1, 3]
    assert table.scorekeepers.get(number=2).seen_at >= now


# --- what is new ---
def test_a_page_that_is_up_to_date_gets_304(table):
    client = arrived(table)
    for name in ("score", "watch", "table", "tablet"):
        answer = client.get(address(table, name), headers=HTMX)
        known = HTMX | {"If-None-Match": answer["ETag"]}

        assert client.get(address(table, name), headers=known).status_code == 304
        packed = {"Accept-Encoding": "gzip", "If-None-Match": f"W/{answer['ETag']}"}
        assert client.get(address(table, name), headers=HTMX | packed).status_code == 304
        record(table, hit(ANN, BO, 1))
        assert client.get(address(table, name), headers=known).status_code == 200
        unasked = {"If-None-Match": answer["ETag"]}
        assert client.get(address(table, name), headers=unasked, follow=True).content


AROUND = ["setbar", "happened", "players", "peek", "acts", "said", "others"]
WHOLE = ["main", "said", "others"]


@pytest.mark.parametrize(
    ("pad", "expected"), [("1-1-", AROUND), ("1-2-", WHOLE), ("2-1-", WHOLE), ("x", WHOLE)]
)
def test_a_pad_that_is_still_right_stays_and_another_is_drawn_again(table, pad, expected):
    assert pieces(fresh(arrived(table), table, pad=pad)) == expected


def test_a_game_that_began_again_with_other_players_has_another_pad(table):
    record(table, Undo(1))
    commands.take_back_game(table, 1)
    commands.start_game(table, 1, first=ANN, dropped=[CY])

    assert "main" in pieces(fresh(arrived(table), table, pad="1-1-"))


def test_a_pad_that_somebody_uses_stays_though_the_turn_has_passed(table):
    client = arrived(table)

    assert "main" not in pieces(fresh(client, table, pad="1-2-", touched="1"))
    asked = {"pad": "1-2-", "touched": "1"}
    answer = client.get(address(table, "score"), asked, headers=HTMX)
    assert not answer.has_header("ETag"), "it is to be asked for again"
    assert "main" in pieces(fresh(client, table, pad="2-1-", touched="1"))


def test_pad_and_log_say_who_else_tapped_to_scorekeepers_only_and_where_there_are_two(table):
    first, log = arrived(table), address(table, "log")
    first.post(address(table, "hit", 1), A_HIT | {"tap_id": tap_id(1)})
    assert "Phone 1" not in words(first.get(log))

    second = arrived(table)

    assert "Phone 1" in words(first.get(log))
    assert "Phone 1" not in words(Client().get(log))
    assert "Phone 1 Ann hits Bo for 3, combat" in words(second.get(address(table, "score")))
    assert "Phone 1" not in words(first.get(address(table, "score"))).partition("Players")[2]
    second.post(address(table, "undo", 1), {"tap_id": tap_id(2), "event": 2})
    assert "Phone 2 took back or changed an event." in words(first.get(address(table, "score")))


# --- undo of a tap whose answer was lost ---
def test_undo_can_name_a_tap_of_its_game_instead_of_its_event(table):
    client = arrived(table)
    client.post(address(table, "hit", 1), A_HIT | {"tap_id": tap_id(1)})

    answer = client.post(address(table, "undo", 1), {"tap_id": tap_id(2), "of": tap_id(1)})

    assert (answer.status_code, EventRow.objects.latest("pk").corrects) == (302, 2)
    record(table, Draw())
    commands.start_game(table, 2, first=ANN)
    for of in (tap_id(1), tap_id(9), "x", ""):
        answer = client.post(address(table, "undo", 2), {"tap_id": tap_id(3), "of": of})
        assert answer.status_code == 422, of
        assert "That tap was not recorded: there is nothing to undo." in words(answer)
