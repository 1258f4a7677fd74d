"""The licences of what the site runs on, as the packages say it: `make licences`."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"^([\w.-]+)==([\w.]+)(?: ;.*sys_platform == '(\w+)')?", re.MULTILINE)
CLASSIFIER = "License :: OSI Approved :: "
MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy"


def main() -> None:
    """Print the licence of each package."""
    for name, licence in licences().items():
        print(f"{name:<22} {licence}")


def licences() -> dict[str, str]:
    """Return the licence of each package of requirements.txt that this machine has use for."""
    pins = PIN.findall((ROOT / "requirements.txt").read_text())
    return {name: licence_of(name) for name, _, elsewhere in pins if not elsewhere}


def licence_of(name: str) -> str:
    """Return what a package says of its licence, nothing if it does not."""
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return "not installed"
    told = package.metadata
    classified = [one for one in told.get_all("Classifier") or [] if one.startswith(CLASSIFIER)]
    said = " AND ".join(one.removeprefix(CLASSIFIER) for one in classified)
    named = told.get("License-Expression") or said or told.get("License")
    return named or _of_file(package) or "none is named"


def _of_file(package: Distribution) -> str:
    """Return the licence whose text a package brings along, if it is one that is known here."""
    names = package.metadata.get_all("License-File") or []
    texts = (package.read_text(f"licenses/{name}") or "" for name in names)
    return "MIT" if any(MIT in " ".join(text.split()) for text in texts) else ""


if __name__ == "__main__":
    main()
