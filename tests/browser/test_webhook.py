"""A webhook on a phone: an owner sets it, sends a test, and sees a result arrive or not."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Page, expect

from scoring.models import Playgroup
from scoring.news import sender, webhooks
from tests.receiver import Receiver, receiving
from tests.scoring.grouped import group, play
from tests.scoring.groups.visitors import account, at, browser
from tests.scoring.news.test_sending import MARCH

from .checks import Console
from .test_account_pages import seen


@pytest.fixture
def club(transactional_db: None) -> Playgroup:
    club = group("Club")
    account("olga", club, "owner")
    return club


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with receiving() as receiver:
        settings.WEBHOOK_ORIGINS = [receiver.origin]
        yield receiver


@pytest.fixture
def news(site: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Send news as the process beside the site does."""
    for pause in ("PAUSE", "PAUSE_WITHOUT_DATABASE"):  # SQLite may be locked for a moment
        monkeypatch.setattr(sender, pause, 0.1)
    over = threading.Event()

    def send() -> None:
        sender.run(over.wait)
        connections.close_all()  # one that stays open would keep the test's database

    thread = threading.Thread(target=send)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.fixture
def phone(page: Page, site: Any, club: Playgroup) -> Page:
    session = browser("olga").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    return page


def tap_and_wait(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).tap()


def set_webhook(page: Page, club: Playgroup, address: str) -> str:
    """Set where news go, and return the secret."""
    page.goto(at(club, "webhook"))
    page.get_by_label("Sent as").select_option("json")
    page.get_by_label("Address, beginning with https://").fill(address)
    tap_and_wait(page, "Save")
    expect(page.get_by_text("Saved.")).to_be_visible()
    return page.get_by_label("Secret", exact=True).input_value()


def entry(page: Page, what: str) -> Any:
    return page.locator("#deliveries li").filter(has_text=what)


def test_an_owner_sets_a_webhook_and_sees_what_arrived(phone, club, receiver, news):
    console = Console(phone)
    secret = set_webhook(phone, club, receiver.address)
    tap_and_wait(phone, "Send a test")
    expect(entry(phone, "Test")).to_contain_text(re.compile(r"Delivered.*204 No Content", re.S))

    play(club, MARCH, {"Ann": (1, 2, 3), "Bo": (4, 5, 6)})
    phone.goto(at(club, "webhook"))
    expect(entry(phone, "Result of a set")).to_contain_text("Delivered")

    test, result = receiver.bodies
    assert (test["type"], result["type"]) == ("test", "set.finished")
    assert [one["player"] for one in result["set"]["results"]] == ["Bo", "Ann"]
    _, headers, body = receiver.requests[1]
    signed = webhooks.signature(
        secret, headers["Webhook-Id"], int(headers["Webhook-Timestamp"]), body
    )
    assert headers["Webhook-Signature"] == signed
    assert console.complaints(200) == []


def test_a_receiver_that_fails_is_named_and_tried_again_later(phone, club, receiver, news):
    receiver.status = 500
    set_webhook(phone, club, receiver.address)

    play(club, MARCH, {"Ann": (1, 2, 3), "Bo": (4, 5, 6)})
    phone.goto(at(club, "webhook"))

    waiting = entry(phone, "Result of a set")
    expect(waiting).to_contain_text("500 Internal Server Error")
    expect(waiting).to_contain_text("Next try")


def test_the_pages_of_webhook_and_calendar_fit_fingers_and_readers(phone, club, receiver, news):
    console = Console(phone)
    wrong = seen(phone, console, at(club, "webhook")) + seen(phone, console, at(club, "calendar"))
    set_webhook(phone, club, receiver.address)
    tap_and_wait(phone, "Send a test")
    expect(entry(phone, "Test")).to_contain_text("Delivered")

    wrong += seen(phone, console, at(club, "webhook"))

    assert not wrong, "\n".join(wrong)
