"""A site whose database passes on no signals does not start."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from coalition_site.serving import hearing

pytestmark = pytest.mark.django_db


def test_a_database_by_itself_passes_on_signals():
    assert not hearing.is_deaf()


@pytest.mark.skipif(connection.vendor == "sqlite", reason="on SQLite nobody listens")
def test_a_signal_that_does_not_come_is_noticed(monkeypatch):
    monkeypatch.setattr("psycopg.Connection.notifies", lambda *_, **_options: iter(()))

    assert hearing.is_deaf()


def test_the_site_does_not_start_on_a_pooler_by_transaction(monkeypatch):
    """As PgBouncer is with pool_mode = transaction."""
    monkeypatch.setattr("coalition_site.management.commands.serve.is_deaf", lambda: True)

    with pytest.raises(CommandError, match="let it pool by session"):
        call_command("serve", host="127.0.0.1", port=0)
