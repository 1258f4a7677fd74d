"""Pictures of cards: from nowhere, from the source itself, from a folder, or from a cache."""

import os
import threading
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from lxml import html

from coalition_site.lib import limits
from decks import versions
from decks.addresses import card_address
from decks.catalogue import heroes
from decks.catalogue.known import KnownCard
from decks.catalogue.memory import CATALOGUE
from decks.models import Card, CardImport
from decks.pictures import cache, folder
from decks.pictures.addresses import Picture
from decks.pictures.cache import Wanted
from tests.coalition_site.test_security_headers import POLICY

from ..cards import given, record
from ..picture_source import Source, drawn, source_of_pictures

pytestmark = pytest.mark.django_db

FOREVER = "public, max-age=31536000, immutable"
NOTHING = (404, "public, max-age=3600", "There is no such picture here.\n")
LATER = (503, "no-store", "This picture can’t be fetched now. Try again in a minute.\n")


@pytest.fixture
def source() -> Iterator[Source]:
    with source_of_pictures() as serving:
        yield serving


@pytest.fixture(autouse=True)
def of_the_owner(settings: Any, source: Source, tmp_path: Path, monkeypatch: Any) -> None:
    """Choose a folder and the source of the tests; which is used the tests choose."""
    settings.CARD_PICTURES_SOURCE = source.address
    settings.CARD_PICTURES_FOLDER = tmp_path / "pictures"
    monkeypatch.setattr(cache, "_away_until", 0.0)
    monkeypatch.setattr(cache, "_since_sweep", 0)


def elf(source: Source, name: str = "elf") -> KnownCard:
    given(record("Elf", image_uris=source.pictures(name), artist="Ann Ox"))
    return CATALOGUE.now().find(["Elf"])["Elf"]


def answer(address: str, client: Client | None = None) -> tuple[int, str, str]:
    response = (client or Client()).get(address)
    return response.status_code, response["Cache-Control"], response.content.decode()


def test_pictures_are_shown_and_loaded_from_the_source_only_if_so_chosen(settings, source):
    assert elf(source).pictures == ()
    oracle_id = Card.objects.get(name="Elf").oracle_id
    assert answer(reverse("card_picture", args=["small", oracle_id, 0, "x"])) == NOTHING
    assert source.requests == []
    policies = {}
    for choice in ("none", "scryfall", "folder", "cache"):
        settings.CARD_PICTURES = choice
        policies[choice] = Client().get(reverse("finder"))["Content-Security-Policy"]

    there = POLICY.replace("img-src 'self'", f"img-src 'self' {source.address}")
    assert policies == {"none": POLICY, "scryfall": there, "folder": POLICY, "cache": POLICY}


def test_pictures_of_the_source_are_shown_by_face_and_art_only_with_its_artist(settings, source):
    """Halves of a card have its picture; what stands elsewhere is not shown."""
    elsewhere = {"normal": "https://evil.example/elf.jpg", "small": f"{source.address}0/elf.jpg"}
    given(
        record("Elf", image_uris=source.pictures("elf"), artist="Ann Ox"),
        record("Nameless", image_uris=source.pictures("elf")),
        record("Elsewhere", image_uris=elsewhere),
        record(
            "Day // Night",
            card_faces=[
                {"name": name, "image_uris": source.pictures(name), "artist": f"{name} artist"}
                for name in ("Day", "Night")
            ],
        ),
        record(
            "Fire // Ice",
            image_uris=source.pictures("fire"),
            card_faces=[{"name": "Fire"}, {"name": "Ice"}],
        ),
    )
    shown = {name: source.pictures(name) for name in ("elf", "Day", "Night", "fire")}

    def picture(name: str, key: str, artist: str = "") -> Picture:
        small, normal, art = (shown[key][size] for size in ("small", "normal", "art_crop"))
        return Picture(name, small, normal, art if artist else "", artist)

    settings.CARD_PICTURES = "scryfall"
    cards = CATALOGUE.now().find(["Elf", "Nameless", "Elsewhere", "Day", "Fire"])

    assert {name: list(card.pictures) for name, card in cards.items()} == {
        "Elf": [picture("Elf", "elf", "Ann Ox")],
        "Nameless": [picture("Nameless", "elf")],
        "Elsewhere": [],
        "Day": [picture(name, name, f"{name} artist") for name in ("Day", "Night")],
        "Fire": [picture("Fire // Ice", "fire")],
    }
    settings.CARD_PICTURES, CATALOGUE._latest = "cache", None
    assert CATALOGUE.now().find(["Elsewhere"])["Elsewhere"].pictures == ()


