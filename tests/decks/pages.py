"""Reading the pages of decks as a player does."""

from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.models import Deck
from tests.scoring.browsing import parse, words_of
from tests.scoring.tables import text

from .written import deck

HTMX = {"HX-Request": "true"}
LEGAL = deck("4 Elvish Mystic")


def upload(content: str | bytes, name: str = "deck.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def post(
    client: Client | None = None,
    where: str = "",
    *,
    htmx: bool = False,
    save: int = 0,
    **fields: Any,
) -> HttpResponse:
    """Send the form of a list; ``save`` is the number of a tap that stores the deck."""
    form = {"text": LEGAL, "ruleset": "coalition-906"} | fields
    if save:
        form = {"save": "1", "tap_id": UUID(int=save, version=4), "name": "Elves"} | form
    if "file" in form:
        form["file"] = upload(form["file"])
    headers = HTMX if htmx else {}
    return (client or Client()).post(where or reverse("check"), form, headers=headers)


def saved_deck(client: Client, save: int = 1, **fields: Any) -> Deck:
    """Store a deck, as the browser of ``client``."""
    response = post(client, save=save, **fields)
    assert response.status_code == 302, text(response)
    return Deck.objects.get(code=response["Location"].split("/")[2])


def holder(deck: Deck, key: str = "") -> Client:
    """Return a browser with a deck's key; a deck of ``register`` has its name for one."""
    client = Client()
    client.cookies[f"deck-{deck.code}"] = key or deck.name
    return client


def verdict(response: HttpResponse) -> tuple[str, str]:
    """Return title and words of the verdict."""
    (section,) = parse(text(response)).xpath('//section[@aria-label="Verdict"]')
    title = section.find(".//h2")
    return words_of(title), words_of(title.getnext())


def listed_problems(response: HttpResponse) -> list[tuple[str, str]]:
    """Return what has to be mended: each link's target and text."""
    links = parse(text(response)).xpath('//li/a[starts-with(@href, "#")][span]')
    return [(link.get("href")[1:], words_of(link.find("span"))) for link in links]


def wrong_lines(response: HttpResponse) -> list[tuple[str, list[str]]]:
    """Return the lines of the list that are marked, each with the problems shown in it."""
    return [
        (line.get("id"), [words_of(why) for why in line.xpath('.//span[@class="why"]/span')])
        for line in parse(text(response)).xpath('//li[@class="wrong"][starts-with(@id, "line-")]')
    ]
