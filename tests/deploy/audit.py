"""Ask a file of advisories whether weaknesses are known of the versions that are pinned.

    python -m tests.deploy.audit FILE       `make audit ADVISORIES=FILE`, where there is no net

FILE is the dump `PyPI/all.zip` of osv.dev, whose advisories list each version that they are about.
Exit 0: none is known; 1: some are; 2: the file can't be read, or lists no versions of a pin.
"""

import json
import sys
import zipfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINS = Path(__file__).resolve().parents[2] / "constraints.txt"
CLEAN, WEAK, UNKNOWN = 0, 1, 2


def main(file: str, pins: Path = PINS) -> int:
    lines = (line.partition("#")[0].strip() for line in pins.read_text().splitlines())
    asked = {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in map(Requirement, filter(None, lines))
    }
    try:
        with zipfile.ZipFile(file) as archive:
            known = [json.loads(archive.read(name)) for name in archive.namelist()]
        newest = max(str(advisory["modified"])[:10] for advisory in known)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        print(f"NOT AUDITED: {file} can't be read: {error!r}")
        return UNKNOWN
    print(f"{len(known):,} advisories, the newest of {newest}, about {len(asked)} pinned versions.")
    code = CLEAN
    for advisory in known:
        if advisory.get("withdrawn"):
            continue
        for affected in advisory.get("affected", ()):
            package = affected.get("package", {})
            name = canonicalize_name(package.get("name", ""))
            if package.get("ecosystem") != "PyPI" or name not in asked:
                continue
            if asked[name] in affected.get("versions", ()):
                print(f"{name} {asked[name]}: {advisory['id']}")
                code = WEAK
            elif not affected.get("versions"):
                print(f"NOT AUDITED: {advisory['id']} lists no versions of {name}")
                code = code or UNKNOWN
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
