import json
import os
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from coalition_site.lib import console
from coalition_site.lib.dates import day

from ...catalogue.files import BrokenCardFile, Peekable, read_records
from ...catalogue.importing import Change, Counts, import_cards
from ...models import today

BULK_DATA = "https://api.scryfall.com/bulk-data/oracle-cards"
# Scryfall refuses requests without these two.
HEADERS = {"User-Agent": "coalition-table/1", "Accept": "application/json;q=0.9,*/*;q=0.8"}
TIMEOUT = 60  # seconds
DATED = re.compile(r"20\d{6}")  # a day in the name of a file, as Scryfall's have it
NAMES_MAX = 10  # of changed cards, of each kind
WORDS = {
    Change.NEW: ("new card", "new cards"),
    Change.TEXT: ("changed text", "changed texts"),
    Change.AFFILIATIONS: ("card with other affiliations", "cards with other affiliations"),
    Change.LEGALITY: ("card with another legality", "cards with another legality"),
}


class Command(BaseCommand):
    help = "Import cards from a file or URL, by default Scryfall's file of today."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="?", help="a JSON array of cards, may be gzipped; or -")
        parser.add_argument(
            "--as-of",
            type=console.day,
            metavar="DATE",
            help="the day that the file describes, if neither its name nor its date tell it",
        )

    def handle(
        self, *args: Any, source: str | None, as_of: date | None = None, **options: Any
    ) -> None:
        if as_of and as_of > today():
            raise CommandError(f"--as-of: {as_of} is to come.")
        try:
            if source is None:
                with _fetch(BULK_DATA) as response:
                    source = str(json.load(response)["download_uri"])
            is_away = source.startswith(("http://", "https://"))
            gzipped = {"Accept-Encoding": "gzip"}
            with _fetch(source, **gzipped) if is_away else console.open_file(source) as file:
                as_of = as_of or _day_of(source, file)
                cards = tqdm(read_records(file), desc="cards", unit="", disable=None)
                counts = import_cards(cards, as_of=as_of)
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
        self.stdout.write(f"Cards as of {day(as_of)}")
        self.stdout.write("\n".join(_changes(counts)))


def _changes(counts: Counts) -> Iterator[str]:
    for kind, (singular, plural) in WORDS.items():
        if names := counts.changes[kind]:
            what = singular if len(names) == 1 else plural
            yield f"{len(names)} {what}: {_first(names)}"
    for name, names in counts.new_types.items():
        yield f"New creature type {name}: {_first(names)}"
    if not any(counts.changes.values()):
        yield "No card is new or has changed."
    if counts.decks:
        yield f"{counts.decks} deck{'s' * (counts.decks > 1)} with a changed card"
    if broken := len(counts.broken):
        yield f"{broken} deck{'s' * (broken > 1)} became illegal"
    for row in counts.in_decks[:NAMES_MAX]:
        before, after = (", ".join(row[when]) or "no type" for when in ("before", "after"))
        yield f"  {row['card']}, in {row['decks']} of them: {before} → {after}"
    if len(counts.in_decks) > NAMES_MAX:
        yield f"  and {len(counts.in_decks) - NAMES_MAX} more cards with other affiliations"


def _first(names: list[str]) -> str:
    more = [f"and {len(names) - NAMES_MAX} more"] if len(names) > NAMES_MAX else []
    return "; ".join([*names[:NAMES_MAX], *more])


def _day_of(source: str, file: Peekable) -> date:
    for digits in DATED.findall(source.rpartition("/")[2]):
        with suppress(ValueError):
            return date.fromisoformat(digits)
    if isinstance(file, HTTPResponse):
        with suppress(TypeError, ValueError):
            return parsedate_to_datetime(file.headers["Last-Modified"]).astimezone(UTC).date()
        return today()
    return datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC).date()


def _fetch(address: str, **headers: str) -> HTTPResponse:
    request = Request(address, headers=HEADERS | headers)
    try:
        response: HTTPResponse = urlopen(request, timeout=TIMEOUT)
    except HTTPError as error:
        error.close()  # an HTTPError keeps its connection open
        raise
    return response
