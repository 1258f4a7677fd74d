"""Decks of real cards."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from decks.catalogue.importing import import_cards
from tests.shared import SHARED, load_shared, skip_module_without

from ..written import deck, leveler

POOL_FILE = "data/oracle-cards.json.gz"
BANS_FILE = "data/banlist-coalition-2026-03.json"
skip_module_without(POOL_FILE, BANS_FILE)

RECORDS = {record["name"]: record for record in load_shared(POOL_FILE)}
FRONTS = {name.split(" // ")[0]: name for name in RECORDS}
KAALIA = "Kaalia of the Vast"

Check = Callable[..., dict[str, Any]]


@pytest.fixture
def check(db: None, tmp_path: Path) -> Check:
    """Judge a list of real cards: only its own cards are imported."""

    def judge(text: str, *options: str) -> dict[str, Any]:
        names = {FRONTS[one] for one in FRONTS if one in text}
        import_cards([RECORDS[name] for name in sorted(names)])
        path = tmp_path / "deck.txt"
        path.write_text(text)
        return report_on(path, *options)

    return judge


def report_on(path: Path, *options: str) -> dict[str, Any]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("check_deck", str(path), "--json", *options, stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    assert stopped.value.code == int(not report["legal"])
    return report


@pytest.fixture
def _banned(db: None) -> None:
    """Load the ban list of March 2026, with its cards."""
    said = load_shared(BANS_FILE)
    named = [one["card"] for one in said["entries"]]
    named += [card for batch in said["batches"] for card in batch.get("cards", ())]
    import_cards([RECORDS[FRONTS[name]] for name in named if name in FRONTS])
    call_command("load_banlist", str(SHARED / BANS_FILE), stdout=io.StringIO())


def codes(report: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(one["code"], one["card"]) for one in report["problems"]]


def test_kaalia_leads_dragons_for_the_type_in_her_text(check):
    dragons = ("4 Scourge of Valkas (M15) 165", "4 Utvara Hellkite", "4 Dragonspeaker Shaman")
    main = (*dragons, "1 Boros Charm", "1 Dragon Tempest (DTK) 136 *F*", "4 Command Tower")

    report = check(deck(*main, side=("1 Fire // Ice",), hero=f"1 {KAALIA}"))

    assert (report["legal"], report["hero"]) == (True, KAALIA)
    assert report["possible_types"] == ["Dragon"]


@pytest.mark.usefixtures("_banned")
def test_decks_of_other_formats_have_no_conspiracies(check):
    """003 31: Conspiracies are legal in decks of no other format."""
    in_leveler = check(leveler("1 Power Play"), "--ruleset", "leveler")
    in_coalition = check(deck("1 Power Play", hero=f"1 {KAALIA}"))

    assert codes(in_leveler) == codes(in_coalition) == [("banned", "Power Play")]
