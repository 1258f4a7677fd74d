"""Reading the pages of decks as a player does."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.models import Deck
from tests.scoring.tables import text

from .written import deck

HTMX = {"HX-Request": "true"}
LEGAL = deck("4 Elvish Mystic")
MENDED = re.compile(r'<li><a href="#([\w-]+)">.*?<span>(.*?)</span></a></li>', re.DOTALL)
WRONG = re.compile(r'<li id="(line-\d+)" class="wrong">(.*?)</li>', re.DOTALL)
WHY = re.compile(r'<span class="why">.*?<span>(.*?)</span>', re.DOTALL)
TITLE = re.compile(r'aria-label="Verdict">.*?<h2>(.*?)</h2><p>(.*?)</p>', re.DOTALL)


def upload(content: str | bytes, name: str = "deck.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def post(
    client: Client | None = None,
    where: str = "",
    *,
    htmx: bool = False,
    save: int = 0,
    **said: Any,
) -> HttpResponse:
    """Send the form of a list; ``save`` is the number of a tap that keeps it; None leaves out."""
    form = {"text": LEGAL, "ruleset": "coalition-906"} | said
    if save:
        form = {"save": "1", "tap_id": UUID(int=save, version=4), "name": "Elves"} | form
    form = {name: value for name, value in form.items() if value is not None}
    headers = HTMX if htmx else {}
    return (client or Client()).post(where or reverse("check"), form, headers=headers)


def kept(client: Client, save: int = 1, **said: Any) -> Deck:
    """Keep a deck, as the browser of ``client``."""
    response = post(client, save=save, **said)
    assert response.status_code == 302, text(response)
    return Deck.objects.get(code=response["Location"].split("/")[2])


def verdict(response: HttpResponse) -> tuple[str, str]:
    """Return title and words of the verdict."""
    found = TITLE.search(text(response))
    assert found, "no verdict"
    return unescape(found[1]), unescape(found[2])


def mended(response: HttpResponse) -> list[tuple[str, str]]:
    """Return what is to mend: where it leads, what it says."""
    return [(place, unescape(words)) for place, words in MENDED.findall(text(response))]


def wrong_lines(response: HttpResponse) -> list[tuple[str, list[str]]]:
    """Return the lines of the list that are marked, each with what is said in it."""
    return [
        (place, [unescape(why) for why in WHY.findall(line)])
        for place, line in WRONG.findall(text(response))
    ]
