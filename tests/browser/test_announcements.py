"""An announcement on a phone: drafted, previewed, published, and its feed."""

from __future__ import annotations

import re
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from coalition_site.lib.dates import day
from tests.decks.lists import ELVES, TODAY, TOMORROW, editor, elves, register

from .checks import DESKTOP, PHONES, Console, complaints_on
from .hand import becomes, give_deck, see, words

SCREENS = [*PHONES, DESKTOP]


def open_section(page: Page, title: str) -> None:
    page.locator("summary").filter(has_text=title).click()


def test_an_editor_drafts_previews_and_publishes_an_announcement(page, site):
    elves()
    deck = register("Elves of Tuesday", ELVES)
    register("Elves of Wednesday", ELVES)
    deck.revisions.update(created_at=timezone.now() - timedelta(days=1))
    editor("ed", "a long password")
    give_deck(page.context, site.address, deck)
    console = Console(page)
    page.goto(reverse("login"))
    page.get_by_label(re.compile(r"^\s*Name")).fill("ed")
    page.get_by_label("Your password").fill("a long password")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()

    page.get_by_role("link", name="Bans", exact=True).click()
    page.get_by_role("link", name="Announcements", exact=True).click()
    page.get_by_role("link", name="Draft an announcement").click()
    page.get_by_label("Title").fill("Autumn changes")
    page.get_by_label("First day").fill(TOMORROW.isoformat())
    page.get_by_label("Reasons in general").fill("Elves won too often.")
    page.get_by_role("button", name="Save the draft").click()

    see(page, "Autumn changes")
    page.get_by_label("Card (English name)").fill("Lanowar Elves")
    page.get_by_role("textbox", name="Reason (optional)").last.fill("Too quick.")
    page.get_by_role("button", name="Add it to the draft").click()
    page.get_by_role("button", name="Take Llanowar Elves").click()
    open_section(page, "Paste a list")
    page.get_by_label("List, a card a line").fill("Forest: watched")
    page.get_by_role("button", name="Take the differences").click()
    expect(page.get_by_role("status")).to_have_text("Taken from the list: 1 watched.")

    preview = page.get_by_role("region", name="Preview")
    becomes(
        lambda: words(preview.get_by_role("listitem")),
        [
            "Llanowar Elves: banned",
            "Forest: watched",
            "Yours: Elves of Tuesday, no games",
            "1 of other people, not named here.",
        ],
    )
    assert complaints_on(page, SCREENS) + console.complaints(422) == []
    preview.get_by_role("button", name="Publish").click()

    see(page, "Autumn changes")
    expect(page.get_by_text(f"Takes effect on {day(TOMORROW)}")).to_be_visible()
    changes = page.get_by_role("region", name="What changes").get_by_role("listitem")
    becomes(lambda: words(changes), ["Llanowar Elves Banned Too quick.", "Forest Watched"])
    assert complaints_on(page, SCREENS) + console.complaints(200) == []
    address = page.url.removeprefix(site.address)
    page.goto(reverse("announcements", args=["coalition"]))
    feed = page.request.get(page.get_by_role("link", name="Atom feed").get_attribute("href"))
    assert feed.headers["content-type"].startswith("application/atom+xml")
    assert "<title>Autumn changes</title>" in feed.text()
    assert address in feed.text()
    assert TODAY.isoformat() not in address
