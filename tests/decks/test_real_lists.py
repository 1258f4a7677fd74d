"""Lists as the tools that people use write them: each is read as its tool means it."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from decks.catalogue.importing import import_cards
from tests.shared import SHARED, load_shared, skip_module_without

POOL_FILE = "data/oracle-cards.json.gz"
LISTS = "cases/lists"
skip_module_without(POOL_FILE, f"{LISTS}/expected.json")

EXPECTED = {
    file: meant for file, meant in load_shared(f"{LISTS}/expected.json").items() if file != "about"
}
NAMES = {name for meant in EXPECTED.values() for part in ("main", "side") for name in meant[part]}
RECORDS = [record for record in load_shared(POOL_FILE) if record["name"] in NAMES]


def read(file: str) -> dict[str, Any]:
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("check_deck", str(SHARED / LISTS / file), "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


@pytest.mark.django_db
@pytest.mark.parametrize("file", EXPECTED)
def test_list_is_read_as_its_tool_means_it(file: str) -> None:
    import_cards(RECORDS)
    meant = EXPECTED[file]

    report = read(file)

    assert report["cards"] == {
        "main": meant["main"],
        "sideboard": meant["side"],
        "left_out": meant.get("out", {}),
    }
    assert report["hero"] == meant.get("hero", report["hero"])
    codes = {problem["code"] for problem in report["problems"]}
    assert codes.isdisjoint({"bad_line", "unknown_card"})
