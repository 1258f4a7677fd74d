"""Ask whether weaknesses are known of the versions that are pinned: `make audit`.

Exit 0: all were asked about, none has any; 1: some have; 2: it could not be asked about all, and so
nothing is said of those. pip-audit itself would call that last one a success.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ASK = ["pip-audit", "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
CLEAN, WEAK, UNKNOWN = 0, 1, 2


def main() -> int:
    """Ask about all of constraints.txt, print what is known, and return the exit code."""
    program = Path(sys.executable).with_name(ASK[0])
    command = [str(program), *ASK[1:], "--requirement", str(ROOT / "constraints.txt")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    try:
        code, words = verdict(json.loads(done.stdout))
    except ValueError:
        code, words = UNKNOWN, f"NOT AUDITED: pip-audit gave no answer.\n{done.stderr.strip()}"
    print(words)
    return code


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
    sys.exit(main())
