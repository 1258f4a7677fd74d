"""The audit from a file: a weak pin is named, and what can't be compared is not called safe.

The advisories are of our own making, about packages that don't exist; but for one that is known.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from . import audit
from .advisories import affects, load, pinned, report
from .audit import CLEAN, PINS, UNKNOWN, WEAK

PINNED = "our-own-package==1.4\nother-package==2.0 ; sys_platform == 'win32'  # there only\n"


def advisory(*events: dict[str, str], **more: Any) -> dict[str, Any]:
    """Return an advisory about `Our.Own_Package`, of one range."""
    affected = {
        "package": {"ecosystem": "PyPI", "name": "Our.Own_Package"},
        "ranges": [{"type": "ECOSYSTEM", "events": list(events)}],
    }
    return {"id": "OWN-1", "modified": "2026-11-20T10:00:00Z", "affected": [affected]} | more


FROM_START_TO_1_5 = advisory({"introduced": "0"}, {"fixed": "1.5"})
NOT_OURS = advisory({"introduced": "0"}, id="OWN-2")
NOT_OURS["affected"][0]["package"] = {"ecosystem": "npm", "name": "our-own-package"}
# What is known of Jinja2 before 3.1.6, in our own words.
REAL = {
    "id": "GHSA-cpwx-vrp4-4pq7",
    "aliases": ["CVE-2025-27516"],
    "modified": "2025-03-06T00:00:00Z",
    "summary": "By the filter attr, a template gets out of the sandbox.",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "Jinja2"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "3.1.6"}]}],
        }
    ],
}


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    path = tmp_path / "pins.txt"
    path.write_text(PINNED)
    return path


def asked(pins: Path, file: Path, capsys: Any) -> tuple[int, list[str]]:
    """Return the exit code of an audit from a file, and its lines after the file's name."""
    code = audit.main(["--pins", str(pins), "--advisories", str(file)])
    return code, capsys.readouterr().out.replace(f"{file}", "FILE").splitlines()


def dump(path: Path, *advisories: dict[str, Any]) -> Path:
    """Write a dump as osv.dev does."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in advisories:
            archive.writestr(f"{one['id']}.json", json.dumps(one))
    return path


ALL = "2 of 2 pinned versions were asked about."
HEAD = "Advisories in FILE: 2, the newest of 2026-11-20."
NAMED = "our-own-package 1.4: OWN-1, mended in 1.5"


def test_a_weak_pin_is_named(tmp_path, pins, capsys):
    file = dump(tmp_path / "all.zip", FROM_START_TO_1_5, NOT_OURS)

    assert asked(pins, file, capsys) == (WEAK, [HEAD, NAMED, ALL])


@pytest.mark.parametrize(
    ("version", "code", "lines"),
    [
        ("3.1.5", WEAK, ["jinja2 3.1.5: GHSA-cpwx-vrp4-4pq7, mended in 3.1.6"]),
        ("3.1.6", CLEAN, []),
    ],
)
def test_a_real_weakness_is_named_of_the_versions_that_have_it(
    tmp_path, pins, capsys, version, code, lines
):
    pins.write_text(f"jinja2=={version}\n")
    file = dump(tmp_path / "all.zip", REAL)

    assert asked(pins, file, capsys) == (
        code,
        [
            "Advisories in FILE: 1, the newest of 2025-03-06.",
            *lines,
            "1 of 1 pinned versions were asked about.",
        ],
    )


def test_pins_without_weaknesses_pass(tmp_path, pins, capsys):
    mended = advisory({"introduced": "0"}, {"fixed": "1.4"})
    file = dump(tmp_path / "all.zip", mended, NOT_OURS)

    assert asked(pins, file, capsys) == (CLEAN, [HEAD, ALL])


def test_the_archive_of_the_repository_is_read_too(tmp_path, pins, capsys):
    file = tmp_path / "main.zip"
    folder = "advisory-database-main"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{folder}/vulns/our-own-package/OWN-1.yaml", YAML)
        archive.writestr(f"{folder}/.github/workflow.yaml", "on: push")

    head = "Advisories in FILE: 1, the newest of 2026-11-20."
    assert asked(pins, file, capsys) == (WEAK, [head, NAMED, ALL])


YAML = """
id: OWN-1
modified: 2026-11-20T10:00:00Z
affected:
- package: {name: our-own-package, ecosystem: PyPI}
  ranges:
  - type: GIT
    repo: https://example.org
    events: [{introduced: "0"}, {fixed: 0a1b2c}]
  - type: ECOSYSTEM
    events: [{introduced: "0"}, {fixed: "1.5"}]
  versions: ["1.3", "1.4"]
