"""Several phones at one table in the same second, each with a connection of its own."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Event
from time import sleep
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.http import HttpResponse
from django.urls import reverse

from coalition_site.accounts import commands as accounts
from coalition_site.lib.untrusted import MalformedDocument
from scoring.groups.evenings import commands as evenings
from scoring.groups.people import players
from scoring.groups.settings import creating
from scoring.models import Claim, EventRow, Game, GameSet, Player, Playgroup, Seat, SeatLink
from scoring.record import commands, queries, recording, seat_links
from scoring.rules.corrections import Entry, Strike, Undo
from scoring.rules.errors import RuleError
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import ChangeLife, Draw, PassTurn
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import words
from ..groups.evenings.pages import night
from ..groups.visitors import account, browser, owned_group
from ..tables import (
    KEY,
    check_books,
    events,
    points,
    record,
    results,
    run,
    set_up,
    tap_id,
    the_game,
)

pytestmark = pytest.mark.usefixtures("transactional_db")

TAPS = 6
PATIENCE = 5  # seconds; only a failure waits so long


@pytest.fixture
def table(transactional_db: None) -> GameSet:
    """Four players in the first game, seen by every connection."""
    return set_up()


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Do the work in threads that begin together; a refusal's code stands for its result."""
    start = Barrier(count)

    def run(number: int) -> Any:
        start.wait()
        try:
            return work(number)
        except RuleError as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def fresh(table: GameSet) -> GameSet:
    """Return the table as another process would find it."""
    found = queries.find_set(table.code)
    assert found is not None
    return found


