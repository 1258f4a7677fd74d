"""What is queued when, what is sent of it, and what happens when nobody takes it."""

import logging
import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from coalition_site.lib import outgoing
from decks.models import BanList
from scoring.groups.evenings import commands as evenings
from scoring.groups.evenings.editing import edit_evening
from scoring.groups.news import sender, webhooks
from scoring.groups.sets import membership as set_membership
from scoring.models import Delivery, Webhook
from scoring.record import commands
from scoring.rules.corrections import Amend, Undo
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.decks.bans.announcing import announce
from tests.decks.cards import given, record
from tests.decks.lists import TODAY, editor, house
from tests.receiver import answering, receiving, send_next
from tests.scoring.grouped import group, play, play_one_game
from tests.scoring.rules.play import hit

from ...browsing import words
from ..evenings.pages import NINE, night
from ..visitors import at, browser, post
from .conftest import KEY, SITE

MARCH = date(2026, 3, 6)
POINTS = {"Ann": (1, 2, 3), "Bo": (4, 5, 6)}
DOCS = Path(__file__).resolve().parents[4] / "docs/webhooks.md"


def outcomes() -> list[tuple[str, str]]:
    return list(Delivery.objects.order_by("pk").values_list("status", "outcome"))


def later(**passed: float) -> None:
    """Let time pass: whatever is stored happened that much earlier."""
    gone = timedelta(**passed)
    Delivery.objects.update(queued_at=F("queued_at") - gone, next_at=F("next_at") - gone)
    Webhook.objects.update(failing_since=F("failing_since") - gone)


# --- what is queued ---
def test_the_end_of_a_set_and_a_changed_result_are_queued_where_a_webhook_is_on(
    thursday, hook, receiver
):
    def rows() -> list[tuple[str, str, bool]]:
        deliveries = Delivery.objects.order_by("pk")
        return list(deliveries.values_list("kind", "status", "is_correction"))

    Webhook.objects.update(switched_off_at=timezone.now())
    play(thursday, MARCH, POINTS)
    off = rows()
    Webhook.objects.update(switched_off_at=None)
    for of in (group("Friday"), None, thursday):
        table = play(of, MARCH, POINTS)

    assert (off, rows()) == ([], [("set", "waiting", False)])
    assert receiver.connections == 0
    Delivery.objects.all().delete()
    commands.record(table, 3, Amend(1, hit(1, 2, 3, kind="hero")))
    assert rows() == []
    commands.record(table, 3, Amend(1, hit(1, 2, 9)))
    assert rows() == [("set", "waiting", True)]