"""


@pytest.mark.parametrize("content", [FROM_START_TO_1_5, [FROM_START_TO_1_5]])
def test_a_file_of_json_is_read_too(tmp_path, pins, capsys, content):
    file = tmp_path / "own.json"
    file.write_text(json.dumps(content))

    assert asked(pins, file, capsys)[0] == WEAK


@pytest.mark.parametrize(
    "content", [b"", b"[1]", b"{}", b'{"id": "OWN-1"}', b"\0", b"PK\5\6" + b"\0" * 18]
)
def test_a_file_that_can_not_be_read_audits_nothing(tmp_path, pins, capsys, content):
    file = tmp_path / "file"
    file.write_bytes(content)

    code, lines = asked(pins, file, capsys)

    assert (code, lines[0].partition(" FILE ")[0]) == (UNKNOWN, "NOT AUDITED:")
    assert len(lines) == 1


def test_a_damaged_dump_audits_nothing(tmp_path, pins, capsys):
    file = dump(tmp_path / "all.zip", FROM_START_TO_1_5)
    content = bytearray(file.read_bytes())
    content[60:70] = b"0123456789"
    file.write_bytes(content)

    code, lines = asked(pins, file, capsys)

    assert (code, lines[0].partition(" FILE ")[0]) == (UNKNOWN, "NOT AUDITED:")


def test_a_missing_file_audits_nothing(tmp_path, pins, capsys):
    code, (line,) = asked(pins, tmp_path / "gone.zip", capsys)

    assert code == UNKNOWN
    assert line.startswith("NOT AUDITED: FILE can't be read: FileNotFoundError")


def test_a_dump_of_other_packages_audits_nothing(tmp_path, pins, capsys):
    assert asked(pins, dump(tmp_path / "all.zip", NOT_OURS), capsys) == (
        UNKNOWN,
        ["NOT AUDITED: FILE has no advisories about packages of PyPI."],
    )


@pytest.mark.parametrize("events", [[{"introduced": "soon, perhaps"}], []])
def test_an_advisory_that_can_not_be_compared_calls_nothing_safe(tmp_path, pins, capsys, events):
    unclear = advisory(*events)
    if not events:
        unclear["affected"][0]["ranges"] = [{"type": "GIT", "events": [{"introduced": "0a1b2c"}]}]
    code, lines = asked(pins, dump(tmp_path / "all.zip", unclear), capsys)

    assert (code, lines[1:]) == (
        UNKNOWN,
        [
            "1 of 2 pinned versions were asked about.",
            "NOT AUDITED, the database of weaknesses has no answer: our-own-package",
        ],
    )


@pytest.mark.parametrize(
    ("events", "weak", "safe"),
    [
        ([{"introduced": "0"}], ["0", "0.0a1", "9"], []),
        ([{"introduced": "0"}, {"fixed": "1.5"}], ["1.4", "1.5rc1"], ["1.5", "1.10"]),
        ([{"fixed": "1.5"}, {"introduced": "1.2"}], ["1.2", "1.2.post1"], ["1.1", "1.2rc1", "1.5"]),
        ([{"introduced": "1"}, {"last_affected": "1.4"}], ["1", "1.4"], ["1.4.1", "0.9", "2"]),
        (
            [{"introduced": "1"}, {"fixed": "1.3"}, {"introduced": "2"}, {"fixed": "2.1"}],
            ["1.2", "2.0.5"],
            ["0.9", "1.3", "1.9", "2.1", "1!1.2"],
        ),
        ([{"introduced": "0"}, {"limit": "2"}], ["1.9"], ["2", "3"]),
        ([{"introduced": "0"}, {"limit": "*"}], ["99"], []),
    ],
)
def test_ranges_are_walked_in_the_order_of_versions(events, weak, safe):
    about = advisory(*events)

    assert [version for version in weak if not affects(about, "our-own-package", version)] == []
    assert [version for version in safe if affects(about, "our-own-package", version)] == []


def test_versions_that_are_listed_are_weak_outside_of_ranges_too():
    about = advisory({"introduced": "2"}, {"fixed": "2.1"})
    about["affected"][0]["versions"] = ["1.4.0", "no version at all"]

    found = [affects(about, "our-own-package", version) for version in ("1.4", "1.5", "2.0.1")]
    assert found == [True, False, True]


def test_an_advisory_that_was_withdrawn_is_about_nothing():
    gone = FROM_START_TO_1_5 | {"withdrawn": "2026-11-21T10:00:00Z"}

    assert affects(gone, "our-own-package", "1.4") is False


def test_a_weakness_with_two_numbers_is_named_once(tmp_path):
    other = FROM_START_TO_1_5 | {"id": "ANOTHER-7", "aliases": ["OWN-1"]}
    known = load(dump(tmp_path / "all.zip", FROM_START_TO_1_5, other))

    (pin,) = report([("our-own-package", "1.4")], known)["dependencies"]
    assert [flaw["id"] for flaw in pin["vulns"]] == ["OWN-1"]


def test_all_that_is_pinned_is_asked_about():
    names = [line.partition("==")[0] for line in PINS.read_text().splitlines() if "==" in line]

    assert [name for name, _ in pinned(PINS)] == names
    assert all(version[0].isdigit() for _, version in pinned(PINS))