@pytest.mark.parametrize("phones", [2, 4, 8])
def test_phones_that_tap_at_once_lose_nothing_and_reorder_nothing(table, phones):
    def tap_away(phone: int) -> None:
        mine = fresh(table)
        source = phone % 4 + 1
        for tap in range(TAPS):
            move: Entry = hit(source, source % 4 + 1, 1) if tap % 2 else ChangeLife({source: 1})
            commands.record(mine, 1, move, tap_id=tap_id(phone * TAPS + tap))

    at_once(phones, tap_away)

    rows = list(EventRow.objects.order_by("seq").values_list("seq", "tap_id"))
    assert [seq for seq, _ in rows] == list(range(1, phones * TAPS + 1))
    order = [tap for _, tap in rows]
    for phone in range(phones):
        mine = [tap_id(phone * TAPS + tap) for tap in range(TAPS)]
        assert [tap for tap in order if tap in mine] == mine
    assert sorted(order) == sorted(tap_id(number) for number in range(phones * TAPS))
    scored = Counter(phone % 4 + 1 for phone in range(phones))
    assert points(table) == {seat: scored[seat] * TAPS // 2 for seat in (ANN, BO, CY, DI)}
    check_books(table)


def test_phones_that_tap_and_correct_at_once_keep_the_books_right(table):
    record(table, *(hit(ANN, BO, 1) for _ in range(6)))

    def tap_and_correct(phone: int) -> None:
        mine = fresh(table)
        commands.record(mine, 1, Strike(phone + 1))
        commands.record(mine, 1, hit(CY, DI, 2), tap_id=tap_id(phone))
        commands.record(mine, 1, Undo())

    at_once(6, tap_and_correct)

    assert the_game(table).length == 24
    assert points(table) == {ANN: 0, BO: 0, CY: 0, DI: 0}
    check_books(table)


@pytest.mark.parametrize("entry", [hit(ANN, BO, 3), hit(ANN, BO, 21), Undo(1), Strike(1)])
def test_the_same_tap_from_many_connections_counts_once(table, entry):
    record(table, PassTurn(ANN))

    answers = at_once(8, lambda _: commands.record(fresh(table), 1, entry, tap_id=tap_id(1)).length)

    assert answers == [2] * 8
    assert len(events(table)) == 2
    check_books(table)


def test_undo_of_the_same_event_from_many_phones_takes_it_back_once(table):
    record(table, hit(ANN, BO, 2), hit(ANN, BO, 3))

    answers = at_once(
        4, lambda phone: commands.record(fresh(table), 1, Undo(2), tap_id=tap_id(phone)).length
    )

    assert sorted(map(str, answers)) == ["3", "not_the_latest", "not_the_latest", "not_the_latest"]
    assert points(table)[ANN] == 2
    check_books(table)


@pytest.mark.parametrize("first", [CY, None], ids=["chosen", "rolled"])
def test_a_start_from_many_phones_makes_one_game(table, first):
    record(table, Draw())

    games = at_once(4, lambda _: commands.start_game(fresh(table), 2, first=first).pk)

    assert len(set(games)) == 1
    assert Game.objects.filter(number=2).count() == 1


def test_one_start_form_sent_many_times_at_once_makes_one_table():
    codes = at_once(4, lambda _: commands.create_set(COALITION_906, ["Ann", "Bo"], key=KEY).code)

    assert len(set(codes)) == GameSet.objects.count() == 1
    assert Seat.objects.count() == 2


def test_a_set_is_either_called_or_goes_on(table):
    record(table, Draw())

    def call_or_start(phone: int) -> Any:
        if phone % 2:
            return commands.call_set(fresh(table))
        return commands.start_game(fresh(table), 2, first=ANN).number

    answers = at_once(4, call_or_start)

    played = queries.games(table)
    called = fresh(table).called
    assert (called, len(played)) in [(True, 1), (False, 2)]
    refusal = "no_further_game" if called else "set_not_between_games"
    assert sorted(map(str, answers)) == sorted(
        ["None", "None", refusal, refusal] if called else ["2", "2", refusal, refusal]
    )
    assert bool(results(table)) == called


def test_a_game_is_either_opened_again_or_built_on(table):
    record(table, Draw())

    def undo_or_start(phone: int) -> Any:
        if phone % 2:
            return commands.record(fresh(table), 1, Undo(1), tap_id=tap_id(1)).number
        return commands.start_game(fresh(table), 2, first=ANN).number

    answers = at_once(2, undo_or_start)

    assert answers in [["game_in_progress", 1], [2, "game_built_on"]]
    check_books(table)


def test_a_correction_plays_the_log_while_nothing_is_locked(table, monkeypatch):
    record(table, hit(ANN, BO, 2), hit(ANN, CY, 3))
    held = []

    def watched(read: Callable[..., Any]) -> Callable[..., Any]:
        def reading(*said: Any, **more: Any) -> Any:
            held.append(connection.in_atomic_block)
            return read(*said, **more)

        return reading

    for read in ("replayed_log", "standing_ledger"):
        monkeypatch.setattr(queries, read, watched(getattr(queries, read)))
    record(table, Strike(1))

    assert held == [False, False]
    check_books(table)


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Do something each time that a correction has read its log."""
    read = queries.replayed_log

    def replayed_log(*said: Any, **more: Any) -> Any:
        log = read(*said, **more)
        act()
        return log

    monkeypatch.setattr(queries, "replayed_log", replayed_log)


@pytest.mark.parametrize("undone", [False, True], ids=["a-tap", "a-tap-and-its-undo"])
def test_a_correction_that_a_tap_overtakes_is_thought_over_again(table, monkeypatch, undone):
    record(table, hit(ANN, BO, 2), hit(ANN, CY, 3))
    taps = [hit(BO, ANN, 4), *([Undo()] if undone else [])]

    meanwhile(monkeypatch, lambda: taps and record(fresh(table), taps.pop(0)))
    record(table, Strike(1))

    assert events(table)[-1][1:] == ({"type": "strike", "event": 1}, 1)
    assert points(table) == {ANN: 3, BO: 0 if undone else 4, CY: 0, DI: 0}
    check_books(table)


@pytest.mark.parametrize("builds_on", [commands.start_game, commands.call_set])
def test_what_is_built_on_while_a_correction_is_thought_over_stands(table, monkeypatch, builds_on):
    record(table, Draw())
    number = [2] if builds_on is commands.start_game else []

    meanwhile(monkeypatch, lambda: builds_on(fresh(table), *number))
    with pytest.raises(RuleError) as caught:
        commands.record(fresh(table), 1, Undo(1))

    monkeypatch.undo()
    assert caught.value.code in ("game_built_on", "set_is_called")
    assert the_game(table).ended_at
    check_books(fresh(table))


HELD = {
    "undo": lambda table: commands.record(table, 1, Undo(1), tap_id=tap_id(1)),
    "take-back": lambda table: commands.take_back_game(table, 1),
    "change-start": lambda table: commands.change_start(table, 1, first=BO),
    "repair": commands.repair,
}


@pytest.mark.parametrize("move", [PassTurn(), hit(ANN, BO, 21)], ids=["a-turn", "the-winning-hit"])
@pytest.mark.parametrize("command", HELD.values(), ids=HELD)
def test_a_lock_on_the_set_and_a_tap_do_not_deadlock(table, command, move):
    """One phone locks the set and then writes its game; another has begun to tap in it."""
    if command is HELD["undo"]:
        record(table, PassTurn(ANN))
    held, tapped = Event(), Event()

    def hold_or_tap(phone: int) -> Any:
        mine = fresh(table)
        if phone:
            held.wait(5)
            tapped.set()
            return commands.record(mine, 1, move).number
        with recording.locked(mine):  # the very lock that the commands take
            held.set()
            tapped.wait(5)
            sleep(0.2)
            command(mine)
        return "done"

    answers = at_once(2, hold_or_tap)

    refusals = {"not_the_latest", "game_has_events", "no_such_game"}
    assert [answer for answer in answers if answer not in {"done", 1} | refusals] == []
    assert "done" in answers or 1 in answers
    if queries.find_game(table, 1):
        check_books(table)


@pytest.mark.parametrize("round_", range(3))
def test_a_winning_hit_and_an_undo_in_the_same_second_are_both_answered(table, round_):
    record(table, hit(ANN, BO, 20), PassTurn(), hit(ANN, CY, 1, "other"))

    def win_or_undo(phone: int) -> Any:
        entry = Undo() if phone % 2 else hit(ANN, CY, 1)
        return commands.record(fresh(table), 1, entry, tap_id=tap_id(phone)).number

    answers = at_once(6, win_or_undo)

    assert set(answers) <= {1, "game_over"}
    check_books(table)


def test_a_key_changed_in_the_middle_of_taps_loses_none(table):
    def tap_or_change(phone: int) -> Any:
        mine = fresh(table)
        if phone == 0:
            return commands.change_key(mine, "another-key")
        return [commands.record(mine, 1, PassTurn(), tap_id=tap_id(phone)).number]

    at_once(6, tap_or_change)

    assert the_game(table).length == 5
    check_books(table)


def test_a_seat_that_gets_two_links_in_the_same_second_has_one_of_them(table, monkeypatch):
    end, both = seat_links.end_links, Barrier(2)

    def end_links(seat: int) -> None:
        end(seat)
        with suppress(BrokenBarrierError):
            both.wait(0.3)  # for the other, if no lock keeps it out

    monkeypatch.setattr(seat_links, "end_links", end_links)
    at_once(2, lambda phone: commands.change_seat_key(fresh(table), BO, f"key-{phone}"))

    assert SeatLink.objects.count() == 1


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has a single writer")
def test_links_that_go_on_to_the_next_table_wait_for_nobody_who_locks_the_last(table):
    """Who corrects a game there may wait for the playgroup, which whoever begins a round locks."""
    commands.change_seat_key(table, ANN, "key")
    link, seat = SeatLink.objects.get(), set_up().seat_keys[ANN]

    def carry_on(_: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}s'")
            seat_links.carry_on({seat: link.key_hash})

    with recording.locked(table):
        at_once(1, carry_on)

    assert SeatLink.objects.filter(seat=seat).exists()


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has a single writer")
@pytest.mark.parametrize("came", ["a-seat", "an-account"])
def test_a_name_that_comes_while_the_account_is_deleted_is_removed_too(monkeypatch, came):
    thursday = owned_group()
    round_, ann = evenings.pair_round(night(thursday)), account("ann", thursday, "member")
    if came == "a-seat":
        Player.objects.filter(name="Ann").update(user=ann)
    else:
        players.claim(Player.objects.get(name="Ann"), ann)

    def come(_: int) -> None:
        if came == "a-seat":
            evenings.begin_round(round_)
        else:
            players.confirm(Claim.objects.get())

    def come_first(**how: Any) -> Any:
        monkeypatch.undo()
        at_once(1, come)
        return Playgroup.objects.select_for_update(**how)

    monkeypatch.setattr(Playgroup.objects, "select_for_update", come_first)
    accounts.delete(ann)

    assert GameSet.objects.exists() == (came == "a-seat")
    assert not Player.objects.filter(name="Ann").exists()
    assert not Seat.objects.filter(name="Ann").exists()
    assert run("verify_ledger")[0] == 0


# --- playgroups brought by a page ---
def bring() -> Any:
    client = browser("olga")
    return client.post(reverse("import_group"), {"file": SimpleUploadedFile("x.json", b"[]")})


def test_one_playgroup_is_imported_at_a_time(transactional_db, monkeypatch):
    other_is_answered = Event()

    def slow_load(*_: Any, **__: Any) -> None:
        assert other_is_answered.wait(PATIENCE)
        raise MalformedDocument("", "this is slow")

    def bring_it(_: int) -> HttpResponse:
        answer = bring()
        other_is_answered.set()
        return answer

    account("olga")
    monkeypatch.setattr(creating, "load", slow_load)
    slow, refused = sorted(at_once(2, bring_it), key=lambda answer: answer.status_code)

    assert (slow.status_code, "this is slow" in words(slow)) == (422, True)
    assert (refused.status_code, refused["Retry-After"]) == (503, "10")
    assert "Another playgroup is being imported Nothing was changed. Try again in ten" in words(
        refused
    )
    assert bring().status_code == 422