def test_the_pictures_of_many_cards_cost_one_query(settings, source):
    settings.CARD_PICTURES = "none"
    names = [f"Elf {letter}" for letter in "abcdefgh"]
    given(*(record(name, image_uris=source.pictures("elf")) for name in names))

    def queries() -> int:
        CATALOGUE._latest = None
        with CaptureQueriesContext(connection) as counted:
            CATALOGUE.now().find(names)
        return len(counted)

    without = queries()
    settings.CARD_PICTURES = "scryfall"
    assert queries() == without + 1


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@pytest.mark.parametrize(
    "content",
    [drawn("/small/x"), b"", b"<svg onload='x'/>", b"\x89PNG\r\n\x1a\n" + b"x" * 10**7],
    ids=["picture", "empty", "svg", "too large"],
)
def test_a_folder_of_the_owner_has_the_pictures_in_it(settings, source, content):
    settings.CARD_PICTURES = "folder"
    (card,) = given(record("Elf", artist="Ann Ox"))
    for place in ("normal", "art_crop"):
        put(settings.CARD_PICTURES_FOLDER / place / f"{card.oracle_id}.png", content)

    (picture,) = CATALOGUE.now().find(["Elf"])["Elf"].pictures

    assert (picture.small, picture.artist) == (picture.normal, "Ann Ox")
    for address in (picture.normal, picture.art):
        if content != drawn("/small/x"):
            assert answer(address) == NOTHING
            continue
        response = Client().get(address)
        assert (response.status_code, response["Content-Type"]) == (200, "image/png")
        assert response["Cache-Control"] == FOREVER
    assert source.requests == []


@pytest.mark.parametrize("choice", ["folder", "cache"])
def test_what_nobody_has_is_not_there(settings, source, choice):
    settings.CARD_PICTURES = choice
    elf(source)
    oracle_id = Card.objects.get(name="Elf").oracle_id

    for size, position, version in (
        ("small", 0, "0123456789ab"),
        ("large", 0, "x"),
        ("small", 9, "x"),
        ("normal", 10**300, "x"),
    ):
        where = reverse("card_picture", args=[size, oracle_id, position, version])
        assert answer(where) == NOTHING
    assert source.requests == []


def test_the_cache_fetches_a_picture_once_and_another_has_another_address(settings, source):
    settings.CARD_PICTURES = "cache"
    (picture,) = elf(source).pictures
    first = drawn("/normal/front/elf.jpg?17")

    for _ in range(2):
        response = Client().get(picture.normal)
        assert (response.status_code, response["Content-Type"]) == (200, "image/png")
        assert (response["Cache-Control"], response.content) == (FOREVER, first)
    assert source.paths == ["/normal/front/elf.jpg?17"]
    with CaptureQueriesContext(connection) as queries:
        Client().get(picture.normal)
    assert list(queries) == []
    sent = source.requests[0][1]
    assert (sent["User-Agent"], sent["Accept"]) == ("coalition-table", "image/webp,image/*")

    after = elf(source, "elf-again").pictures[0].normal
    assert Client().get(after).content == drawn("/normal/front/elf-again.jpg?17")
    assert Client().get(picture.normal).content == first  # still stored


def age(path: Path, hours: float) -> None:
    then = time.time() - hours * 3600
    os.utime(path, (then, then))


BROKEN = [
    (NOTHING, {"status": 404}),
    (NOTHING, {"status": 302, "headers": {"Location": "http://localhost:1/"}}),
    (NOTHING, {"draw": lambda _: b"<html>"}),
    (NOTHING, {"draw": lambda _: b""}),
    (LATER, {"status": 500}),
    (LATER, {"status": 429, "headers": {"Retry-After": "90"}}),
    (LATER, {"draw": lambda _: b"\xff\xd8\xff" + b"x" * folder.BYTES_MAX}),  # too large
]


