"""What is installed: pinned, with hashes, the same for those who develop and where it runs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = (ROOT / "requirements.txt").read_text()
PIN = re.compile(r"^([\w.-]+)==([\w.]+)(.*)$", re.MULTILINE)


def pins(text: str) -> dict[str, str]:
    return {name: version for name, version, _ in PIN.findall(text)}


def test_what_runs_is_pinned_as_for_those_who_develop():
    constraints = pins((ROOT / "constraints.txt").read_text())

    assert pins(REQUIREMENTS).items() <= constraints.items()


def test_all_that_the_site_needs_is_there_and_nothing_for_developers():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[\[<>=]", one)[0] for one in project["dependencies"]}
    extra = {
        re.split(r"[\[<>=]", one)[0]
        for many in project["optional-dependencies"].values()
        for one in many
    }

    assert needed <= pins(REQUIREMENTS).keys()
    assert not extra & pins(REQUIREMENTS).keys()


def test_each_has_its_hashes_and_nothing_else():
    lines = REQUIREMENTS.splitlines()
    heads = [at for at, line in enumerate(lines) if PIN.match(line)]
    hashes = [bool(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)) for line in lines]

    assert all(hashes[at + 1] for at in heads)
    assert sum(hashes) + len(heads) == len(lines)
