"""What the site runs on: pinned with hashes, under licences that allow it, asked about honestly."""

import json
import re
import tomllib
import zipfile
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from . import audit
from .audit import CLEAN, UNKNOWN, WEAK
from .licences import licences

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = (ROOT / "requirements.txt").read_text()
PIN = re.compile(r"^([\w.-]+)==([\w.]+)(.*)$", re.MULTILINE)
# May be used and passed on with a site under the MIT licence. The last two ask that changes to
# them are published: nothing of them is changed here.
ALLOWED = {
    *("Apache-2.0", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT License"),
    *("MIT-0", "PSF-2.0", "LGPL-3.0-only", "MPL-2.0", "Mozilla Public License 2.0 (MPL 2.0)"),
}


def pins(text: str) -> dict[str, str]:
    return {name: version for name, version, _ in PIN.findall(text)}


def test_what_runs_is_pinned_as_for_those_who_develop():
    constraints = pins((ROOT / "constraints.txt").read_text())

    assert pins(REQUIREMENTS).items() <= constraints.items()


def test_all_that_the_site_needs_is_there_and_nothing_for_developers():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = chain(*project["optional-dependencies"].values())
    needed, extra = (
        {re.split(r"[\[<>=]", one)[0] for one in some} for some in (project["dependencies"], extras)
    )

    assert needed <= pins(REQUIREMENTS).keys()
    assert not extra & pins(REQUIREMENTS).keys()


def test_each_has_its_hashes_and_nothing_else():
    lines = REQUIREMENTS.splitlines()
    heads = [at for at, line in enumerate(lines) if PIN.match(line)]
    hashes = [bool(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)) for line in lines]

    assert all(hashes[at + 1] for at in heads)
    assert sum(hashes) + len(heads) == len(lines)


def test_all_that_the_site_runs_on_may_be_used():
    found = {
        name: licence
        for name, licence in licences().items()
        if not any(set(one.split(" AND ")) <= ALLOWED for one in licence.split(" OR "))
    }

    assert found == {}


def advisory(*versions: str, ecosystem: str = "PyPI", **more: Any) -> dict[str, Any]:
    package = {"ecosystem": ecosystem, "name": "Our.Own_Package"}
    affected = [{"package": package, "versions": list(versions)}]
    return {"id": "OWN-1", "modified": "2026-11-20T10:00:00Z", "affected": affected} | more


@pytest.mark.parametrize(
    ("found", "code", "last"),
    [
        (advisory("1.3", "1.4"), WEAK, "our-own-package 1.4: OWN-1"),
        (advisory("1.3"), CLEAN, "1 advisories, the newest of 2026-11-20"),
        (advisory("1.4", withdrawn="2026-11-21"), CLEAN, "1 advisories"),
        (advisory("1.4", ecosystem="npm"), CLEAN, "1 advisories"),
        (advisory(), UNKNOWN, "NOT AUDITED: OWN-1 lists no versions of our-own-package"),
        ([1], UNKNOWN, "NOT AUDITED"),
    ],
)
def test_an_audit_from_a_file_names_weak_pins_and_calls_nothing_safe_that_it_can_not_compare(
    tmp_path, capsys, found, code, last
):
    (tmp_path / "pins.txt").write_text("our-own-package==1.4 ; sys_platform == 'win32'\n")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("OWN-1.json", json.dumps(found))

    assert audit.main(str(tmp_path / "all.zip"), tmp_path / "pins.txt") == code
    assert capsys.readouterr().out.splitlines()[-1].startswith(last)


@pytest.mark.parametrize("content", [b"", b"[1]", b"PK\5\6" + b"\0" * 18, None])
def test_a_file_that_can_not_be_read_audits_nothing(tmp_path, capsys, content):
    file = tmp_path / "all.zip"
    if content is not None:
        file.write_bytes(content)

    assert audit.main(str(file)) == UNKNOWN
    assert capsys.readouterr().out.startswith("NOT AUDITED")