# --- what is sent ---
def test_a_result_arrives_once_as_documented_with_a_signature_that_the_check_accepts(
    thursday, hook, receiver
):
    table = play(thursday, MARCH, POINTS)

    assert [send_next() for _ in range(2)] == [True, False]
    assert outcomes() == [("delivered", "204 No Content")]
    ((_, headers, sent),), (body,) = receiver.requests, receiver.bodies
    check: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)[0], check)
    is_genuine, secret = check["is_genuine"], webhooks.secret_of(hook)
    assert is_genuine(secret, headers, sent.encode())
    assert not is_genuine(secret, headers, sent.encode() + b" ")
    assert not is_genuine("whsec_YW5vdGhlcg==", headers, sent.encode())
    old = headers | {"Webhook-Timestamp": str(int(time.time()) - 301)}
    assert not is_genuine(secret, old, sent.encode())

    row = Delivery.objects.get()
    ann, bo = (thursday.players.get(name=name).pk for name in ("Ann", "Bo"))
    at_table = {"games_won": 0, "games_played": 3, "hero": "", "coalition_type": ""}
    assert body == {
        "type": "set.finished",
        "id": str(row.number),
        "at": row.queued_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "playgroup": {"name": "Thursday group", "address": f"{SITE}/g/{thursday.code}/"},
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
    assert set(re.findall(r'"(\w+)":', DOCS.read_text())) == set(re.findall(r'"(\w+)":', sent))


def test_what_is_corrected_reopened_and_moved_is_sent_as_that(thursday, hook, receiver):
    table = play(thursday, MARCH, POINTS)
    send_next()
    for entry in (Amend(1, hit(1, 2, 20)), Undo(), Undo(), Draw()):
        commands.record(table, 3, entry)
        send_next()
    for who in ({}, {1: "Zoe"}):  # nothing is corrected first
        set_membership.take_set(table, thursday, who)
        send_next()
    set_membership.take_out(table)
    send_next()

    told = [
        (body["type"], [result["victory_points"] for result in body["set"]["results"]])
        for body in receiver.bodies
    ]
    assert told == [
        ("set.finished", [15, 6]),
        ("set.corrected", [23, 15]),
        ("set.withdrawn", []),
        ("set.finished", [23, 9]),
        ("set.corrected", [23, 9]),
        ("set.withdrawn", []),
    ]
    assert len({body["id"] for body in receiver.bodies}) == len(told)


def test_what_waits_is_replaced_by_what_is_later_and_never_arrives_after_it(
    thursday, hook, receiver
):
    receiver.status = 500
    table = play(thursday, MARCH, POINTS)
    send_next()
    receiver.status = 204
    commands.record(table, 3, Amend(1, hit(1, 2, 20)))
    later(hours=1)

    assert [send_next() for _ in range(2)] == [True, False]
    assert [status for status, _ in outcomes()] == ["replaced", "delivered"]
    assert receiver.bodies[-1]["set"]["results"][0]["victory_points"] == 23


def test_a_discord_channel_gets_a_message_that_mentions_nobody(thursday, hook, receiver):
    Webhook.objects.update(form="discord")
    table = play(thursday, MARCH, {"@everyone": (1, 2, 3), "[B_o](https://x.y)": (4, 5, 6)})
    play(thursday, MARCH, {"Ann": (0, 0, 0), "Bo": (0, 0, 0)})
    assert [send_next() for _ in range(2)] == [True, True]

    row = Delivery.objects.order_by("pk")[0]
    message, of_nothing = receiver.bodies
    assert message == {
        "allowed_mentions": {"parse": []},
        "embeds": [
            {
                "title": r"\[B\_o\]\(https\://x.y\) won a set \(Thursday group\)",
                "description": "1\\. \\[B\\_o\\]\\(https\\://x.y\\): 15 VP\n2\\. \\@everyone: 6 VP",
                "url": f"{SITE}/s/{table.code}/",
                "timestamp": row.queued_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        ],
    }
    assert of_nothing["embeds"][0]["title"] == r"Nobody won a set \(Thursday group\)"
    assert "Webhook-Signature" not in receiver.requests[0][1]


# --- evenings ---
def test_the_standings_of_an_evening_are_sent_between_rounds_and_at_its_end(
    thursday, hook, receiver
):
    evening = night(thursday, NINE[:6])
    first, second = evenings.begin_round(evenings.pair_round(evening))
    for table in (first, second):
        play_one_game(table.game_set, hit(1, 2, 5))
        while send_next():
            pass
    evenings.end_evening(evening)
    evenings.end_evening(evening)
    commands.record(first.game_set, 1, Amend(1, hit(1, 2, 7)))
    while send_next():
        pass

    told = [body["evening"] for body in receiver.bodies if body["type"] == "evening.standings"]
    flags = [(one["rounds"], one["is_over"], one["is_corrected"]) for one in told]
    assert flags[0] == (1, False, False)
    assert flags[-1] == (1, True, True)
    assert [one["victory_points"] for one in told[0]["standings"]] == [5, 5, 0, 0, 0, 0]
    assert [one["rank"] for one in told[-1]["standings"]] == [1, 2, 3, 3, 3, 3]


def test_an_evening_that_was_planned_ahead_is_called_to_mind_once_three_hours_before(
    thursday, hook, receiver
):
    """As it is planned by then, and not if it is cancelled."""
    friday = datetime(2126, 3, 8, 18, 30, tzinfo=UTC)
    plan = {"rounds": 2, "usual_size": 3, "minutes": None}
    one, other = (
        evenings.create_evening(thursday, name, COALITION_906, starts_at=friday, **plan)
        for name in ("Friday", "Sunday")
    )
    evenings.cancel_evening(other)
    edit_evening(one, name="Saturday", starts_at=friday + timedelta(days=1), **plan)
    evenings.arrive(one, ["Ann", "Bo"])
    assert not send_next()
    page = words(browser("olga").get(at(thursday, "webhook")))
    assert "Reminder of an evening Waiting Is sent 9 March 2126, 15:30:00" in page

    waiting = Delivery.objects.get()
    assert waiting.next_at == friday + timedelta(hours=21)
    Delivery.objects.update(next_at=timezone.now())
    while send_next():
        pass

    (told,) = receiver.bodies
    assert (told["type"], told["reminder"]["name"]) == ("evening.reminder", "Saturday")
    assert told["reminder"]["coming"] == [{"name": "Ann"}, {"name": "Bo"}]
    edit_evening(one, name="Now", starts_at=timezone.now(), **plan)
    evenings.end_evening(one)
    assert {row.kind for row in Delivery.objects.all()} == {"reminder", "evening"}


def test_an_evening_is_called_to_mind_after_it_was_reopened_or_planned_without_a_webhook(
    thursday, receiver
):
    ahead = {"rounds": 2, "usual_size": 3, "starts_at": datetime(2126, 3, 8, 18, 30, tzinfo=UTC)}
    one, over = (evenings.create_evening(thursday, name, COALITION_906, **ahead) for name in "AB")
    evenings.end_evening(over)

    def waiting() -> list[int]:
        return [row.subject for row in Delivery.objects.filter(kind="reminder")]

    webhooks.save(thursday, "json", receiver.address, site=SITE, key=KEY)
    set_up = waiting()
    evenings.end_evening(one)
    one.refresh_from_db()
    edit_evening(one, name="A", minutes=None, **ahead)
    ended = waiting()
    evenings.reopen_evening(one)
    reopened = waiting()
    Delivery.objects.all().delete()
    post(browser("olga"), thursday, "switch_on_webhook")

    assert (set_up, ended, reopened, waiting()) == ([one.pk], [], [one.pk], [one.pk])


# --- failures ---
def test_a_failure_is_tried_three_times_with_the_same_message_and_given_up(
    thursday, hook, receiver
):
    receiver.status = 500
    play(thursday, MARCH, POINTS)
    pauses = []
    while send_next():
        row = Delivery.objects.get()
        if row.next_at:
            pauses.append((row.next_at - row.tried_at).total_seconds())
            later(seconds=pauses[-1] + 1)

    hook.refresh_from_db()
    assert pauses == [60, 600]
    same = [(headers["Webhook-Id"], body) for _, headers, body in receiver.requests]
    assert same == [same[0]] * 3
    assert outcomes() == [("given up", "500 Internal Server Error")]
    assert hook.switched_off_at is None


def test_a_webhook_that_is_removed_while_its_message_is_written_is_no_error(
    thursday, hook, receiver, monkeypatch
):
    def written(row: Delivery, webhook: Webhook) -> str:
        Webhook.objects.all().delete()
        return "{}"

    monkeypatch.setattr(sender.bodies, "body", written)
    play(thursday, MARCH, POINTS)

    send_next()

    assert not Delivery.objects.exists()


def test_what_failed_is_written_anew_once_the_webhook_is_set_anew(thursday, hook, receiver):
    receiver.status = 500
    play(thursday, MARCH, POINTS)
    send_next()

    webhooks.save(thursday, "json", receiver.address, site="https://new.example", key=KEY)
    later(minutes=1)
    send_next()

    homes = [body["playgroup"]["address"] for body in receiver.bodies]
    assert homes == [f"{site}/g/{thursday.code}/" for site in (SITE, "https://new.example")]


@pytest.mark.parametrize(
    ("days", "second", "is_off", "fails"),
    [(4, 500, False, True), (6, 500, True, True), (6, 200, False, False), (0, 410, True, True)],
)
def test_a_webhook_that_is_gone_or_at_which_nothing_arrived_for_five_days_is_switched_off(
    thursday, hook, receiver, days, second, is_off, fails
):
    receiver.status = 500
    play(thursday, MARCH, POINTS)
    send_next()
    receiver.status = second
    later(days=days, minutes=2)
    send_next()

    hook.refresh_from_db()
    assert (hook.switched_off_at is not None, hook.failing_since is not None) == (is_off, fails)
    ((status, _),) = outcomes()
    assert status == {500: "waiting", 200: "delivered", 410: "given up"}[second]


@pytest.mark.parametrize(("asked", "pause"), [("600", 600), ("999999", 3600), ("1", 60)])
def test_a_receiver_that_asks_for_patience_is_left_alone_for_an_hour_at_most(
    thursday, hook, receiver, asked, pause
):
    receiver.status, receiver.headers = 429, {"Retry-After": asked}
    play(thursday, MARCH, POINTS)
    send_next()

    row = Delivery.objects.get()
    assert row.next_at
    assert row.tried_at
    assert pause <= (row.next_at - row.tried_at).total_seconds() < pause + 20


def test_a_test_is_tried_once_and_says_how_it_went(thursday, hook, receiver):
    told = {200: "200 OK", 302: "302 Found: redirects are not followed", 404: "404 Not Found"}
    for receiver.status in told:
        hook.deliveries.create(kind="test")
        send_next()

    hook.refresh_from_db()
    assert [outcome for _, outcome in outcomes()] == [*told.values()]
    assert [status for status, _ in outcomes()] == ["delivered", "given up", "given up"]
    assert hook.failing_since is None
    assert [body["type"] for body in receiver.bodies] == ["test"] * 3


def test_a_host_that_was_taken_off_the_list_is_connected_to_by_nobody(
    thursday, hook, receiver, settings
):
    settings.WEBHOOK_ORIGINS = ["https://discord.com"]
    play(thursday, MARCH, POINTS)
    send_next()

    assert outcomes() == [("waiting", "Give an address that begins with https://.")]
    assert receiver.connections == 0


def test_what_can_not_be_written_does_not_keep_the_rest_waiting(hook, receiver, caplog, settings):
    """With another key of the site owners read what to do."""
    broken = hook.deliveries.create(kind="set", subject=999_999)
    hook.deliveries.create(kind="test")
    while send_next():
        pass
    settings.SECRET_KEY = "another key of the site, as long as one has to be, no shorter"
    hook.deliveries.create(kind="test")
    send_next()

    assert outcomes() == [
        ("waiting", "The site could not write it"),
        ("delivered", "204 No Content"),
        ("given up", sender.UNREADABLE),
    ]
    assert f"Delivery {broken.pk} can't be written" in caplog.text


def test_a_sender_that_dies_in_the_middle_leaves_what_it_took_to_be_sent_later(
    thursday, hook, receiver, monkeypatch
):
    play(thursday, MARCH, POINTS)
    with monkeypatch.context() as dying:
        dying.setattr(outgoing, "ask", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            send_next()

    assert not send_next()
    later(seconds=61)
    assert send_next()
    assert outcomes() == [("delivered", "204 No Content")]


def test_only_the_latest_ten_are_kept_once_they_are_done_and_no_address_is_logged(
    hook, receiver, caplog
):
    caplog.set_level(logging.DEBUG)
    for _ in range(13):
        hook.deliveries.create(kind="test")
    while send_next():
        pass

    assert Delivery.objects.count() == 10
    assert len(receiver.requests) == 13
    assert "news?to=us" not in caplog.text


# --- several senders ---
def test_senders_at_once_send_each_message_once(settings, transactional_db):
    def work(_: int) -> None:
        try:
            while send_next():
                pass
        finally:
            connection.close()

    with receiving() as receiver:
        settings.WEBHOOK_ORIGINS = [receiver.origin]
        webhooks.save(group("Thursday"), "json", receiver.address, site=SITE, key=KEY)
        for _ in range(12):
            Webhook.objects.get().deliveries.create(kind="test")
        with ThreadPoolExecutor(3) as threads:
            list(threads.map(work, range(3)))

    numbers = [body["id"] for body in receiver.bodies]
    assert (len(numbers), len(set(numbers))) == (12, 12)


def test_a_receiver_that_does_not_answer_delays_only_what_goes_to_its_host(
    thursday, receiver, settings
):
    other = f"http://127.0.0.1:{receiver.port}"
    with answering(b"") as silent:
        settings.WEBHOOK_ORIGINS = [silent.rstrip("/"), other]
        webhooks.save(thursday, "json", silent, site=SITE, key=KEY)
        webhooks.save(friday := group("Friday"), "json", other, site=SITE, key=KEY)
        for hook in (thursday.webhook, thursday.webhook, friday.webhook):
            hook.deliveries.create(kind="test")
        at_once = sender.Sender()
        taken = [at_once.send_next() for _ in range(3)]
        noted = at_once.note_next(20)

        assert (taken, noted) == ([True, True, False], True)
        assert outcomes() == [("waiting", ""), ("waiting", ""), ("delivered", "204 No Content")]


# --- bans ---
def test_an_announcement_of_bans_is_sent_to_playgroups_that_play_by_the_list(
    thursday, hook, receiver
):
    given(record("Balance", "Sorcery"))
    ed, on = editor(), TODAY + timedelta(days=13)
    for other in (house(), BanList.objects.get(key="leveler")):
        announce(ed, on, {"Balance": "banned"}, ban_list=other)
    announce(ed, on, {"Balance": ("banned", "Too strong.")}, title="Winter", text="Why.")
    assert [send_next() for _ in range(2)] == [True, False]

    (body,), row = receiver.bodies, Delivery.objects.get()
    change = {"card": "Balance", "status": "banned", "was": None, "reason": "Too strong."}
    assert (body["type"], body["bans"]) == (
        "bans.announced",
        {
            "list": "Coalition",
            "title": "Winter",
            "text": "Why.",
            "from": on.isoformat(),
            "address": f"{SITE}/bans/coalition/announcements/{on.isoformat()}/",
            "changes": [change],
        },
    )
    assert (row.kind, row.status) == ("bans", "delivered")


def test_sending_is_begun_again_after_an_error_of_ours(monkeypatch, caplog):
    waits = iter([False, True])
    monkeypatch.setattr(sender, "close_old_connections", lambda: None)
    monkeypatch.setattr(sender.Sender, "send_next", lambda _: 1 // 0)

    sender.run(lambda _: next(waits))

    assert "Sending news failed, and is begun again." in caplog.text
    assert "ZeroDivisionError" in caplog.text
