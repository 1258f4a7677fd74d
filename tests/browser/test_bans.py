"""A ban and the deck that it hits, and the admin."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from coalition_site.lib.dates import day
from decks.models import Card
from tests.decks.bans.announcing import announce
from tests.decks.lists import ELVES, TODAY, editor, elves, register

from .checks import DESK, Console
from .hand import becomes, see, words


@pytest.fixture
def browser_context_args(browser_context_args) -> dict[str, Any]:
    """Be a screen on a desk, where lists are edited."""
    return browser_context_args | DESK


@pytest.fixture
def deck_page(site) -> str:
    """The address of a deck that has been legal since yesterday."""
    elves()
    deck = register("Elves of Tuesday", ELVES)
    deck.revisions.update(created_at=timezone.now() - timedelta(days=1))
    return reverse("deck", args=[deck.code])


def sign_in(page: Page, name: str, *args: object) -> None:
    """Open a page of the admin as an editor, who is asked for the password first."""
    editor("ed", "a long password")
    page.goto(reverse(name, args=args))
    page.get_by_label("Username:").fill("ed")
    page.get_by_label("Password:").fill("a long password")
    page.get_by_role("button", name="Log in").click()


def choose(page: Page, field: str, typed: str, name: str) -> None:
    """Choose a suggestion offered while typing."""
    page.locator(f".field-{field} .select2-selection").click()
    page.keyboard.type(typed)
    page.get_by_role("option", name=name, exact=True).click()


def test_a_deck_with_a_card_that_was_banned_says_why_it_is_illegal(page, deck_page):
    console = Console(page)
    page.goto(deck_page)
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("Legal")

    announce(editor(), TODAY, {"Llanowar Elves": ("banned", "Too quick.")})

    since = day(TODAY)
    page.goto(deck_page)
    becomes(
        lambda: words(page.locator("main .notice.problem")),
        [
            f"Illegal since {since}, legal before: "
            f"Llanowar Elves has been banned since {since}: Too quick."
        ],
    )
    page.get_by_role("link", name="Bans", exact=True).click()
    see(page, "Ban list: Coalition")
    entries = page.get_by_role("region", name="Cards").get_by_role("listitem")
    becomes(lambda: words(entries), [f"Llanowar Elves Banned Too quick. Since {since}"])
    assert console.complaints(200) == []


def test_an_editor_settles_a_card_and_no_page_of_the_admin_complains(page, deck_page):
    console = Console(page)
    elf = Card.objects.get(name="Llanowar Elves")
    sign_in(page, "admin:decks_card_change", elf.pk)

    choose(page, "affiliated", "gob", "Goblin")
    page.get_by_label("Reason:").fill("It says so elsewhere.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text("was changed successfully")
    assert sorted(elf.types.values_list("name", flat=True)) == ["Elf", "Goblin"]

    for name in ("index", "decks_banentry_changelist", "decks_creaturetype_add"):
        page.goto(reverse(f"admin:{name}"))
    assert console.complaints(200) == []
