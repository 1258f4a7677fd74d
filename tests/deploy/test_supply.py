"""What the site runs on: pinned with hashes, under licences that allow it."""

import re
import tomllib
from itertools import chain
from pathlib import Path

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
