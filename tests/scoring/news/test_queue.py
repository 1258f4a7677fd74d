"""What is queued when, what is sent of it, and what happens when nobody takes it."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.groups import set_membership
from scoring.groups.evenings import commands as evenings
from scoring.models import Delivery, Webhook
from scoring.news import queue, sender, signing, webhooks
from scoring.play import commands
from scoring.rules.corrections import Amend, Undo
from scoring.rules.formats import COALITION_906, REALM_WARS
from scoring.rules.moves import Draw
from tests.receiver import receiving
from tests.scoring.grouped import group, play
from tests.scoring.rules.play import hit

from .conftest import KEY, SITE

MARCH = date(2026, 3, 6)
POINTS = {"Ann": (1, 2, 3), "Bo": (4, 5, 6)}
DOCS = Path(__file__).resolve().parents[3] / "docs/webhooks.md"


def rows() -> list[tuple[str, str, bool]]:
    deliveries = Delivery.objects.order_by("pk")
    return list(deliveries.values_list("kind", "status", "is_correction"))


def outcomes() -> list[tuple[str, str]]:
    return list(Delivery.objects.order_by("pk").values_list("status", "outcome"))


def later(**passed: float) -> None:
    """Let time pass: whatever is stored happened that much earlier."""
    gone = timedelta(**passed)
    for row in Delivery.objects.all():
        row.queued_at -= gone
        row.next_at = row.next_at - gone if row.next_at else None
        row.save()
    for hook in Webhook.objects.exclude(failing_since=None):
        assert hook.failing_since
        Webhook.objects.filter(pk=hook.pk).update(failing_since=hook.failing_since - gone)


# --- what is queued ---
def test_the_end_of_a_set_is_queued_and_nothing_before_it(thursday, hook):
    play(thursday, MARCH, POINTS)

    assert rows() == [("set", "waiting", False)]


def test_a_playgroup_without_webhook_and_a_quick_table_queue_nothing(thursday, hook):
    play(group("Friday"), MARCH, POINTS)
    play(None, MARCH, POINTS)

    assert rows() == []


def test_a_result_that_is_rolled_back_is_not_queued(thursday, hook):
    with transaction.atomic():
        play(thursday, MARCH, POINTS)
        transaction.set_rollback(True)

    assert rows() == []


def test_a_hit_takes_as_many_queries_with_a_webhook_as_without(thursday, receiver):
    def queries() -> int:
        table = commands.create_set(COALITION_906, ["Ann", "Bo"], playgroup=thursday)
        commands.start_game(table, 1, first=1)
        commands.record(table, 1, hit(1, 2, 1))
        with CaptureQueriesContext(
            connection,
        ) as captured:
            commands.record(table, 1, hit(1, 2, 1))
        return len(captured)

    without = queries()
    webhooks.save(thursday, "json", receiver.address, site=SITE, key=KEY)

    assert queries() == without


def test_a_correction_that_changes_the_result_is_queued_as_one_and_another_is_not(thursday, hook):
    table = play(thursday, MARCH, POINTS)
    Delivery.objects.all().delete()

    commands.record(table, 3, Amend(1, hit(1, 2, 3, kind="hero")))
    same = rows()
    commands.record(table, 3, Amend(1, hit(1, 2, 9)))

    assert same == []
    assert rows() == [("set", "waiting", True)]


# --- what is sent ---
def test_a_result_arrives_once_with_a_signature_that_the_documented_check_accepts(
    thursday, hook, receiver
):
    play(thursday, MARCH, POINTS)

    sent = [sender.send_some() for _ in range(3)]

    ((_, headers, body),) = receiver.requests
    documented: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)[0], documented)
    is_genuine, secret = documented["is_genuine"], signing.secret(KEY)
    assert sent == [1, 0, 0]
    assert is_genuine(secret, headers, body.encode())
    assert not is_genuine(secret, headers, body.encode() + b" ")
    assert not is_genuine(signing.secret("another"), headers, body.encode())
    old = headers | {"Webhook-Timestamp": str(int(time.time()) - 301)}
    assert not is_genuine(secret, old, body.encode())
    assert outcomes() == [("delivered", "204 No Content")]


def test_a_message_has_the_result_as_documented(thursday, hook, receiver):
    table = play(thursday, MARCH, POINTS)
    sender.send_some()

    (body,) = receiver.bodies
    row = Delivery.objects.get()
    ann, bo = (thursday.players.get(name=name).pk for name in ("Ann", "Bo"))
    at_table = {"games_won": 0, "games_played": 3, "hero": "", "coalition_type": ""}
    assert body == {
        "type": "set.finished",
        "id": str(row.number),
        "at": row.queued_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "playgroup": {"name": "Thursday", "address": f"{SITE}/g/{thursday.code}/"},
        "set": {
            "code": table.code,
            "address": f"{SITE}/s/{table.code}/",
            "format": "coalition",
            "ruleset": "coalition-906",
            "finished_at": "2026-03-06T12:00:00Z",
            "results": [
                {
                    "rank": place,
                    "player": name,
                    "address": f"{SITE}/g/{thursday.code}/player/{key}/",
                    "victory_points": points,
                    **at_table,
                }
                for place, name, key, points in ((1, "Bo", bo, 15), (2, "Ann", ann, 6))
            ],
        },
    }
    documented = re.findall(r'"(\w+)":', DOCS.read_text())
    assert set(documented) == set(re.findall(r'"(\w+)":', receiver.requests[0][2]))


def test_a_format_without_vp_is_sent_without_them(thursday, hook, receiver):
    table = commands.create_set(REALM_WARS, ["Ann", "Bo", "Cy", "Di"], playgroup=thursday)
    commands.start_game(table, 1, first=1)
    commands.record(table, 1, Draw())
    sender.send_some()

    (body,) = receiver.bodies
    assert {result["victory_points"] for result in body["set"]["results"]} == {None}


def test_what_is_corrected_reopened_and_moved_is_sent_as_that(thursday, hook, receiver):
    table = play(thursday, MARCH, POINTS)
    sender.send_some()
    commands.record(table, 3, Amend(1, hit(1, 2, 20)))
    sender.send_some()
    commands.record(table, 3, Undo())
    sender.send_some()
    commands.record(table, 3, Undo())
    sender.send_some()
    commands.record(table, 3, Draw())
    sender.send_some()
    set_membership.take_out(table)
    sender.send_some()

    told = [
        (body["type"], [result["victory_points"] for result in body["set"]["results"]])
        for body in receiver.bodies
    ]
    assert told == [
        ("set.finished", [15, 6]),
        ("set.corrected", [23, 15]),
        ("set.withdrawn", []),
        ("set.finished", [23, 9]),
        ("set.withdrawn", []),
    ]
    assert len({body["id"] for body in receiver.bodies}) == len(told)


def test_what_waits_is_replaced_by_what_is_later_and_never_arrives_after_it(
    thursday, hook, receiver
):
    receiver.status = 500
    table = play(thursday, MARCH, POINTS)
    sender.send_some()
    receiver.status = 204
    commands.record(table, 3, Amend(1, hit(1, 2, 20)))
    later(hours=1)

    sent = [sender.send_some() for _ in range(2)]

    assert sent == [1, 0]
    assert [status for status, _ in outcomes()] == ["replaced", "delivered"]
    assert receiver.bodies[-1]["set"]["results"][0]["victory_points"] == 23


def test_a_message_that_is_sent_again_is_the_same_with_the_same_id(thursday, hook, receiver):
    receiver.status = 503
    play(thursday, MARCH, POINTS)
    sender.send_some()
    later(minutes=5)
    sender.send_some()

    first, second = receiver.requests
    assert first[2] == second[2]
    assert first[1]["Webhook-Id"] == second[1]["Webhook-Id"]
    assert outcomes() == [("waiting", "503 Service Unavailable")]


def test_a_discord_channel_gets_a_message_that_mentions_nobody(thursday, receiver):
    webhooks.save(thursday, "discord", receiver.address, site=SITE, key=KEY)
    table = play(thursday, MARCH, {"@everyone": (1, 2, 3), "[B_o](https://x.y)": (4, 5, 6)})
    sender.send_some()

    row = Delivery.objects.get()
    assert receiver.bodies == [
        {
            "allowed_mentions": {"parse": []},
            "embeds": [
                {
                    "title": r"\[B\_o\]\(https\://x.y\) won a set \(Thursday\)",
                    "description": "1\\. \\[B\\_o\\]\\(https\\://x.y\\): 15 VP\n"
                    "2\\. \\@everyone: 6 VP",
                    "url": f"{SITE}/s/{table.code}/",
                    "timestamp": row.queued_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                }
            ],
        }
    ]
    assert "Webhook-Signature" not in receiver.requests[0][1]


# --- evenings ---
def test_the_standings_of_an_evening_are_sent_between_rounds_and_at_its_end(
    thursday, hook, receiver
):
    evening = evenings.create_evening(
        thursday, "Friday night", COALITION_906, rounds=2, usual_size=3
    )
    evenings.arrive(evening, ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"])
    first, second = evenings.begin_round(evenings.draw_round(evening))
    for table in (first, second):
        commands.start_game(table.game_set, 1, first=1)
        commands.record(table.game_set, 1, hit(1, 2, 5))
        commands.record(table.game_set, 1, Draw())
        commands.call_set(table.game_set)
        while sender.send_some():
            pass
    evenings.end_evening(evening)
    evenings.end_evening(evening)
    commands.record(first.game_set, 1, Amend(1, hit(1, 2, 7)))
    while sender.send_some():
        pass

    told = [body["evening"] for body in receiver.bodies if body["type"] == "evening.standings"]
    flags = [(one["rounds"], one["is_over"], one["is_corrected"]) for one in told]
    assert flags[0] == (1, False, False)
    assert flags[-1] == (1, True, True)
    assert [one["victory_points"] for one in told[0]["standings"]] == [5, 5, 0, 0, 0, 0]
    assert [one["rank"] for one in told[-1]["standings"]] == [1, 2, 3, 3, 3, 3]


# --- failures ---
def test_a_failure_is_tried_again_later_and_later_and_given_up_after_five_days(
    thursday, hook, receiver
):
    receiver.status = 500
    play(thursday, MARCH, POINTS)
    pauses = []
    while Delivery.objects.filter(status="waiting").exists():
        sender.send_some()
        row = Delivery.objects.get()
        if row.next_at:
            pauses.append(round((row.next_at - timezone.now()).total_seconds()))
            later(seconds=pauses[-1] + 1)

    hook.refresh_from_db()
    assert pauses == [30, 120, 480, 1920, 7680, 30720, *[43200] * 10]
    assert outcomes() == [("given up", "500 Internal Server Error")]
    assert hook.switched_off_at is not None


def test_a_webhook_that_is_switched_off_queues_nothing_until_it_is_switched_on(
    thursday, hook, receiver
):
    Webhook.objects.update(switched_off_at=timezone.now())
    play(thursday, MARCH, POINTS)
    off = rows()
    webhooks.switch_on(hook)
    play(thursday, MARCH, {"Cy": (1, 2, 3), "Di": (4, 5, 6)})

    assert (off, rows()) == ([], [("set", "waiting", False)])


def test_what_waits_at_a_webhook_that_is_switched_off_is_given_up(thursday, hook, receiver):
    receiver.status = 410
    for _ in range(2):
        play(thursday, MARCH, POINTS)
    sender.send_some()

    assert outcomes() == [
        ("given up", "410 Gone"),
        ("given up", "Not sent: the webhook was switched off"),
    ]


def test_what_arrives_ends_the_count_of_days(thursday, hook, receiver):
    receiver.status = 500
    play(thursday, MARCH, POINTS)
    sender.send_some()
    assert Webhook.objects.exclude(failing_since=None).exists()
    receiver.status = 200
    later(days=4)
    sender.send_some()

    hook.refresh_from_db()
    assert (hook.failing_since, hook.switched_off_at) == (None, None)


def test_one_old_failure_and_one_new_do_not_switch_a_webhook_off(thursday, hook, receiver):
    receiver.status = 500
    play(thursday, MARCH, POINTS)
    sender.send_some()
    Delivery.objects.update(status="given up", next_at=None)
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=30))
    play(thursday, MARCH, POINTS)
    sender.send_some()

    hook.refresh_from_db()
    assert hook.switched_off_at is None


@pytest.mark.parametrize(("asked", "pause"), [("600", 600), ("999999", 3600), ("1", 30)])
def test_a_receiver_that_asks_for_patience_is_left_alone_for_an_hour_at_most(
    thursday, hook, receiver, asked, pause
):
    receiver.status, receiver.headers = 429, {"Retry-After": asked}
    play(thursday, MARCH, POINTS)
    sender.send_some()

    row = Delivery.objects.get()
    assert row.next_at
    assert round((row.next_at - timezone.now()).total_seconds()) == pause


def test_a_test_is_tried_once_and_says_how_it_went(thursday, hook, receiver):
    receiver.status = 404
    webhooks.send_test(hook)
    sender.send_some()
    receiver.status = 200
    webhooks.send_test(hook)
    sender.send_some()

    hook.refresh_from_db()
    assert outcomes() == [("given up", "404 Not Found"), ("delivered", "200 OK")]
    assert hook.failing_since is None
    assert [body["type"] for body in receiver.bodies] == ["test", "test"]


def test_a_redirect_is_told_to_owners_as_what_it_is(thursday, hook, receiver):
    receiver.status = 302
    webhooks.send_test(hook)
    sender.send_some()

    assert outcomes() == [("given up", "302 Found: redirects are not followed")]


def test_an_address_inside_the_network_is_connected_to_by_nobody(
    thursday, hook, receiver, settings
):
    settings.WEBHOOKS_ANYWHERE = False
    webhooks.send_test(hook)
    sender.send_some()

    assert outcomes() == [("given up", "Give an address that begins with https://.")]
    assert receiver.connections == 0


def test_with_another_key_of_the_site_owners_read_what_to_do(thursday, hook, settings):
    settings.SECRET_KEY = "another key of the site, as long as one has to be, no shorter"
    webhooks.send_test(hook)
    sender.send_some()

    assert outcomes() == [("given up", queue.UNREADABLE)]


def test_what_can_not_be_written_does_not_keep_the_rest_waiting(thursday, hook, receiver, caplog):
    queue_of = Delivery.objects.create(
        webhook=hook, kind="set", subject=999_999, queued_at=timezone.now(), next_at=timezone.now()
    )
    webhooks.send_test(hook)
    while sender.send_some() or queue.has_due():
        pass

    assert outcomes() == [("given up", queue.UNWRITTEN), ("delivered", "204 No Content")]
    assert f"Delivery {queue_of.pk} can't be written" in caplog.text


def test_a_sender_that_dies_in_the_middle_leaves_what_it_took_to_be_sent_later(
    thursday, hook, receiver
):
    play(thursday, MARCH, POINTS)
    (letter,) = queue.take(8)  # and dies

    assert not queue.has_due()
    later(seconds=31)
    assert sender.send_some() == 1
    assert receiver.requests[0][2].encode() == letter.body


def test_a_dead_receiver_keeps_others_waiting_for_no_longer_than_its_time(
    thursday, hook, receiver, monkeypatch
):
    monkeypatch.setattr("coalition_site.lib.outgoing.SECONDS", 0.3)
    receiver.delay = 30
    friday = group("Friday")
    with receiving() as other:
        webhooks.save(friday, "json", other.address, site=SITE, key=KEY)
        play(thursday, MARCH, POINTS)
        play(friday, MARCH, POINTS)
        began = time.monotonic()
        sender.send_some()
        took = time.monotonic() - began

    assert len(other.requests) == 1
    assert outcomes()[0] == ("waiting", "No answer within 0.3 seconds")
    assert took < 5


def test_whoever_records_a_result_connects_to_nobody(thursday, hook, receiver):
    play(thursday, MARCH, POINTS)

    assert rows() == [("set", "waiting", False)]
    assert receiver.connections == 0


def test_only_the_latest_ten_are_kept_once_they_are_done(thursday, hook, receiver):
    for _ in range(13):
        webhooks.send_test(hook)
    while sender.send_some():
        pass

    assert Delivery.objects.count() == 10
    assert len(receiver.requests) == 13


def test_the_queue_s_length_and_the_age_of_its_oldest_are_counted(thursday, hook):
    assert queue.waiting() == queue.Waiting(0, 0.0, 0.0)
    for _ in range(2):
        play(thursday, MARCH, POINTS)
        later(seconds=60)

    waiting = queue.waiting()
    assert (waiting.count, waiting.oldest // 60, waiting.overdue // 60) == (2, 2, 2)


def test_what_was_tried_is_not_overdue_and_its_receiver_fails(thursday, hook, receiver):
    receiver.status = 500
    play(thursday, MARCH, POINTS)
    sender.send_some()
    later(seconds=20)

    waiting, failing = queue.waiting(), queue.failing()
    assert (waiting.count, waiting.overdue) == (1, 0)
    assert (failing.count, failing.longest // 10, failing.switched_off) == (1, 2, 0)

    Webhook.objects.update(switched_off_at=timezone.now())
    assert queue.failing() == queue.Failing(0, 0.0, 1)


# --- several senders ---
def test_two_senders_at_once_send_each_message_once(settings, transactional_db):
    settings.WEBHOOKS_ANYWHERE = True

    def work(_: int) -> int:
        try:
            return sum(sender.send_some() for _ in range(12))
        finally:
            connection.close()

    with receiving() as receiver:
        webhooks.save(group("Thursday"), "json", receiver.address, site=SITE, key=KEY)
        hook = Webhook.objects.get()
        for _ in range(12):
            webhooks.send_test(hook)
        with ThreadPoolExecutor(3) as threads:
            sent = sum(threads.map(work, range(3)))

    numbers = [body["id"] for body in receiver.bodies]
    assert (sent, len(numbers), len(set(numbers))) == (12, 12, 12)


def test_the_sender_goes_on_after_the_database_was_away(monkeypatch, caplog):
    pauses: list[float] = []
    outcomes = iter([OperationalError("gone"), False])

    def waits(seconds: float) -> bool:
        pauses.append(seconds)
        return len(pauses) == 3

    def has_due() -> bool:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(queue, "has_due", has_due)
    monkeypatch.setattr(sender.Importer, "go_on", lambda self: None)
    monkeypatch.setattr(sender, "close_old_connections", lambda: None)
    monkeypatch.setattr(sender, "connection", type("Away", (), {"close": lambda self: None})())

    sender.run(waits)

    assert pauses == [sender.PAUSE, sender.PAUSE_WITHOUT_DATABASE, sender.PAUSE]
    assert "News can't be sent while the database is away: OperationalError" in caplog.text
