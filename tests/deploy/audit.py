"""Ask whether weaknesses are known of the versions that are pinned: `make audit`.

Exit 0: all were asked about, none has any; 1: some have; 2: it could not be asked about all, and so
nothing is said of those. pip-audit itself would call that last one a success.

With `--advisories FILE` a file is asked, and not the net.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PINS = Path(__file__).resolve().parents[2] / "constraints.txt"
ASK = ["pip-audit", "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
CLEAN, WEAK, UNKNOWN = 0, 1, 2


def main(arguments: Sequence[str] = ()) -> int:
    """Ask about all of constraints.txt, print what is known, and return the exit code."""
    parser = argparse.ArgumentParser(prog="audit", description=__doc__)
    parser.add_argument("--advisories", type=Path, help="a file in the OSV schema")
    parser.add_argument("--pins", type=Path, default=PINS, help="a file of pinned versions")
    asked = parser.parse_args(arguments)
    ask = _ask_file if asked.advisories else _ask_net
    code, words = ask(asked.pins, asked.advisories)
    print(words)
    return code


def _ask_file(pins: Path, file: Path) -> tuple[int, str]:
    from . import advisories  # what it needs is not in the environment of pip-audit

    try:
        known = advisories.load(file)
    except advisories.Unreadable as error:
        return UNKNOWN, f"NOT AUDITED: {error}"
    code, words = verdict(advisories.report(advisories.pinned(pins), known))
    return code, f"Advisories in {file}: {known.count:,}, the newest of {known.newest}.\n{words}"


def _ask_net(pins: Path, _: None) -> tuple[int, str]:
    program = Path(sys.executable).with_name(ASK[0])
    command = [str(program), *ASK[1:], "--requirement", str(pins)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    try:
        return verdict(json.loads(done.stdout))
    except ValueError:
        return UNKNOWN, f"NOT AUDITED: pip-audit gave no answer.\n{done.stderr.strip()}"


def verdict(report: dict[str, Any]) -> tuple[int, str]:
    """Return the exit code for what pip-audit reports, and its words."""
    found = report["dependencies"]
    weak = [
        f"{one['name']} {one['version']}: {flaw['id']}, "
        f"mended in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for one in found
        for flaw in one.get("vulns", ())
    ]
    unknown = [one["name"] for one in found if "skip_reason" in one]
    lines = [
        *weak,
        f"{len(found) - len(unknown)} of {len(found)} pinned versions were asked about.",
    ]
    if unknown or not found:
        lines.append(f"NOT AUDITED, the database of weaknesses has no answer: {', '.join(unknown)}")
    if weak:
        return WEAK, "\n".join(lines)
    return (UNKNOWN if unknown or not found else CLEAN), "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
