"""Who may do what: every address, every role. What is not allowed here is denied."""

import hashlib
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
from scoring.record import commands
from scoring.rules.moves import Draw, PassTurn
from tests.scoring.rules.play import ANN, BO

from .tables import KEY, address, everything, holder, record, set_up, tap_id, text

OLD_KEY = "the-key-before-it-was-changed"
OTHER_KEY = "the-key-of-another-table"
SEAT_KEY = "the-key-of-a-seat"
EARLIER_KEY = "the-key-of-a-seat-at-the-table-before"

OF_GROUPS = ("g/", "groups/", "live/g/")

# The status of GET and of POST with an empty form, in game 1 after one event: of what answers
# everybody alike, then by who asks.
ALIKE = {
    "200 302": "keyboard",
    "200 404": "add_card",  # no deck
    "200 405": (
        "home deck my_decks compare_deck finder bans export_bans announcements announcements_feed "
        "manifest worker offline format conspiracy_cards healthz readyz watch set_picture stream "
        "log export qr api api_openapi api_playgroups api_set api_log api_ban_lists "
        "account_deleted password_reset_done password_reset_complete"
    ),
    "200 422": "start check new_deck login signup password_reset",
    "302 200": "complete_names",
    "302 422": "check_shared",
    "302 302": (
        "try_out choose_theme logout account tokens revoke_token show_playgroups delete_account "
        "password_change take_out"
    ),
    "302 403": "draft_line remove_draft_line draft_list publish_draft discard_draft",
    "403 403": "announcement_words new_draft draft join",
    "403 405": "card_imports take_key take_seat_key take_deck_key",  # guessed keys
    "404 405": (  # no cards, pictures, announcement of that day, draft, answers or token; codes
        "card card_picture announcement pools answers metrics "  # and keys that are guessed
        "api_playgroup api_player api_players api_board api_seasons api_season api_records "
        "api_evenings api_evening api_sets api_nothing api_announcements api_ban_list"
    ),
    "410 410": "password_reset_confirm",  # a guessed link
    "422 405": "api_verdicts",  # no card
}
BY_ROLE = {  # whoever has no key or a wrong one; the scorekeeper; who sits at the table
    ("302 403", "302 302", "302 403"): "take_deck seat_link hand_out set_clock set_phones",
    ("302 403", "302 403", "302 404"): "seat_report turn_up_own look_at_own reveal_own ready_own",
    ("302 403", "302 403", "302 422"): "name_own seat_confirm drop_own",
    ("302 403", "302 403", "302 302"): "bring_own",
    ("302 403", "302 404", "302 403"): (  # no draft, nothing of this format
        "split split_again draw_again undo_split table_again look take_back_vote reveal begin"
    ),
    ("302 403", "302 422", "302 403"): (
        "play_again build_deck seat_swap change_key call start_game take_back hit hits change turn "
        "undo strike amend take_proposed leave_proposed"
    ),
    ("403 403", "200 302", "403 403"): "names",
    ("403 403", "200 422", "403 403"): "change_deck bring_deck seat_decks more end",
    ("403 403", "302 302", "403 403"): "take_set change_start",
    ("403 403", "302 422", "403 403"): "seat_hero",
    ("403 403", "403 403", "200 422"): "seat",
    ("403 403", "403 403", "404 404"): "call_own seal_own",
    ("403 403", "404 404", "403 403"): "draft_card own agendas call_vote turn_up",
    ("200 405", "302 405", "200 405"): "table",  # who keeps the score gets the tablet
    ("403 405", "200 405", "403 405"): "score tablet desk links join_code secret_qr line",
    ("403 405", "404 405", "403 405"): "draft_tables",
}
STATUSES = {name: [both] * 6 for both, names in ALIKE.items() for name in names.split()} | {
    name: [without] * 3 + [key, seat, seat]
    for (without, key, seat), names in BY_ROLE.items()
    for name in names.split()
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
    known = dict.fromkeys(("number", "event", "player", "season", "pk", "draft", "line"), 1) | {
        "code": table.code,
        "key": "a-guess",
        "uidb64": "MQ",
        "token": "a-guess",
        "what": "concede",
        "seal": "0" * 64,
        "rest": "v2/sets",
        "on": "2026-03-09",
        "list": "coalition",
        "format": "coalition",
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
        "seat, by the link of a table before": went_on(table),
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


def went_on(table: GameSet) -> Client:
    commands.change_seat_key(table, BO, EARLIER_KEY)
    client = Client()
    client.cookies["seat-22222222"] = EARLIER_KEY
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
        statuses.append(f"{client.get(where).status_code} {client.post(where).status_code}")
        if role != "key":
            assert everything() == before

    assert statuses == STATUSES[pattern.name]


OF_TABLES = [pattern for pattern in patterns() if str(pattern.pattern).startswith("s/<")]
of_tables = pytest.mark.parametrize("pattern", OF_TABLES, ids=lambda pattern: str(pattern.name))


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
    form = dict.fromkeys(("source", "player", "players", "event", "close", "go_on"), 1) | {
        "tap_id": tap_id(1),
        "target": BO,
        "kind": "combat",
        "amount": 3,
        "life": 5,
        "starter": BO,
        "reason": "time",
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

    assert answers == [403, 403, 403, 302, 403, 403]


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
