"""Update the card catalogue from Scryfall's bulk file ``oracle_cards``."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from ...catalogue.files import BrokenCardFile, Peekable, read_records
from ...catalogue.importing import import_cards

BULK_DATA = "https://api.scryfall.com/bulk-data/oracle-cards"
# Scryfall refuses requests without these two.
HEADERS = {"User-Agent": "coalition-table/1", "Accept": "application/json;q=0.9,*/*;q=0.8"}
TIMEOUT = 60  # seconds


class Command(BaseCommand):
    help = "Import cards from a file or URL, by default Scryfall's file of today."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="?", help="a JSON array of cards, may be gzipped")

    def handle(self, *args: Any, source: str | None, **options: Any) -> None:
        try:
            with _opened(source or _todays_file()) as file:
                cards = tqdm(read_records(file), desc="cards", unit="", disable=None)
                counts = import_cards(cards)
        except BrokenCardFile as error:
            raise CommandError(str(error)) from error
        except (OSError, URLError) as error:
            raise CommandError(f"The cards can't be read: {error}") from error
        for problem in counts.problems:
            self.stderr.write(problem)
        self.stdout.write(
            f"{counts.imported} cards imported, {counts.left_out} left out, "
            f"{counts.unusable} could not be used"
        )


@contextmanager
def _opened(source: str) -> Iterator[Peekable]:
    if source.startswith(("http://", "https://")):
        with _fetch(source) as response:
            yield response
    else:
        with Path(source).open("rb") as file:
            yield file


def _todays_file() -> str:
    with _fetch(BULK_DATA) as response:
        address: str = json.load(response)["download_uri"]
    return address


def _fetch(address: str) -> HTTPResponse:
    try:
        response: HTTPResponse = urlopen(Request(address, headers=HEADERS), timeout=TIMEOUT)
    except HTTPError as error:
        error.close()  # an HTTPError keeps its connection open
        raise
    return response
