"""PgBouncer before the database: by session it is served, by transaction it is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coalition_site.serving.hearing import DEAF

from .conftest import SETTINGS
from .engine import Installation

POOLED = f"""
services:
  pooler:
    image: stand-in-pgbouncer
    user: "10001:10001"
    networks: [inside]
    volumes: ["./pooler:/etc/pooler:ro"]
    depends_on: [database]
  site:
    environment:
      DATABASE_URL: postgres://coalition_site:{SETTINGS["DATABASE_SITE_PASSWORD"]}@pooler/coalition
"""
CONFIGURATION = """
[databases]
* = host=database
[pgbouncer]
listen_addr = *
listen_port = 5432
unix_socket_dir =
auth_type = scram-sha-256
auth_file = /etc/pooler/users
max_prepared_statements = 200
default_pool_size = 60
ignore_startup_parameters = lock_timeout
pool_mode = {0}
"""
HEAR = (
    "import django; django.setup(); from coalition_site.serving.hearing import is_deaf; "
    "print('deaf:', is_deaf())"
)
PYTHON = ("run", "--rm", "-T", "--no-deps", "site", "/app/venv/bin/python")


def behind(installation: Installation, mode: str) -> Installation:
    """Start a pooler of that mode, and return the project with the site behind it."""
    folder = installation.folder / "pooler"
    folder.mkdir(exist_ok=True)
    (folder / "pgbouncer.ini").write_text(CONFIGURATION.format(mode))
    password = SETTINGS["DATABASE_SITE_PASSWORD"]
    (folder / "users").write_text(f'"coalition_site" "{password}"\n')
    (installation.folder / "pooled.yml").write_text(POOLED)
    pooled = replace(installation, more=("pooled.yml",))
    pooled.compose("up", "-d", "--no-build", "--force-recreate", "pooler")
    return pooled


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_pooler_by_session_passes_on_signals_and_one_by_transaction_is_refused(
    installation, mode
):
    pooled = behind(installation, mode)
    try:
        settings = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'coalition_site.settings'; "
        heard = pooled.compose(*PYTHON, "-c", settings + HEAR)
        is_deaf = mode == "transaction"
        assert heard.splitlines()[-1] == f"deaf: {is_deaf}"
        if is_deaf:
            assert DEAF in pooled.compose(*PYTHON, "manage.py", "serve", check=False)
    finally:
        pooled.compose("rm", "-s", "-f", "pooler")
