"""Who may do what: every address, every role. What is not allowed here is denied."""

import hashlib
import logging
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from decks.models import Deck
from scoring import access
from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.moves import Draw, PassTurn
from tests.scoring.rules.play import ANN, BO

from .tables import KEY, address, everything, holder, record, set_up, tap_id, text

OLD_KEY = "the-key-before-it-was-changed"
OTHER_KEY = "the-key-of-another-table"
SEAT_KEY = "the-key-of-a-seat"

OF_GROUPS = ("g/", "groups/", "live/g/")

# The status of GET and of POST with an empty form, in game 1 after one event: of what answers
# everybody alike, then by who asks.
ALIKE = {
    "200 405": (
        "home deck my_decks compare_deck finder bans export_bans announcements announcements_feed "
        "manifest worker offline format conspiracy_cards healthz readyz watch set_picture stream "
        "table log export qr api api_openapi api_playgroups api_set api_log api_ban_lists "
        "account_deleted password_reset_done password_reset_complete"
    ),
    "200 422": "start check new_deck login signup password_reset",
    "302 302": (
        "try_out choose_theme logout account tokens revoke_token show_playgroups delete_account "
        "password_change"
    ),
    "403 403": "announcement_words new_draft draft",
    "302 403": "draft_line remove_draft_line draft_list publish_draft discard_draft",
    "404 405": (
        "api_player api_board api_seasons api_season api_records api_evenings api_evening "
        "api_sets api_nothing"
    ),
}
STATUSES = {name: f"{both} " * 5 for both, names in ALIKE.items() for name in names.split()} | {
    #                stranger  revoked   other's   key       seat
    "play_again": "  302 403   302 403   302 403   302 422   302 403",
    "change_deck": " 403 403   403 403   403 403   200 422   403 403",
    "add_card": "    200 404   200 404   200 404   200 404   200 404",  # no deck
    "build_deck": "  302 403   302 403   302 403   302 422   302 403",
    "bring_deck": "  403 403   403 403   403 403   200 422   403 403",
    "take_deck": "   302 403   302 403   302 403   302 302   302 403",  # to sign in
    "take_deck_key": "403 405   403 405   403 405   403 405   403 405",  # a guessed key
    "card": "        404 405   404 405   404 405   404 405   404 405",  # no cards were imported
    "card_picture": "404 405   404 405   404 405   404 405   404 405",  # no pictures by default
    "announcement": "404 405   404 405   404 405   404 405   404 405",  # nothing on that day
    "pools": "       404 405   404 405   404 405   404 405   404 405",  # no draft
    "metrics": "     404 405   404 405   404 405   404 405   404 405",  # no token is set
    "answers": "     404 405   404 405   404 405   404 405   404 405",  # Coalition has none
    "take_key": "    403 405   403 405   403 405   403 405   403 405",  # a guessed key
    "score": "       403 405   403 405   403 405   200 405   403 405",
    "desk": "        403 405   403 405   403 405   200 405   403 405",
    "links": "       403 405   403 405   403 405   200 405   403 405",
    "secret_qr": "   403 405   403 405   403 405   200 405   403 405",
    "seat_decks": "  403 403   403 403   403 403   200 422   403 403",
    "seat_hero": "   403 403   403 403   403 403   302 422   403 403",
    "seat_swap": "   302 403   302 403   302 403   302 422   302 403",
    "names": "       403 403   403 403   403 403   200 302   403 403",
    "seat_link": "   302 403   302 403   302 403   302 302   302 403",
    "seat": "        403 403   403 403   403 403   403 403   200 422",
    "name_own": "    302 403   302 403   302 403   302 403   302 422",  # it has a name
    "seat_confirm": "302 403   302 403   302 403   302 403   302 422",
    "seat_report": " 302 403   302 403   302 403   302 403   302 404",  # not by players
    "hand_out": "    302 403   302 403   302 403   302 302   302 403",
    "take_seat_key": "403 405   403 405   403 405   403 405   403 405",  # a guessed key
    "take_set": "    403 403   403 403   403 403   302 302   403 403",  # to sign in
    "take_out": "    302 302   302 302   302 302   302 302   302 302",  # it is in no playgroup
    "change_key": "  302 403   302 403   302 403   302 422   302 403",
    "set_clock": "   302 403   302 403   302 403   302 302   302 403",
    "call": "        302 403   302 403   302 403   302 422   302 403",
    "draft_card": "  403 403   403 403   403 403   404 404   403 403",  # no draft
    "draft_tables": "403 405   403 405   403 405   404 405   403 405",  # no draft
    "split": "       302 403   302 403   302 403   302 404   302 403",  # no draft
    "split_again": " 302 403   302 403   302 403   302 404   302 403",  # no draft
    "undo_split": "  302 403   302 403   302 403   302 404   302 403",  # no draft
    "table_again": " 302 403   302 403   302 403   302 404   302 403",  # of no draft
    "start_game": "  302 403   302 403   302 403   302 422   302 403",
    "change_start": "403 403   403 403   403 403   302 302   403 403",
    "take_back": "   302 403   302 403   302 403   302 422   302 403",
    "hit": "         302 403   302 403   302 403   302 422   302 403",
    "hits": "        302 403   302 403   302 403   302 422   302 403",
    "change": "      302 403   302 403   302 403   302 422   302 403",
    "turn": "        302 403   302 403   302 403   302 422   302 403",
    "undo": "        302 403   302 403   302 403   302 422   302 403",
    "own": "         403 403   403 403   403 403   404 404   403 403",  # nothing of this format
    "agendas": "     403 403   403 403   403 403   404 404   403 403",
    "look": "        302 403   302 403   302 403   302 404   302 403",
    "call_vote": "   403 403   403 403   403 403   404 404   403 403",
    "take_back_vote": "302 403 302 403   302 403   302 404   302 403",
    "call_own": "    403 403   403 403   403 403   403 403   404 404",
    "seal_own": "    403 403   403 403   403 403   403 403   404 404",
    "turn_up_own": " 302 403   302 403   302 403   302 403   302 404",
    "look_at_own": " 302 403   302 403   302 403   302 403   302 404",
    "reveal_own": "  302 403   302 403   302 403   302 403   302 404",
    "reveal": "      302 403   302 403   302 403   302 404   302 403",
    "turn_up": "     403 403   403 403   403 403   404 404   403 403",
    "more": "        403 403   403 403   403 403   200 422   403 403",
    "end": "         403 403   403 403   403 403   200 422   403 403",
    "line": "        403 405   403 405   403 405   200 405   403 405",
    "strike": "      302 403   302 403   302 403   302 422   302 403",
    "amend": "       302 403   302 403   302 403   302 422   302 403",
    "api_playgroup": "404 405   404 405   404 405   404 405   404 405",  # a table's code
    "api_players": " 404 405   404 405   404 405   404 405   404 405",  # likewise, to api_sets
    "api_announcements": "404 405   404 405   404 405   404 405   404 405",  # a guessed key
    "api_ban_list": "404 405   404 405   404 405   404 405   404 405",  # a guessed key
    "api_verdicts": "422 405   422 405   422 405   422 405   422 405",  # no card
    "password_reset_confirm": " 410 410   410 410   410 410   410 410   410 410",  # a guessed link
    "keyboard": "200 302 200 302 200 302 200 302 200 302",
    "complete_names": "302 200 302 200 302 200 302 200 302 200",
}


