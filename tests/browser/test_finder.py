"""The finder on a phone: it follows what is typed, and keeps its address."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.decks.finder.pool import pool
from tests.serving import Site

from .checks import complaints
from .hand import becomes


@pytest.fixture(autouse=True)
def _pool(site: Site) -> None:
    pool()


def names(page: Page) -> list[str]:
    return page.locator("#found h3").all_inner_texts()


def test_the_list_follows_what_is_typed_and_comes_back_from_a_card(page: Page, site: Site):
    page.goto("/cards/")
    box = page.get_by_role("searchbox", name="Name, or an expression")
    box.press_sequentially("t:elf c:g")
    expect(page.get_by_role("heading", name="2 cards")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/cards/\?q=t%3Aelf\+c%3Ag$"))
    becomes(lambda: names(page), ["Lathril, Elf Queen", "Llanowar Elder"])

    card = page.get_by_role("link", name="Lathril, Elf Queen", exact=True)
    page.goto(str(card.get_attribute("href")))  # where a tap opens a sheet, too
    page.go_back()

    expect(box).to_have_value("t:elf c:g")
    expect(page.get_by_role("heading", name="2 cards")).to_be_visible()
    assert complaints(page, 393) == []


def test_an_answer_to_what_was_typed_before_never_comes_last(page: Page, site: Site):
    """The first search is answered only after the second: htmx must have given it up."""
    held: list[Route] = []
    page.route("**/cards/?q=goblin", lambda route: held.append(route))
    page.goto("/cards/")
    box = page.get_by_role("searchbox", name="Name, or an expression")
    with page.expect_event("requestfailed", lambda request: "q=goblin" in request.url):
        with page.expect_request("**/cards/?q=goblin"):
            box.fill("goblin")
        box.fill("kaalia")

    expect(page.get_by_role("heading", name="1 card", exact=True)).to_be_visible()
    assert (names(page), len(held)) == (["Kaalia"], 1)


def test_what_is_not_understood_leaves_the_list_as_it_is(page: Page, site: Site):
    page.goto("/cards/?q=t:goblin")
    box = page.get_by_role("searchbox", name="Name, or an expression")
    box.fill('t:goblin o:"haste')
    expect(page.get_by_role("alert")).to_contain_text("Line 1, column 12: Nothing closes")
    becomes(lambda: names(page), ["Goblin Scout"])

    box.fill('t:goblin o:"haste"')

    expect(page.locator("#misread")).to_be_empty()
    expect(page.get_by_role("heading", name="1 card", exact=True)).to_be_visible()


def test_form_and_expression_write_each_other(page: Page, site: Site):
    page.goto("/cards/?q=t:elf")
    page.get_by_text("Choose in a form").click()
    page.get_by_label("Green").first.check()
    box = page.get_by_role("searchbox", name="Name, or an expression")
    expect(box).to_have_value("t:elf c:g")
    expect(page).to_have_url(re.compile(r"q=t%3Aelf\+c%3Ag$"))

    box.fill("t:druid mv<=2")

    expect(page.get_by_label("Words in the type line")).to_have_value("druid")
    expect(page.get_by_label("Mana value, at most")).to_have_value("2")
    expect(page.get_by_label("Green").first).not_to_be_checked()
    assert complaints(page, 393) == []
