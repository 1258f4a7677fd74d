"""Open pages hear of every change of their table, and of no other's."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import reverse

from coalition_site.asgi import STREAMS
from scoring.conspiracy import splits
from scoring.groups.evenings import commands as evenings
from scoring.groups.evenings import reseating
from scoring.groups.evenings.clock import Change, change_clock
from scoring.groups.sets.membership import take_set
from scoring.groups.settings.commands import create_playgroup
from scoring.live import hub as live
from scoring.models import Evening, GameSet, Player, Playgroup, Seat
from scoring.models.record import Phones
from scoring.models.triggers import changes
from scoring.record import commands, proposals
from scoring.rules.corrections import Undo
from scoring.rules.errors import GameIsOver
from scoring.rules.formats import COALITION_906
from scoring.rules.formats.conspiracy_draft import CONSPIRACY_DRAFT, EndDraft
from scoring.rules.moves import Draw
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..tables import holder, record, set_up, tap_id

LAST = "last"
PATIENCE = 5  # seconds after which a signal is not coming


@pytest.fixture
def table(transactional_db: None) -> GameSet:
    return set_up(3)


@pytest.fixture
def group(transactional_db: None) -> Playgroup:
    return create_playgroup("Thursday", None, visibility="public", ruleset="coalition-906")


def heard(topics: list[str], act: Callable[[], object]) -> list[str]:
    """Return which of some topics are announced when something is done."""
    return asyncio.run(_heard(topics, act))


async def _heard(topics: list[str], act: Callable[[], object]) -> list[str]:
    def tell_last() -> None:  # of no table: what was told before it has arrived when it has
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute(f"INSERT OR REPLACE INTO {changes.TABLE} (topic) VALUES ('{LAST}')")
            else:
                cursor.execute(f"NOTIFY {changes.CHANNEL}, '{LAST}'")

    began = [asyncio.Event() for _ in (*topics, LAST)]
    tasks = [
        asyncio.create_task(_second(live.signals(topic, "here"), event))
        for topic, event in zip((*topics, LAST), began, strict=True)
    ]
    for event in began:
        await asyncio.wait_for(event.wait(), PATIENCE)
    await asyncio.to_thread(_apart, act)
    await asyncio.to_thread(_apart, tell_last)
    await asyncio.wait_for(tasks[-1], PATIENCE)
    told = [topic for topic, task in zip(topics, tasks, strict=False) if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return told


async def _second(stream: AsyncIterator[str], began: asyncio.Event) -> None:
    """Wait for a signal after the one that each stream begins with."""
    async with aclosing(stream):
        async for line in stream:
            if began.is_set() and line.startswith("data:"):
                return
            if line.startswith("data:"):
                began.set()


def _apart(act: Callable[[], object]) -> None:
    """Do something with connections of its own, as another process would."""
    try:
        act()
    finally:
        connections.close_all()


def test_phones_at_a_draft_hear_that_its_tables_are_seated_and_undone(transactional_db):
    draft = set_up(4, ruleset=CONSPIRACY_DRAFT, first=None)
    commands.begin(draft)
    record(draft, EndDraft())
    topics = [f"s{draft.pk}"]

    assert heard(topics, lambda: splits.split(draft, "key-{}".format)) == topics
    assert heard(topics, lambda: splits.undo(draft)) == topics


def test_spectators_hear_of_a_tap_and_of_a_game_that_starts_and_of_no_other_table(table):
    other = set_up(3, key="another-key", first=None)
    topics = [f"s{table.pk}", f"s{other.pk}"]

    assert heard(topics, lambda: record(table, hit(ANN, BO, 3))) == topics[:1]
    assert heard(topics, lambda: commands.start_game(other, 1, first=CY)) == topics[1:]


CHANGES: dict[str, Callable[[GameSet], object]] = {
    "an undo": lambda table: record(table, Undo(1)),
    "the end of a game": lambda table: record(table, Draw()),
    "another name at a seat": lambda table: Seat.objects.filter(game_set=table, number=1).update(
        name="Anna"
    ),
    "a phone at a seat": lambda table: commands.take_seat(table, BO, "key", ""),
    "a new key": lambda table: commands.change_key(table, "new"),
    "a second scorekeeper": lambda table: holder(table).post(
        reverse("undo", args=[table.code, 1]), {"tap_id": tap_id(1), "event": 99}
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_of_a_board_is_announced(table, what):
    record(table, hit(ANN, BO, 3))

    assert heard([f"s{table.pk}"], lambda: CHANGES[what](table))


def test_a_proposal_and_its_answer_are_announced(table):
    proposals.set_phones(table, Phones.PROPOSE)
    seat, topics = Seat.objects.get(game_set=table, number=BO), [f"s{table.pk}"]

    assert heard(topics, lambda: proposals.propose(seat, 1, hit(ANN, BO, 3), tap_id(1))) == topics
    assert heard(topics, lambda: proposals.leave(table, 1, tap_id(1))) == topics


def test_a_tap_that_is_refused_is_not_announced(table):
    record(table, hit(ANN, BO, 21))

    def refused() -> None:
        with pytest.raises(GameIsOver):
            record(table, hit(ANN, BO, 3))

    assert heard([f"s{table.pk}"], refused) == []


def test_a_playgroup_hears_of_its_tables_until_they_have_left_it(table, group):
    other = create_playgroup("Friday", None, visibility="public", ruleset="coalition-906")
    topics = [f"g{group.pk}", f"g{other.pk}"]

    assert heard(topics, lambda: record(table, hit(ANN, BO, 3))) == []
    assert heard(topics, lambda: take_set(table, group)) == topics[:1]
    assert heard(topics, lambda: record(table, hit(ANN, BO, 3))) == topics[:1]
    assert heard(topics, lambda: take_set(table, other)) == topics


EVENING: dict[str, Callable[[Evening], object]] = {
    "somebody comes": lambda evening: evenings.arrive(evening, ["Di"]),
    "somebody leaves": lambda evening: evenings.leave(evening, _ann(evening)),
    "a round is paired again": evenings.pair_round,
    "somebody moves": lambda evening: reseating.move(evening.rounds.get(), _ann(evening), 0),
    "a round begins": lambda evening: evenings.begin_round(evening.rounds.get()),
    "a round is taken back": lambda evening: evenings.undo_round(evening.rounds.get()),
    "an evening ends": evenings.end_evening,
}


def _ann(evening: Evening) -> Player:
    return evening.playgroup.players.get(name="Ann")


@pytest.mark.parametrize("what", EVENING)
def test_a_playgroup_hears_of_its_evenings(group, what):
    other = create_playgroup("Friday", None, visibility="public", ruleset="coalition-906")
    evening = evenings.create_evening(group, "Club", COALITION_906, rounds=1, usual_size=3)
    evenings.arrive(evening, ["Ann", "Bo", "Cy"])
    evenings.pair_round(evening)
    topics = [f"g{group.pk}", f"g{other.pk}"]

    assert heard(topics, lambda: EVENING[what](evening)) == topics[:1]


def test_a_table_hears_who_sits_down_there_and_what_happens_to_its_clock(group):
    evening = evenings.create_evening(
        group, "Club", COALITION_906, rounds=1, usual_size=3, minutes=50
    )
    evenings.arrive(evening, ["Ann", "Bo", "Cy"])
    round = evenings.pair_round(evening)
    (table,) = evenings.begin_round(round)
    evenings.arrive(evening, ["Di"])
    topics = [f"g{group.pk}", f"s{table.game_set_id}"]

    late = evening.playgroup.players.get(name="Di")
    assert sorted(heard(topics, lambda: reseating.move(round, late, 1))) == topics
    assert sorted(heard(topics, lambda: change_clock(round, Change.PAUSE))) == topics


def test_a_stream_begins_with_a_signal_and_says_that_it_is_still_there(table, monkeypatch):
    async def begin() -> list[str]:
        lines = []
        async with aclosing(live.signals("s1", "here")) as stream:
            async for line in stream:
                lines.append(line)
                if len(lines) == 4:
                    break
                if line.startswith("data:"):  # no sooner: the first beat is its patience to connect
                    monkeypatch.setattr(live, "BEAT", 0.05)
        return lines

    lines = asyncio.run(asyncio.wait_for(begin(), PATIENCE))
    assert lines == ["retry: 2000\n\n", "data: 1\n\n", ": still here\n\n", ": still here\n\n"]


def test_a_stream_ends_after_its_time_and_its_page_opens_another(table, monkeypatch):
    monkeypatch.setattr(live, "LASTS", 0)

    async def whole() -> list[str]:
        return [line async for line in live.signals("s1", "here")]

    assert asyncio.run(asyncio.wait_for(whole(), PATIENCE)) == ["retry: 2000\n\n"]


@pytest.mark.parametrize("steps", range(4))
def test_a_stream_ends_when_its_page_leaves_at_the_moment_of_a_change(table, steps):
    async def hear(began: asyncio.Event) -> None:
        async with aclosing(live.signals("s1", "here")) as stream:
            async for line in stream:
                if line.startswith("data:"):
                    began.set()

    async def leave() -> bool:
        began = asyncio.Event()
        task = asyncio.create_task(hear(began))
        await asyncio.wait_for(began.wait(), PATIENCE)
        await asyncio.sleep(0)
        live._hubs[asyncio.get_running_loop()].signal("s1")
        for _ in range(steps):  # of the loop, between the change and the leaving
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=1)
        return task.done()

    assert asyncio.run(leave())


def test_the_source_ends_with_the_last_listener(table):
    async def listen() -> tuple[bool, bool, Any]:
        hub = live.Hub()
        with hub.listening("s1", "here"), hub.listening("s2", "here"):
            source = hub.source
            await asyncio.wait_for(hub.hears.wait(), PATIENCE)
        await asyncio.wait([source], timeout=PATIENCE)
        return source.cancelled(), hub.hears.is_set(), dict(hub.listeners)

    assert asyncio.run(listen()) == (True, False, {})


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_a_lost_connection_is_opened_again_and_everybody_asks_again(table, monkeypatch):
    monkeypatch.setattr(live, "AGAIN", 0.05)
    kill = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE query = 'LISTEN {changes.CHANNEL}' AND pid <> pg_backend_pid()"
    )

    def cut() -> None:
        with connection.cursor() as cursor:
            cursor.execute(kill)

    assert heard(["s1"], cut) == ["s1"]


@pytest.mark.django_db
def test_a_stream_may_be_neither_cached_nor_changed_on_its_way():
    """And it is where the server looks for streams."""
    where, of_group = (reverse(name, args=[set_up().code]) for name in ("stream", "group_stream"))
    answer = Client().get(where)

    assert where.startswith(STREAMS)
    assert of_group.startswith(STREAMS)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["X-Accel-Buffering"] == "no"
    said = {part.strip() for part in answer["Cache-Control"].split(",")}
    assert {"no-cache", "no-transform"} <= said
    assert "Content-Encoding" not in answer
