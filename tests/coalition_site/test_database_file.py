"""SQLite's files are for who runs the site alone."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from django.db import connection

from tests.elsewhere import on_empty_database

pytestmark = [
    pytest.mark.usefixtures("transactional_db"),
    pytest.mark.skipif("connection.vendor != 'sqlite'"),
]
ENDINGS = ["", "-shm", "-wal"]


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes() -> list[tuple[str, int]]:
    """Return the endings and the permissions of the database's files."""
    path = Path(connection.settings_dict["NAME"])
    return [
        (file.name.removeprefix(path.name), stat.S_IMODE(file.stat().st_mode))
        for file in sorted(path.parent.glob(f"{path.name}*"))
    ]


@pytest.mark.parametrize("is_new", [True, False])
def test_a_database_is_for_its_owner_alone_even_one_that_others_could_read(tmp_path, is_new):
    with on_empty_database(tmp_path), ExitStack() as stack:
        if not is_new:  # but as an older version made it
            name = connection.settings_dict["NAME"]
            other = stack.enter_context(closing(sqlite3.connect(name)))
            other.execute("PRAGMA journal_mode=WAL")
            other.execute("CREATE TABLE one (id int)")
            assert modes() == [(ending, 0o644) for ending in ENDINGS]

        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE two (id int)")

        assert modes() == [(ending, 0o600) for ending in ENDINGS]
