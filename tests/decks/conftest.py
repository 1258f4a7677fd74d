"""What the tests of decks and ban lists share."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group

from decks.apps import make_editors
from decks.models import BanList, CreatureType

migration = import_module("decks.migrations.0001_initial")


@pytest.fixture(autouse=True)
def _nothing_collected(settings: Any) -> None:
    """Serve static files from where they are written, not from where they are collected."""
    settings.STATIC_ROOT = None


@pytest.fixture
def catalogue_seeded(request: pytest.FixtureRequest) -> None:
    """Let there be what migrations brought, also after the flush of a transactional test."""
    is_flushed = {"transactional_db", "site"} & set(request.fixturenames)
    request.getfixturevalue("transactional_db" if is_flushed else "db")
    if not CreatureType.objects.exists() and not BanList.objects.exists():
        migration.seed(apps, None)
    if not Group.objects.exists():
        make_editors()
