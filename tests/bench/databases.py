"""New databases of both kinds, as many as a benchmark asks for."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.environment import start_postgres


@dataclass(frozen=True)
class SQLite:
    """Files in a folder."""

    folder: str
    name: str = "SQLite"
    pid: int = 0  # what SQLite uses of the processor, the site uses

    def new(self, name: str) -> str:
        """Return the address of a new database."""
        return f"sqlite:///{self.folder}/{name}.sqlite3"


@dataclass(frozen=True)
class PostgreSQL:
    """Databases of one server, whose own process is ``pid``."""

    address: str
    pid: int
    name: str = "PostgreSQL"

    def new(self, name: str) -> str:
        """Make a new database and return its address."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.address.replace("/postgres?", f"/{name}?")


Kind = SQLite | PostgreSQL


def start_server() -> PostgreSQL:
    """Start a PostgreSQL that ends with this process."""
    address = start_postgres()
    with psycopg.connect(address) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row
    pid = (Path(row[0]) / "postmaster.pid").read_text().split()[0]
    return PostgreSQL(address, int(pid))


@contextmanager
def both() -> Iterator[list[Kind]]:
    """Give both kinds, for as long as they are needed."""
    with tempfile.TemporaryDirectory() as folder:
        yield [SQLite(folder), start_server()]