def patterns(
    resolver: URLResolver | None = None, *, of_groups: bool = False
) -> Iterator[URLPattern]:
    """Yield every address of the site but those of the admin, which tests/decks walks.

    Those of playgroups apart: tests/scoring/groups walks them, with roles of their own.
    """
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            if entry.namespace != "admin":
                yield from patterns(entry, of_groups=of_groups)
        elif str(entry.pattern).startswith(OF_GROUPS) is of_groups:
            yield entry


def fill(pattern: URLPattern, table: GameSet, **said: Any) -> str:
    known = {
        "code": table.code,
        "key": "a-guess",
        "number": 1,
        "event": 1,
        "what": "concede",
        "seal": "0" * 64,
        "uidb64": "MQ",
        "token": "a-guess",
        "player": 1,
        "season": 1,
        "pk": 1,
        "rest": "v2/sets",
        "list": "coalition",
        "format": "coalition",
        "on": "2026-03-09",
        "draft": 1,
        "line": 1,
        "size": "small",
        "card": UUID(int=0),
        "position": 0,
        "name": "elf",
        "version": "0",
        **said,
    }
    return reverse(pattern.name, kwargs={name: known[name] for name in pattern.pattern.converters})


@pytest.fixture(scope="module")
def rows(shared_rows) -> GameSet:
    with shared_rows():
        return contest()


