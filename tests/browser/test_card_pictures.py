"""Pictures of cards on a phone: from a real server, and without it a frame with the name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from decks.pictures import cache
from scoring.models import GameSet
from tests.decks.cards import given, record
from tests.decks.picture_source import Source, source_of_pictures
from tests.scoring.tables import address

from .checks import Console, complaints
from .looks import seat

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
def test_a_heros_art_comes_from_the_source_with_its_artist_beside_it(page, table, source, choice):
    console = Console(page)
    page.goto(address(table, "watch"))
    art, section = art_of(page)
    expect(art).to_have_count(1)
    page.wait_for_function(LOADED, arg=art.element_handle())
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
    page.wait_for_function(BROKEN, arg=art.element_handle())

    frame = section.locator(".card-art")
    assert round((frame.bounding_box() or {})["width"]) == WIDTH_OF_ART
    expect(frame).to_have_text(HERO)
    assert complaints(page, 393) == []


def test_nothing_moves_when_a_picture_comes(page: Page, table, source):
    source.delay = 0.5
    page.goto(address(table, "watch"))
    art, section = art_of(page)
    before = section.bounding_box()

    page.wait_for_function(LOADED, arg=art.element_handle())

    assert section.bounding_box() == before


def test_the_finder_loads_the_pictures_near_the_screen_and_each_when_it_comes_near(
    page: Page, site, choice, source
):
    names = [f"Elf {number:02}" for number in range(60)]
    given(*(record(name, image_uris=source.pictures(name[-2:])) for name in names))
    page.goto("/cards/")
    first, last = (page.get_by_role("img", name=names[at]) for at in (0, -1))
    page.wait_for_function(LOADED, arg=first.element_handle())
    assert len(set(source.paths)) < 40
    assert not last.evaluate(LOADED)

    last.scroll_into_view_if_needed()

    page.wait_for_function(LOADED, arg=last.element_handle())
