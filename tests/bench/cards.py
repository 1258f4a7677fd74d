"""Measure the card catalogue: importing, judging a deck and finding, each beside its floor.

    python -m tests.bench.cards

Works on the database of DATABASE_URL, migrated and without cards; prints its rows as JSON.
The real cards are used where the shared folder has them, invented ones elsewhere.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from decks import queries  # noqa: E402
from decks.catalogue.files import read_records  # noqa: E402
from decks.catalogue.importing import BATCH, import_cards  # noqa: E402
from decks.checking import legality  # noqa: E402
from decks.finder.search import PAGE  # noqa: E402
from decks.models import Affiliation, Card, CardFace  # noqa: E402
from decks.rules.names import name_key  # noqa: E402
from decks.rules.rulesets import COALITION_906  # noqa: E402
from tests.bench.rows import Row  # noqa: E402
from tests.shared import SHARED  # noqa: E402

POOL = SHARED / "data" / "oracle-cards.json.gz"
CARDS = 33_000
FILE_SIZE = 200_000_000  # bytes, as the file of all cards is said to have
TIMES = 60
EXPRESSIONS = (
    "",
    "bolt",
    't:elf c:g mv<=3 o:"draw a card"',
    "aff:goblin -t:goblin (pow>=3 or kw:haste) legal:coalition order:mv",
)


def records() -> list[dict[str, Any]]:
    """Return the real cards, or as many invented ones."""
    if POOL.exists():
        return json.loads(gzip.decompress(POOL.read_bytes()))
    types = ("Legendary Creature — Elf Druid", "Creature — Goblin", "Instant", "Land")
    return [
        {
            "oracle_id": str(UUID(int=number)),
            "name": f"Card {number}",
            "layout": "normal",
            "type_line": types[number % 4],
            "oracle_text": "When this creature enters, create a 1/1 red Goblin creature token.",
            "mana_cost": "{1}{G}",
            "cmc": float(number % 9),
            "legalities": {"vintage": "legal", "legacy": "legal"},
            "reserved": False,
        }
        for number in range(CARDS)
    ]


def write(folder: Path, size: int = 0) -> str:
    """Write a card file, filled up to a size in bytes with a field that nobody reads."""
    cards = records()
    filling = "x" * (size // len(cards) - len(json.dumps(cards)) // len(cards))
    path = folder / "cards.json"
    with path.open("w") as file:
        file.write("[")
        for number, card in enumerate(cards):
            file.write("," if number else "")
            json.dump(card | {"filling": filling}, file)
        file.write("]")
    return str(path)


def import_file(path: str) -> None:
    """Import a card file in this process; print its seconds and its peak of memory in MB."""
    begin = time.perf_counter()
    with open(path, "rb") as file:
        import_cards(read_records(file))
    seconds = time.perf_counter() - begin
    print(json.dumps([seconds, peak_memory()]))


def peak_memory() -> float:
    """Return the most memory that this process had, in MB; ``getrusage`` counts its parent's."""
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(peak[1]) / 1024 if peak else math.nan


def imported(path: str) -> tuple[float, float]:
    """Import a card file in a process of its own; return its seconds and peak of memory."""
    script = [sys.executable, "-m", "tests.bench.cards", path]
    seconds, peak = json.loads(subprocess.run(script, check=True, stdout=subprocess.PIPE).stdout)
    return seconds, peak


def insert_bare() -> float:
    """Insert the rows that are there once more, into emptied tables; return the seconds."""
    rows = [(model, list(model.objects.values_list())) for model in (Card, CardFace, Affiliation)]
    for model, _ in reversed(rows):
        model.objects.all().delete()
    begin = time.perf_counter()
    with transaction.atomic():
        for model, values in rows:
            for start in range(0, len(values), BATCH):
                some = values[start : start + BATCH]
                model.objects.bulk_create(model(*row) for row in some)
    return time.perf_counter() - begin


