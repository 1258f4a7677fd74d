"""Decks of real cards, judged by the real ban list."""

import io

import pytest
from django.core.management import call_command

from decks.catalogue.importing import import_cards
from tests.shared import SHARED, load_shared, skip_module_without

from ..lists import register, report
from ..written import deck, leveler

POOL_FILE = "data/oracle-cards.json.gz"
BANS_FILE = "data/banlist-coalition-2026-03.json"
skip_module_without(POOL_FILE, BANS_FILE)

KAALIA = "Kaalia of the Vast"


@pytest.mark.django_db
def test_decks_of_other_formats_have_no_conspiracies():
    """003 31: Conspiracies are legal in decks of no other format."""
    said = load_shared(BANS_FILE)
    names = {"Power Play", "Forest", KAALIA, *(one["card"] for one in said["entries"])}
    names.update(*(batch.get("cards", ()) for batch in said["batches"]))
    pool = load_shared(POOL_FILE)
    import_cards(record for record in pool if record["name"].split(" // ")[0] in names)
    call_command("load_banlist", str(SHARED / BANS_FILE), stdout=io.StringIO())

    decks = (
        register("Levels", leveler("1 Power Play"), ruleset="leveler"),
        register("Dragons", deck("1 Power Play", hero=f"1 {KAALIA}")),
    )

    for one in decks:
        problems = [(problem.code, problem.card) for problem in report(one).problems]
        assert problems == [("banned", "Power Play")]