@pytest.fixture
def contested(rows: GameSet, db: None) -> GameSet:
    """A table whose key was changed, beside another one; and a deck with the table's code."""
    return deepcopy(rows)


def contest() -> GameSet:
    table = set_up(key=OLD_KEY)
    record(table, PassTurn(BO))
    commands.change_key(table, KEY)
    set_up(key=OTHER_KEY)
    deck = Deck.objects.create(
        code=table.code,
        name="Elves",
        key_hash=access.key_hash(KEY),
        created_at=timezone.now(),
    )
    deck.revisions.create(number=1, text="4 Elf", ruleset="leveler", created_at=timezone.now())
    return table


def roles(table: GameSet) -> dict[str, Client]:
    other = GameSet.objects.exclude(pk=table.pk).get()
    guest = holder(other, OTHER_KEY)
    guest.cookies[f"key-{table.code}"] = OTHER_KEY
    found = {
        "stranger": Client(),
        "revoked": holder(table, OLD_KEY),
        "other's": guest,
        "key": holder(table),
        "seat": sitting(table),
    }
    for client in found.values():  # a deck's key stands in a cookie of the deck's
        name = f"key-{table.code}"
        if name in client.cookies:
            client.cookies[f"deck-{table.code}"] = client.cookies[name].value
    return found


def sitting(table: GameSet) -> Client:
    commands.change_seat_key(table, ANN, SEAT_KEY)
    client = Client()
    client.get(address(table, "take_seat_key", SEAT_KEY))
    return client


def test_every_address_has_a_name_and_a_line_in_the_table():
    assert sorted(STATUSES) == sorted(pattern.name for pattern in patterns())


@pytest.mark.parametrize("pattern", list(patterns()), ids=lambda pattern: str(pattern.name))
def test_every_address_answers_each_role_as_the_table_says(contested, pattern):
    where = fill(pattern, contested)
    visitors = roles(contested)
    before = everything()
    statuses = []

    for role, client in visitors.items():
        for method in (client.get, client.post):
            statuses.append(str(method(where).status_code))
        if role != "key":
            assert everything() == before

    assert statuses == STATUSES[pattern.name].split()


OF_TABLES = [pattern for pattern in patterns() if str(pattern.pattern).startswith("s/<")]
of_tables = pytest.mark.parametrize("pattern", OF_TABLES, ids=lambda pattern: str(pattern.name))


@of_tables
def test_other_methods_are_405_also_for_whoever_keeps_the_score(contested, pattern):
    before = everything()
    for method in ("put", "patch", "delete"):
        answer = getattr(holder(contested), method)(fill(pattern, contested))
        assert answer.status_code == 405
    assert everything() == before


@of_tables
def test_a_table_that_is_not_there_is_404_with_a_page_that_says_so(contested, pattern):
    where = fill(pattern, contested).replace(contested.code, "22222222")
    answers = [holder(contested).get(where), holder(contested).post(where)]
    unknown = [answer for answer in answers if answer.status_code == 404]

    # What only takes forms leads to a page when it is visited.
    assert {answer.status_code for answer in answers} <= {302, 404, 405}
    assert unknown
    assert all("Check the link" in text(answer) for answer in unknown)