@pytest.mark.parametrize(("told", "how"), BROKEN)
def test_what_the_source_does_not_answer_is_asked_for_once_a_day_and_soon_if_it_is_broken(
    settings, source, told, how, monkeypatch
):
    settings.CARD_PICTURES = "cache"
    (picture,) = elf(source).pictures
    for name, value in how.items():
        setattr(source, name, value)

    assert [answer(picture.normal) for _ in range(3)] == [told] * 3
    assert len(source.requests) == 1
    if told == LATER:
        assert int(Client().get(picture.small)["Retry-After"]) > (60 if "headers" in how else 30)
        monkeypatch.setattr(cache, "_away_until", 0.0)
    else:
        age(next(settings.CARD_PICTURES_FOLDER.glob("normal/*/*")), hours=25)

    source.status, source.draw = 200, drawn
    assert Client().get(picture.normal).status_code == 200


def test_a_cache_that_can_not_be_written_asks_the_source_for_nothing(settings, source, tmp_path):
    settings.CARD_PICTURES = "cache"
    (picture,) = elf(source).pictures
    (tmp_path / "pictures").write_text("in the way")

    assert answer(picture.normal) == LATER
    assert source.requests == []


def test_the_source_is_asked_for_one_picture_at_a_time(settings, source, monkeypatch):
    source.delay = 0.02
    monkeypatch.setattr(cache.Wanted, "address", lambda one: source.pictures("elf")[one.size])
    wanted = [Wanted(size, UUID(int=0), 0, "x") for size in folder.SIZES] * 2

    threads = [threading.Thread(target=cache.fetched, args=[one]) for one in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(source.requests), source.most) == (3, 1)
    gaps = [after - before for before, after in zip(source.times, source.times[1:], strict=False)]
    assert min(gaps) > cache.GAP * 0.5  # when they arrive: each a little late, on a busy machine


def test_the_cache_forgets_what_was_not_used_for_longest(settings, source, monkeypatch):
    settings.CARD_PICTURES = "cache"
    monkeypatch.setattr(cache, "SWEEP", 4)
    (picture,) = elf(source).pictures
    Client().get(picture.normal)
    size = len(drawn("/normal/front/elf.jpg?17"))
    settings.CARD_PICTURES_BYTES = size + 2_000
    age(next(settings.CARD_PICTURES_FOLDER.glob("normal/*/*")), hours=48)
    old = settings.CARD_PICTURES_FOLDER / "small" / "00" / "old"
    put(old, b"x" * 2_000)
    age(old, hours=30)
    Client().get(picture.normal)  # it was used again

    cache._since_sweep = 3
    Client().get(picture.small)

    left = {path.parent.parent.name for path in settings.CARD_PICTURES_FOLDER.glob("*/*/*")}
    assert (old.exists(), left) == (False, {"normal", "small"})


@pytest.mark.usefixtures("clock")
def test_so_many_pictures_are_fetched_for_an_address_and_no_more(settings, source, monkeypatch):
    settings.CARD_PICTURES = "cache"
    settings.LIMITS = {"card_picture": (1, 600)}
    monkeypatch.setitem(limits.IN_MEMORY, "card_picture", limits.InMemory())
    (picture,) = elf(source).pictures

    assert [Client().get(picture.small).status_code for _ in range(2)] == [200, 200]
    refused = Client().get(picture.normal)

    assert (refused.status_code, len(source.requests)) == (429, 1)
    assert "1 pictures of cards were fetched from here" in refused.content.decode()


@pytest.mark.parametrize(("choice", "count"), [("none", 0), ("scryfall", 1)])
def test_heroes_that_are_known_here_cost_a_query_where_they_have_art(
    settings, source, django_assert_num_queries, choice, count
):
    settings.CARD_PICTURES = choice
    elf(source)
    heroes.art(["Elf", ""])

    with django_assert_num_queries(count):
        shown = heroes.art(["Elf", ""])
    with django_assert_num_queries(0):
        assert heroes.art([]) == heroes.art([""]) == {}

    assert list(shown) == ["Elf"][:count]


def test_the_page_of_a_card_shows_each_face_once_and_the_day(settings, source):
    settings.CARD_PICTURES = "scryfall"
    faces = [{"name": name, "image_uris": source.pictures(name)} for name in ("Day", "Night")]
    given(record("Day // Night", card_faces=faces))
    CardImport.objects.update(as_of=date(2026, 11, 21))
    versions.draw(versions.CARDS)

    page = html.fromstring(Client().get(card_address("Day // Night")).content)

    assert [(one.get("src"), one.get("alt")) for one in page.xpath("//img")] == [
        (source.pictures(name)["normal"], name) for name in ("Day", "Night")
    ]
    assert {one.get("loading") for one in page.xpath("//img")} == {"lazy"}
    assert page.xpath("string(//time)") == "21 Nov 2026"
