"""What is measured together on one database: the site, the site as it was, and the frozen floor.

Each has a database of its own with the same things in it, and all of them run at the same time, so
that they can be asked in turns and the machine's moods hit them alike.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.client import Ask, Connection, token
from tests.bench.databases import Kind
from tests.bench.processes import cpu_seconds
from tests.bench.scorekeeper import Scorekeeper
from tests.bench.server import Floor, Server, running
from tests.shared import SHARED

CARDS = SHARED / "data" / "oracle-cards.json.gz"
# Makes a playgroup, and tells the planner what is there now.
GROUP = (
    "import django; django.setup(); from tests.bench import board, cards; "
    "print(board.group({}).code); cards.settle()"
)
DECK = (
    "import django; django.setup(); import json; "
    "from tests.bench.cards import deck_list; print(json.dumps(deck_list()))"
)


@dataclass(frozen=True)
class Size:
    """How much of everything there is."""

    tables: int = 50  # as many as connections that tap at once
    rounds: int = 15  # many short ones: the machine is slower now and then, for a second or two
    hits: int = 20  # a connection and round
    pages: int = 40  # a round
    late: int = 500  # events
    sets: int = 10_000
    listeners: int = 200
    changes: int = 50
    replays: int = 5
    evenings: int = 1000


QUICK = Size(
    rounds=2,
    hits=10,
    pages=20,
    late=100,
    sets=300,
    listeners=20,
    changes=5,
    replays=1,
    evenings=100,
)


@dataclass
class Side:
    """One of those that are measured beside each other."""

    name: str
    server: Server
    database_pid: int = 0
    tables: Iterable[tuple[str, str]] = ()
    early: Iterable[tuple[str, str]] = ()
    late: Iterable[tuple[str, str]] = ()
    group: str = ""
    deck: str = ""

    def cpu(self) -> float:
        """Return the processor time of its server and, on PostgreSQL, of the database."""
        return self.server.cpu() + (cpu_seconds([self.database_pid]) if self.database_pid else 0)

    async def scorekeepers(self, tables: Iterable[tuple[str, str]]) -> list[Scorekeeper]:
        """Let a phone open the page of each table."""
        secret = await token(self.server.port)
        phones = [Scorekeeper(self.server.port, table, secret) for table in tables]
        for phone in phones:
            await phone.arrive()
        return phones

    async def page(self, path: str, form: dict[str, object] | None = None) -> Ask:
        """Return what asks for one page by a connection of its own."""
        connection = Connection(self.server.port)
        headers = {}
        if form:
            secret = await token(self.server.port)
            connection.cookies = f"csrftoken={secret}"
            headers = {"HX-Request": "true", "X-CSRFToken": secret}
        return lambda: connection.fetch(path, form, **headers)


def prepare(side: Side, size: Size, cards: Path | None) -> None:
    """Make the tables, the playgroup and the cards of a side, by its own scripts."""
    server = side.server
    server.update()
    # Only ours is measured late in a game.
    late = size.late if side.name == "now" else 2
    for name, tables in server.output_of("seed", str(size.tables), str(late)).items():
        setattr(side, name, tables)
    if cards:
        server.run("-m", "tests.bench.cards", str(cards))
        side.deck = json.loads(server.run("-c", DECK).stdout)
    side.group = server.run("-c", GROUP.format(size.sets)).stdout.strip()


def real_cards(folder: str) -> Path | None:
    """Return a file of the real cards; say loudly if there is none."""
    if not CARDS.exists():
        print(f"!!! NO DECK CHECK, NO FINDER: there is no {CARDS}")
        return None
    path = Path(folder) / "cards.json"
    path.write_bytes(gzip.decompress(CARDS.read_bytes()))
    return path


@dataclass
class Stand:
    """The sides on one kind of database."""

    kind: Kind
    now: Side
    before: Side | None
    floor: Side

    @property
    def sides(self) -> list[Side]:
        return [self.floor, self.now, *([self.before] if self.before else [])]


@contextmanager
def standing(kind: Kind, old: Path | None, size: Size, cards: Path | None) -> Iterator[Stand]:
    """Prepare the sides and serve them."""
    now = Side("now", Server(kind.new("now"), workers=1), kind.pid)
    before = Side("before", Server(kind.new("before"), root=old), kind.pid) if old else None
    floor = Side("floor", Floor(kind.new("floor")), kind.pid)
    stand = Stand(kind, now, before, floor)
    with ThreadPoolExecutor() as pool, ExitStack() as stack:
        ours = stand.sides[1:]
        list(pool.map(prepare, ours, [size] * len(ours), [cards] * len(ours)))
        for side in stand.sides:
            stack.enter_context(running(side.server))
        yield stand