@pytest.mark.parametrize(
    "pattern",
    [pattern for pattern in patterns() if pattern.name != "try_out"],  # a stranger's own table
    ids=lambda pattern: str(pattern.name),
)
def test_no_address_of_a_table_lets_a_stranger_change_it_with_a_good_form(contested, pattern):
    """Each field that any form of the site has, with something that would do."""
    form = {
        "tap_id": tap_id(1),
        "source": ANN,
        "target": BO,
        "kind": "combat",
        "amount": 3,
        "event": 1,
        "player": ANN,
        "players": ANN,
        "life": 5,
        "starter": BO,
        "reason": "time",
        "close": 1,
        "go_on": 1,
    }
    visitors = roles(contested)
    before = everything()

    for role, client in visitors.items():
        if role != "key":
            client.post(fill(pattern, contested), form)
            client.get(fill(pattern, contested), form)

    assert everything() == before


def test_a_finished_set_is_as_closed_as_a_set_in_progress(contested):
    record(contested, Draw())
    commands.call_set(contested)

    answers = [
        client.post(address(contested, "call"), {"go_on": 1}).status_code
        for client in roles(contested).values()
    ]

    assert answers == [403, 403, 403, 302, 403]


def test_keys_are_stored_as_hashes_only(contested):
    client = Client()
    form = {"tap_id": tap_id(1), "name": ["Ann", "Bo"], "ruleset": "coalition-906"}
    client.post(reverse("start"), form)
    started = client.cookies[f"key-{GameSet.objects.latest('pk').code}"].value
    rows = repr(everything())

    assert hashlib.sha256(KEY.encode()).hexdigest() in rows
    assert access.key_hash(started) in rows
    for secret in (KEY, OLD_KEY, OTHER_KEY, started, str(tap_id(1))):
        assert secret not in rows


def test_a_key_is_on_no_page_but_those_with_its_link(contested):
    client = roles(contested)["key"]
    shown = {
        pattern.name
        for pattern in patterns()
        if KEY in (answer := client.get(fill(pattern, contested))).headers.__repr__() + text(answer)
    }

    assert shown == {"links", "secret_qr", "deck"}


def test_no_key_is_ever_logged(contested, caplog):
    """Right, wrong and revoked links, with a wrong method, and of a table that is not there."""
    caplog.set_level(logging.DEBUG)
    gone = address(contested, "take_key", KEY).replace(contested.code, "22222222")
    client = Client(raise_request_exception=False)

    statuses = [
        answer.status_code
        for key in (KEY, OLD_KEY)
        for answer in (
            client.get(address(contested, "take_key", key)),
            client.post(address(contested, "take_key", key)),
            client.post(address(contested, "take_key", key), {"x": "x" * 200_000}),
            client.get(address(contested, "take_key", key) + "no-such-page/"),
            client.get(address(contested, "take_key", key).rstrip("/")),
            client.get(address(contested, "take_key", key), headers={"host": "evil.example"}),
        )
    ]
    client.get(gone)
    holder(contested).get(address(contested, "links"))
    holder(contested).post(address(contested, "change_key"), {"tap_id": tap_id(1)})

    assert statuses[:2] == [302, 405]
    assert statuses[6:8] == [403, 405]
    formatter = logging.Formatter("%(name)s %(message)s")
    told = "\n".join(formatter.format(entry) for entry in caplog.records)
    assert KEY not in told
    assert OLD_KEY not in told


def test_a_crash_at_a_key_link_does_not_log_the_key(contested, caplog, monkeypatch):
    def crash(*args: object) -> None:
        raise ZeroDivisionError

    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(access, "opens", crash)

    answer = Client(raise_request_exception=False).get(address(contested, "take_key", KEY))

    formatter = logging.Formatter("%(name)s %(message)s")
    told = "\n".join(formatter.format(entry) for entry in caplog.records)
    assert answer.status_code == 500
    assert KEY not in told


def test_comparing_keys_takes_any_text(contested):
    for key in ("", "ключ", "🔑", "\0", "x" * 10_000, '"', "~", "!"):
        assert not access.opens(key, contested)
