"""Cards on a phone: found as one types, opened by their names, and with their pictures."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from decks.pictures import cache
from scoring.models import GameSet
from tests.decks.cards import given, record
from tests.decks.finder.pool import pool
from tests.decks.lists import ELVES, elves, register
from tests.decks.picture_source import Source, source_of_pictures
from tests.scoring.tables import address
from tests.serving import Site

from .checks import DESK, DESKTOP, PHONES, Console, complaints, complaints_on
from .hand import becomes, give_deck
from .looks import seat


@pytest.fixture
def finder(page: Page, site: Site) -> Page:
    pool()
    return page


def names(page: Page) -> list[str]:
    return page.locator("#found h3").all_inner_texts()


def test_the_list_follows_what_is_typed_and_comes_back_from_a_card(finder):
    finder.goto("/cards/")
    box = finder.get_by_role("searchbox", name="Name, or an expression")
    box.press_sequentially("t:elf c:g")
    expect(finder.get_by_role("heading", name="2 cards", exact=True)).to_be_visible()
    expect(finder).to_have_url(re.compile(r"/cards/\?q=t%3Aelf\+c%3Ag$"))
    becomes(lambda: names(finder), ["Lathril, Elf Queen", "Llanowar Elder"])

    card = finder.get_by_role("link", name="Lathril, Elf Queen", exact=True)
    finder.goto(str(card.get_attribute("href")))  # where a tap opens a sheet, too
    finder.go_back()

    expect(box).to_have_value("t:elf c:g")
    expect(finder.get_by_role("heading", name="2 cards", exact=True)).to_be_visible()
    assert complaints(finder, 393) == []


def test_an_answer_to_what_was_typed_before_never_comes_last(finder):
    """The first search is answered only after the second: htmx must have given it up."""
    held: list[Route] = []
    finder.route("**/cards/?q=goblin*", lambda route: held.append(route))
    finder.goto("/cards/")
    box = finder.get_by_role("searchbox", name="Name, or an expression")
    with finder.expect_event("requestfailed", lambda request: "q=goblin" in request.url):
        with finder.expect_request("**/cards/?q=goblin*"):
            box.fill("goblin")
        box.fill("kaalia")

    expect(finder.get_by_role("heading", name="1 card", exact=True)).to_be_visible()
    assert (names(finder), len(held)) == (["Kaalia"], 1)


def test_what_is_not_understood_leaves_the_list_as_it_is(finder):
    finder.goto("/cards/?q=t:goblin")
    box = finder.get_by_role("searchbox", name="Name, or an expression")
    box.fill('t:goblin o:"haste')
    expect(finder.get_by_role("alert")).to_contain_text("Line 1, column 12: Nothing closes")
    becomes(lambda: names(finder), ["Goblin Scout"])

    box.fill('t:goblin o:"haste"')

    expect(finder.locator("#misread")).to_be_empty()
    expect(finder.get_by_role("heading", name="1 card", exact=True)).to_be_visible()


def test_form_and_expression_write_each_other(finder):
    finder.goto("/cards/?q=t:elf")
    finder.get_by_text("Choose in a form").click()
    finder.get_by_label("Green").first.check()
    box = finder.get_by_role("searchbox", name="Name, or an expression")
    expect(box).to_have_value("t:elf c:g")
    expect(finder).to_have_url(re.compile(r"q=t%3Aelf\+c%3Ag$"))

    box.fill("t:druid mv<=2")

    expect(finder.get_by_label("Words in the type line")).to_have_value("druid")
    expect(finder.get_by_label("Mana value, at most")).to_have_value("2")
    expect(finder.get_by_label("Green").first).not_to_be_checked()
    assert complaints(finder, 393) == []


# --- names of cards ---
SCOUT = "Goblin Scout"


def test_a_tap_opens_the_card_in_a_sheet_and_closing_it_leads_back(finder):
    console = Console(finder)
    finder.goto("/cards/?q=goblin")
    finder.get_by_role("link", name=SCOUT, exact=True).tap()

    sheet = finder.get_by_role("dialog", name=SCOUT)
    expect(sheet.get_by_role("heading", name=SCOUT, level=1)).to_be_focused()
    expect(sheet.get_by_text("This creature can attack at once.")).to_be_visible()
    expect(finder).to_have_url(re.compile(r"/cards/\?q=goblin$"))
    assert complaints(finder, 393) == []

    sheet.get_by_role("button", name="Close").tap()

    expect(sheet).to_be_hidden()
    expect(finder.get_by_role("link", name=SCOUT, exact=True)).to_be_focused()
    assert console.complaints(200) == []


def test_a_sheet_that_cannot_be_fetched_leads_to_the_page(finder):
    finder.goto("/cards/?q=goblin")
    finder.route("**/cards/goblin_scout/", lambda route: route.abort(), times=1)
    finder.get_by_role("link", name=SCOUT, exact=True).tap()

    expect(finder).to_have_url(re.compile("/cards/goblin_scout/$"))


@pytest.mark.browser_context_args(**DESK)
def test_a_mouse_previews_the_card_and_a_click_opens_its_page(finder):
    finder.goto("/cards/?q=goblin")
    name = finder.get_by_role("link", name=SCOUT, exact=True)
    preview = finder.locator("#card-preview")

    name.hover()
    expect(preview).to_be_visible()
    expect(preview).to_contain_text("This creature can attack at once.")
    preview.hover()
    expect(preview).to_be_visible()
    finder.keyboard.press("Escape")
    expect(preview).to_be_hidden()

    name.click()
    expect(finder).to_have_url(re.compile("/cards/goblin_scout/$"))


# --- pictures ---
HERO = "Tuva, Elder of the Ninth Grove"
WIDTH_OF_ART = 66
LOADED = "image => image.complete && image.naturalWidth > 0"
BROKEN = "image => image.complete && image.naturalWidth === 0"


@pytest.fixture
def source() -> Iterator[Source]:
    with source_of_pictures() as serving:
        yield serving


@pytest.fixture
def choice(request: Any, settings: Any, source: Source, tmp_path: Path, monkeypatch: Any) -> str:
    """Choose where pictures come from; the source is a server of the test in both cases."""
    settings.CARD_PICTURES = getattr(request, "param", "cache")
    settings.CARD_PICTURES_SOURCE = source.address
    settings.CARD_PICTURES_FOLDER = tmp_path / "pictures"
    monkeypatch.setattr(cache, "_away_until", 0.0)
    return str(settings.CARD_PICTURES)


@pytest.fixture
def table(site: Any, choice: str, source: Source) -> GameSet:
    """A table with two heroes: one of a known card with a picture, and one that nobody knows."""
    pictures = {"image_uris": source.pictures("tuva"), "artist": "Ann Ox"}
    given(record(HERO, "Legendary Creature — Elf", **pictures))
    table = seat(4)
    table.seats.filter(number=2).update(hero=HERO, coalition_type="Elf")
    table.seats.filter(number=3).update(hero="Nobody", coalition_type="Bear")
    return table


def art_of(page: Page) -> tuple[Locator, Locator]:
    """Return the hero's art, and the section that it stands in, once that is in sight."""
    section = page.get_by_role("region", name="Heroes and decks")
    section.scroll_into_view_if_needed()
    return section.get_by_role("img", name=HERO), section


