"""The page on which owners set a webhook."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.groups.news import webhooks
from scoring.models import Delivery, Playgroup, Webhook
from tests.receiver import send_next
from tests.scoring.browsing import problem, words
from tests.scoring.groups.visitors import at, post
from tests.scoring.tables import tap_id, text, unchanged

DISCORD = "https://discord.com/api/webhooks/17/a-secret-of-discord"


@pytest.fixture(autouse=True)
def allowed(settings: Any) -> None:
    settings.WEBHOOK_ORIGINS = ["https://discord.com", "https://receiver.example"]
    settings.WEBHOOK_ORIGINS += ["https://other.example", "http://nas.local:8080"]


def save(client: Client, of: Playgroup, form: str, address: str, tap: int = 1) -> Any:
    return post(client, of, "webhook", form=form, address=address, tap_id=tap_id(tap))


def secrets(response: Any) -> list[str]:
    return re.findall(r"whsec_[\w+/=]+", text(response))


def test_a_secret_is_shown_once_and_the_database_has_neither_it_nor_the_address(thursday, owner):
    """Another address keeps it, and a new one replaces it."""
    answer = save(owner, thursday, "json", "https://receiver.example/in?token=x1y2z3")
    repeated = save(owner, thursday, "json", "https://receiver.example/in?token=x1y2z3")
    later = owner.get(at(thursday, "webhook"))

    (secret,) = secrets(answer)
    assert (secrets(repeated), secrets(later)) == ([secret], [])
    hook = Webhook.objects.get()
    assert webhooks.secret_of(hook) == secret
    stored = str(Webhook.objects.values())
    assert not re.search(f"{re.escape(secret)}|x1y2z3", stored)

    moved = save(owner, thursday, "json", "https://other.example/", tap=2)
    hook.refresh_from_db()
    assert (moved.status_code, webhooks.secret_of(hook), hook.host) == (
        302,
        secret,
        "other.example",
    )
    (second,) = secrets(post(owner, thursday, "renew_secret", tap_id=tap_id(3)))
    hook.refresh_from_db()
    assert webhooks.secret_of(hook) == second != secret


HTTPS = "Give an address that begins with https://."
NO_ADDRESS = "This is not an address. Copy it again, from https:// on."
NAMED = "Give the address without a user name and password."
ELSEWHERE = "This site sends to Discord and Slack, and not to "


@pytest.mark.parametrize(
    ("form", "address", "said"),
    [
        ("json", "", "Give the address that news is sent to."),
        ("json", "http://receiver.example/", HTTPS),
        ("json", "https:///news", HTTPS),
        ("json", "https://receiver.example:99999/", f"{ELSEWHERE}receiver.example. "),
        ("json", "https://[::1/", NO_ADDRESS),
        ("json", "https://me:secret@receiver.example/", NAMED),
        ("json", "https://receiver.example@10.0.0.1/", NAMED),
        ("json", "https://10.0.0.1/", f"{ELSEWHERE}10.0.0.1. "),
        ("json", "https://receiver.example:8443/", f"{ELSEWHERE}receiver.example. "),
        ("json", "https://receiver.example.evil.example/", ELSEWHERE),
        ("json", f"https://a.example/{'x' * 1000}", "The address is too long: 1000 characters"),
        ("discord", "https://discord.com/channels/1", "This is not an address of Discord."),
        ("slack", "https://receiver.example/", "Choose a form."),
    ],
)
def test_an_address_that_will_not_do_is_refused_and_stays_typed(
    thursday, owner, form, address, said
):
    with unchanged():
        answer = save(owner, thursday, form, address)

    assert answer.status_code == 422
    assert said in problem(answer)
    assert address[:40] in text(answer)


def test_owners_read_that_and_why_nothing_is_sent_and_switch_a_webhook_on(
    thursday, owner, settings
):
    save(owner, thursday, "json", "https://receiver.example/")
    settings.WEBHOOK_ORIGINS = ["https://discord.com"]
    not_allowed = words(owner.get(at(thursday, "webhook")))
    Webhook.objects.update(switched_off_at=timezone.now(), failing_since=timezone.now())
    off = words(owner.get(at(thursday, "webhook")))

    post(owner, thursday, "switch_on_webhook")

    assert f"Nothing is sent. {ELSEWHERE}receiver.example." in not_allowed
    assert "COALITION_WEBHOOK_HOSTS" in not_allowed
    assert "nothing had arrived at receiver.example for 5 days" in off
    hook = Webhook.objects.get()
    assert (hook.switched_off_at, hook.failing_since) == (None, None)
    assert "Switched off" not in words(owner.get(at(thursday, "webhook")))


def test_a_test_is_queued_and_the_page_follows_it_until_it_was_sent(thursday, owner, receiver):
    webhooks.save(thursday, "json", receiver.address, site="http://testserver", key="a-key")

    answer = post(owner, thursday, "send_test")
    before = owner.get(at(thursday, "webhook"))
    send_next()
    after = owner.get(at(thursday, "webhook"), headers={"HX-Request": "true"})

    assert answer.status_code == 302
    assert 'hx-trigger="every 2s"' in text(before)
    assert "Test Waiting Queued" in words(before)
    assert 'hx-trigger="every 2s"' not in text(after)
    assert "Test Delivered" in words(after)
    assert "204 No Content, after" in words(after)
    assert "<h1>" not in text(after)
    assert receiver.bodies[0]["type"] == "test"


@pytest.mark.usefixtures("clock")
def test_a_webhook_is_removed_with_its_queue_which_takes_only_so_many_tests(
    thursday, owner, settings
):
    settings.LIMITS = {"send_test": (2, 3600)}
    save(owner, thursday, "discord", DISCORD)
    statuses = [post(owner, thursday, "send_test").status_code for _ in range(3)]
    queued = Delivery.objects.count()

    post(owner, thursday, "remove_webhook")

    assert (statuses, queued) == ([302, 302, 429], 2)
    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)
