"""A tap on a remembered table is answered as on a table just read, whatever happened meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.access import key_hash
from scoring.models import EventRow, Game, GameSet, LedgerRow, Playgroup
from scoring.models.people import Visibility
from scoring.play import commands, recording, remembered, scorekeepers, writing
from scoring.rules.corrections import Undo
from scoring.rules.moves import ChangeLife, Concede, Draw
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..tables import address, holder, record, tap_id, text

HTMX = {"HX-Request": "true"}
TAP = {"source": ANN, "target": BO, "kind": "combat", "amount": 1}


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    remembered.forget_all()
    yield
    remembered.forget_all()


def post(client: Client, table: GameSet, number: int, name: str = "hit", **form: Any) -> Any:
    form = {"tap_id": tap_id(number), **(form or TAP)}
    return client.post(address(table, name, 1), form, headers=HTMX)


def selects(ask: Callable[[], HttpResponse]) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert ask().status_code == 200
    return sum(query["sql"].startswith("SELECT") for query in captured)


def tap_after(table: GameSet) -> Client:
    """Return the phone that has just tapped, so that the table is remembered."""
    client = holder(table)
    assert post(client, table, 1).status_code == 200
    assert (table.code, 1) in remembered._tables
    return client


def test_the_next_tap_at_a_table_reads_nothing(table):
    client = tap_after(table)
    assert selects(lambda: post(client, table, 2)) == 0
    assert selects(lambda: post(client, table, 3, "change", life=f"{CY}.-2")) == 0
    assert selects(lambda: post(client, table, 4, "turn", seen="")) == 0


def another(table: GameSet) -> Playgroup:
    return Playgroup.objects.create(
        code="elsewhere",
        name="Elsewhere",
        visibility=Visibility.PRIVATE,
        ruleset=table.ruleset,
        created_at=timezone.now(),
    )


def _seated(table: GameSet, name: str) -> list[Any]:
    return [[key, name if seat == BO else old] for seat, (key, old) in enumerate(table.seating, 1)]


def _of_set(**values: Callable[[GameSet], Any]) -> Callable[[GameSet], object]:
    return lambda table: GameSet.objects.filter(pk=table.pk).update(
        **{name: value(table) for name, value in values.items()}
    )


def _of_game(**values: Any) -> Callable[[GameSet], object]:
    return lambda table: Game.objects.filter(game_set=table).update(**values)


YESTERDAY = timezone.now() - timedelta(days=2)
CHANGES: dict[str, Callable[[GameSet], object]] = {
    "nothing": lambda table: None,
    "a hit elsewhere": lambda table: record(table, hit(CY, BO, 3)),
    "an undo elsewhere": lambda table: record(table, Undo(1)),
    "the end": lambda table: record(table, Draw()),
    "the source is out": lambda table: record(table, Concede(ANN)),
    "life at 1": lambda table: record(table, ChangeLife({BO: -23})),
    "the key": _of_set(key_hash=lambda table: key_hash("another")),
    "no key": _of_set(key_hash=lambda table: None),
    "another name": _of_set(seating=lambda table: _seated(table, "Bonifatius")),
    "a hero": _of_set(heroes=lambda table: {"2": ["Wort", "Goblin"]}),
    "a playgroup": _of_set(playgroup=another),
    "closed": _of_set(playgroup=another, finished_at=lambda table: YESTERDAY),
    "called": _of_set(called=lambda table: True),
    "a clock": _of_set(clock_minutes=lambda table: 7),
    "confirmed": _of_game(confirmed={"3": 25}),
    "earlier VP": _of_game(before=[5, 6, 7, 8]),
    "taken back": _of_game(taken_back=True),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("hit", TAP),
        ("hit", TAP | {"amount": 20}),
        ("hit", TAP | {"together": "on"}),
        ("hit", TAP | {"kind": "nonsense"}),
        ("hit", TAP | {"target": 5}),
        ("change", {"life": f"{BO}.-3"}),
        ("turn", {}),
    ],
    ids=["hit", "win", "together", "malformed", "nobody", "change", "turn"],
)
def test_a_tap_is_answered_as_if_nothing_were_remembered(table, change, name, form):
    """Both phones tap, something changes in another process, and one of them taps again."""
    client = tap_after(table)
    CHANGES[change](table)
    form = {"tap_id": tap_id(2)} | form
    memory = dict(remembered._tables)

    def answer() -> tuple[int, str, list[Any], list[Any]]:
        response = client.post(address(table, name, 1), form, headers=HTMX)
        rows = EventRow.objects.order_by("seq").values_list("seq", "entry", "corrects", "by")
        ledger = LedgerRow.objects.order_by("pk").values_list("seat_id", "points", "reason")
        return response.status_code, _plain(text(response)), list(rows), list(ledger)

    wanted = _rolled_back(lambda: (remembered.forget_all(), answer())[1])
    remembered._tables.clear()
    remembered._tables.update(memory)
    assert answer() == wanted


def _plain(page: str) -> str:
    """Return a page without what is drawn by chance: the ids of taps to come, and the token."""
    return re.sub(r'name="(tap_id|csrfmiddlewaretoken)" value="[^"]*"', "", page)


def _rolled_back(ask: Callable[[], Any]) -> Any:
    with transaction.atomic():
        answered = ask()
        transaction.set_rollback(True)
    return answered


def test_after_an_undo_the_names_are_those_of_the_locked_set(table):
    client = tap_after(table)
    lock, remembered_names = recording.lock, []

    def renamed_meanwhile(game_set: GameSet) -> None:
        assert game_set.names[BO] != "Bonifatius"
        GameSet.objects.filter(pk=game_set.pk).update(seating=_seated(game_set, "Bonifatius"))
        lock(game_set)
        remembered_names.append(game_set.names[BO])

    with patch.object(recording, "lock", renamed_meanwhile):
        assert post(client, table, 2, "undo", event=1).status_code == 200
    assert remembered_names == ["Bonifatius"]


NEVER_CHANGED = {"id", "code", "ruleset", "seed", "draft_id", "created_at"}  # once a set is there
NEVER_CHANGED_IN_GAMES = {"game_set_id", "number", "turn_order", "dropped", "rolled", "started_at"}


def test_every_column_is_checked_or_never_changes():
    checked = {field.attname for field in writing.SET_AS_REMEMBERED.fields}
    assert {field.attname for field in GameSet._meta.concrete_fields} == checked | NEVER_CHANGED
    written = writing.STATE.fields + writing.AS_READ.fields + writing.GAME_AS_REMEMBERED.fields
    names = {field.attname for field in written} | NEVER_CHANGED_IN_GAMES
    assert {field.attname for field in Game._meta.concrete_fields} == names


def test_of_many_tables_no_more_are_remembered_than_there_is_room_for(table, monkeypatch):
    monkeypatch.setattr(remembered, "TABLES_MAX", 2)
    tap_after(table)
    game = commands.record(table, 1, hit(CY, ANN, 1))
    for number in (2, 3):
        remembered._tables[f"other{number}", number] = table
    remembered.remember(table, game)
    assert list(remembered._tables) == [(table.code, 1)]


def test_a_new_phone_whose_key_was_changed_gets_no_number(table):
    tap_after(table)
    GameSet.objects.filter(pk=table.pk).update(key_hash=key_hash("another"))
    numbers = list(table.scorekeepers.values_list("number", flat=True))
    assert post(holder(table), table, 2).status_code == 403
    assert list(table.scorekeepers.values_list("number", flat=True)) == numbers


def test_long_cookies_are_not_remembered(table):
    scorekeepers._signed_number.cache_clear()
    client = holder(table)
    client.cookies[f"scorekeeper-{table.code}"] = "x" * 60_000
    assert client.get(address(table, "score")).status_code == 200
    assert scorekeepers._signed_number.cache_info().currsize == 0
