"""The Coalition ban list at its two dates, where the shared data stand."""

import io
from typing import Any

import pytest
from django.core.management import call_command

from decks.catalogue import importing
from tests.shared import SHARED, load_shared, skip_module_without

POOL = "data/oracle-cards.json.gz"
OLDER, NEWER = (f"data/banlist-coalition-{month}.json" for month in ("2024-06", "2026-03"))
skip_module_without(POOL, OLDER, NEWER)


def named(document: dict[str, Any]) -> set[str]:
    batches = (name for batch in document["batches"] for name in batch.get("cards", ()))
    return {entry["card"] for entry in document["entries"]} | set(batches)


@pytest.fixture(autouse=True)
def _cards(db: None) -> None:
    """Only the cards that the lists name."""
    names = named(load_shared(OLDER)) | named(load_shared(NEWER))
    importing.import_cards(one for one in load_shared(POOL) if one["name"] in names)


def run(command: str, *options: str) -> str:
    out = io.StringIO()
    call_command(command, *options, stdout=out)
    return out.getvalue()


def load(part: str) -> str:
    return run("load_banlist", str(SHARED / part))


def test_next_list_shows_just_what_changed():
    load(OLDER)

    assert load(NEWER) == (
        "Coalition as of 9 March 2026:\n"
        "+ Bloodthirsty Conqueror banned\n"
        "+ Fury watched\n"
        "+ Magus of the Moon watched\n"
        "+ Nadu, Winged Wisdom banned\n"
        "+ Sowing Mycospawn watched\n"
        "~ Dreadhorde Arcanist watched (was banned)\n"
        "~ Flash banned (was watched)\n"
        "~ Sneak Attack banned (was watched)\n"
        "- Arcbond (was watched)\n"
        "- Chandra's Ignition (was banned)\n"
        "- Dig Through Time (was watched)\n"
        "- Gush (was banned)\n"
        "- Heartless Hidetsugu (was banned)\n"
        "- Muxus, Goblin Grandee (was watched)\n"
        "- Prophet of Kruphix (was watched)\n"
        "- Themberchaud (was watched)\n"
        "- Treasure Cruise (was watched)\n"
    )