def settle() -> None:
    """Tell the planner what is there now, as a database left alone does within a minute."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def deck_list() -> str:
    """Return a list of 70 cards, all of them known."""
    hero = Card.objects.filter(can_lead=True, types__name="Goblin").first()
    hero = hero or Card.objects.filter(can_lead=True).first()
    others = Card.objects.filter(is_legendary=False).values_list("name", flat=True)[:69]
    main, side = others[:60], others[60:]
    return "\n".join([*main, "", "Sideboard", hero.name, *side])


def times(act: Callable[[], object]) -> Iterable[float]:
    begin = time.perf_counter()
    act()
    yield time.perf_counter() - begin


def beside(what: str, act: Callable[[], object], floor: Callable[[], object], goal: str) -> Row:
    """Measure in turns, so that the machine's moods hit both."""
    assert getattr(act(), "status_code", 200) == getattr(floor(), "status_code", 200) == 200
    measured, least = [], []
    for _ in range(TIMES):
        measured += times(act)
        least += times(floor)
    with CaptureQueriesContext(connection) as asked:
        act()
    name = f"{what}, {len(asked)} queries"
    return name, median(measured) * 1000, median(least) * 1000, goal


def judge(text: str) -> None:
    read = legality.read(text, COALITION_906)
    bans = legality.read_bans(COALITION_906, timezone.localdate())
    legality.judge(read, COALITION_906, bans)


def read_bare(names: list[str]) -> None:
    """Read the rows of cards by their names with a cursor, and nothing else."""
    keys = [name_key(name) for name in names]
    marks = ", ".join(["%s"] * len(keys))
    sql = f"SELECT * FROM {Card._meta.db_table} WHERE key IN ({marks}) OR front_key IN ({marks})"
    with connection.cursor() as cursor:
        cursor.execute(sql, keys + keys)
        assert len(cursor.fetchall()) == len(names)


def finding(client: Client, names: list[str]) -> list[Row]:
    """Measure the finder's page for some expressions."""

    def find(expression: str) -> Callable[[], Any]:
        return lambda: client.get("/cards/", {"q": expression})

    return [
        beside(
            f"finding {expression or 'anything'} / bare rows of as many cards",
            find(expression),
            lambda: read_bare(names),
            "4 queries",
        )
        for expression in EXPRESSIONS
    ]


def checking(text: str, names: list[str]) -> list[Row]:
    """Measure the page that checks a list, as htmx sends it while one types, and sent whole."""
    client = Client(headers={"host": "localhost"})
    form = {"text": text, "ruleset": COALITION_906.key}

    def check(headers: dict[str, str] | None = None) -> Any:
        return client.post("/decks/", form, headers=headers)

    return [
        beside(
            "checking 70 cards through htmx / their bare rows",
            lambda: check({"HX-Request": "true"}),
            lambda: read_bare(names),
            "4 queries, 15 ms",
        ),
        beside("the same sent whole / their bare rows", check, lambda: read_bare(names), ""),
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        seconds, _ = imported(write(Path(folder)))
        bare = insert_bare()
        _, peak = imported(write(Path(folder), FILE_SIZE))
    settle()
    memory = f"importing cards, {peak:.0f} MB for a file of {FILE_SIZE // 1_000_000} MB"
    rows: list[Row] = [(f"{memory} / bare INSERTs", seconds * 1000, bare * 1000, "2.0")]
    text, client = deck_list(), Client(headers={"host": "localhost"})
    names = [line for line in text.splitlines() if line not in ("", "Sideboard")]
    rows += [
        beside(
            "judging 70 cards / reading their rows",
            lambda: judge(text),
            lambda: queries.find_cards(names),
            "",
        ),
        *finding(client, names[:PAGE]),
    ]
    print(json.dumps(rows + checking(text, names)))


if __name__ == "__main__":
    import_file(sys.argv[1]) if len(sys.argv) > 1 else main()
