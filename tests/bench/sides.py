"""What is measured beside each other on one database: the site, the site as it was, and the floor.

Each has a database of its own with the same things in it, and all of them run at the same time, so
that they can be asked in turns and the machine's moods hit them alike. The site as it was is
unpacked from git's archive, so a benchmark that is killed leaves no worktree behind, and runs on
the same Python and packages.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.bench.client import Ask, Connection, token
from tests.bench.phones import Scorekeeper
from tests.bench.server import ROOT, Floor, Server, cpu_seconds, running
from tests.environment import start_postgres
from tests.shared import SHARED, load_shared

CARDS = "data/oracle-cards.json.gz"
RULESET = "coalition-906"


@dataclass(frozen=True)
class Kind:
    """A kind of database. ``pid`` is PostgreSQL's; what SQLite uses of the processor, we use."""

    name: str
    address: str  # of a database, with its name left open
    pid: int = 0

    def new(self, name: str) -> str:
        if self.pid:
            with psycopg.connect(self.address.format("postgres"), autocommit=True) as connection:
                connection.execute(f'CREATE DATABASE "{name}"')
        return self.address.format(name)


@contextmanager
def both_kinds() -> Iterator[list[Kind]]:
    address = start_postgres().get_uri()  # ends with this process
    with psycopg.connect(address) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row
    pid = int((Path(row[0]) / "postmaster.pid").read_text().split()[0])
    with tempfile.TemporaryDirectory() as folder:
        yield [
            Kind("SQLite", f"sqlite:///{folder}/{{}}.sqlite3"),
            Kind("PostgreSQL", address.replace("/postgres?", "/{}?"), pid),
        ]


@contextmanager
def unpacked(revision: str) -> Iterator[Path]:
    """Give the folder of a revision's code.

    :raises subprocess.CalledProcessError: if git does not know the revision.
    """
    git = ["git", "-C", str(ROOT), "archive", "--format=tar", revision]
    archive = subprocess.run(git, check=True, stdout=subprocess.PIPE).stdout
    with tempfile.TemporaryDirectory(prefix="coalition-before-") as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder)


@dataclass
class Side:
    name: str
    server: Server
    database_pid: int
    tables: Sequence[tuple[str, str]] = ()
    pages: dict[str, str] = field(default_factory=dict)

    def cpu(self) -> float:
        return self.server.cpu() + (cpu_seconds(self.database_pid) if self.database_pid else 0)

    async def scorekeepers(self, count: int) -> list[Scorekeeper]:
        secret = await token(self.server.port)
        phones = [Scorekeeper(self.server.port, table, secret) for table in self.tables[:count]]
        for phone in phones:
            await phone.arrive()
        return phones

    async def page(self, path: str, form: dict[str, object] | None = None) -> Ask:
        connection, headers = Connection(self.server.port), {}
        if form:
            secret = await token(self.server.port)
            connection.cookies = f"csrftoken={secret}"
            headers = {"HX-Request": "true", "X-CSRFToken": secret}
        return lambda: connection.fetch(path, form, **headers)


@contextmanager
def standing(kind: Kind, old: Path | None, tables: int, sets: int) -> Iterator[list[Side]]:
    sides = [
        Side("floor", Floor(kind.new("floor")), kind.pid),
        Side("now", Server(kind.new("now"), workers=1), kind.pid),
    ]
    if old:
        sides.append(Side("before", Server(kind.new("before"), root=old, workers=1), kind.pid))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        group = Path(folder, "group.json")
        for side in sides[1:]:
            side.server.update()
            side.tables = side.server.output_of("tables", "endless", str(tables))
            side.pages["leaderboard"] = _playgroup(side.server, sets, group)
            if cards := _cards(Path(folder, "cards.json")):
                side.server.manage("import_cards", cards)
        for side in sides:
            stack.enter_context(running(side.server))
        yield sides


def _playgroup(server: Server, sets: int, file: Path) -> str:
    """Bring a playgroup, the first time by random play; return its address."""
    if not file.exists():
        code = server.output_of("tables", "group")
        server.manage("simulate", "--sets", str(sets), "--group", code)
        file.write_text(server.manage("export_group", code).stdout)
    return server.manage("import_group", str(file)).stdout.split()[-1]


def _cards(file: Path) -> str:
    """Return a file of the real cards; "" if there are none."""
    if not file.exists() and (SHARED / CARDS).exists():
        file.write_text(json.dumps(load_shared(CARDS)))
    return str(file) if file.exists() else ""


def deck_list() -> str:
    """Return a list of 70 of the real cards; "" if there are none."""
    if not (SHARED / CARDS).exists():
        return ""
    names = [card["name"] for card in load_shared(CARDS) if card["type_line"].startswith("Cre")]
    return "\n".join([*names[:60], "", "Sideboard", *names[60:70]])