@pytest.mark.parametrize("choice", ["scryfall", "cache"], indirect=True)
def test_a_heros_art_comes_from_the_source_with_its_artist_beside_it_and_moves_nothing(
    page, table, source, choice
):
    console = Console(page)
    source.delay = 0.5
    page.goto(address(table, "watch"))
    art, section = art_of(page)
    before = section.bounding_box()
    expect(art).to_have_count(1)
    becomes(lambda: art.evaluate(LOADED), True)
    assert section.bounding_box() == before
    expect(section).to_contain_text(f"Art: {HERO} by Ann Ox. ™ and © Wizards of the Coast")
    assert set(source.paths) == {"/art_crop/front/tuva.jpg?17"}
    assert "Referer" not in source.requests[0][1]
    is_at_source = art.get_attribute("src") == source.pictures("tuva")["art_crop"]
    assert is_at_source is (choice == "scryfall")
    assert (console.complaints(200), complaints(page, 393)) == ([], [])


def test_art_that_does_not_come_leaves_a_frame_with_the_name(page, table, source):
    source.status = 404
    page.goto(address(table, "watch"))
    art, section = art_of(page)
    becomes(lambda: art.evaluate(BROKEN), True)

    frame = section.locator(".card-art")
    assert round((frame.bounding_box() or {})["width"]) == WIDTH_OF_ART
    expect(frame).to_have_text(HERO)
    assert complaints(page, 393) == []


def test_the_finder_loads_the_pictures_near_the_screen_and_each_when_it_comes_near(
    page: Page, site, choice, source
):
    names = [f"Elf {number:02}" for number in range(60)]
    given(*(record(name, image_uris=source.pictures(name[-2:])) for name in names))
    page.goto("/cards/")
    first, last = (page.get_by_role("img", name=names[at]) for at in (0, -1))
    becomes(lambda: first.evaluate(LOADED), True)
    assert len(set(source.paths)) < 40
    assert not last.evaluate(LOADED)

    last.scroll_into_view_if_needed()

    becomes(lambda: last.evaluate(LOADED), True)


def test_a_deck_is_looked_at_by_picture_and_changed_there(page: Page, site, choice, source):
    elves()
    given(record("Llanowar Elves", image_uris=source.pictures("elves")))
    found = register("Elves", ELVES)
    give_deck(page, site, found)
    page.goto(f"/decks/{found.code}/")

    page.get_by_role("link", name="As pictures").tap()
    elf = page.get_by_role("listitem").filter(has_text="Llanowar Elves")
    becomes(lambda: elf.locator("img").evaluate(LOADED), True)
    page.get_by_role("button", name="One Llanowar Elves less").tap()

    expect(elf.locator("b.num")).to_have_text("3×")
    expect(page.get_by_role("heading", name="Main deck 59 of 60")).to_be_visible()
    assert complaints_on(page, [*PHONES, DESKTOP]) == []
    page.goto(f"/decks/{found.code}/")
    expect(elf.locator("img")).to_be_visible()
