"""The licences of what the site runs on, as the packages say it: `make licences`."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"^([\w.-]+)==([\w.]+)(?: ;.*sys_platform == '(\w+)')?", re.MULTILINE)
CLASSIFIER = "License :: OSI Approved :: "
MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy"


def main() -> None:
    for name, licence in licences().items():
        print(f"{name:<22} {licence}")


def licences() -> dict[str, str]:
    pins = PIN.findall((ROOT / "requirements.txt").read_text())
    return {name: licence_of(name) for name, _, elsewhere in pins if not elsewhere}


def licence_of(name: str) -> str:
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return "not installed"
    told = package.metadata
    classified = [one for one in told.get_all("Classifier") or [] if one.startswith(CLASSIFIER)]
    said = " AND ".join(one.removeprefix(CLASSIFIER) for one in classified)
    named = told.get("License-Expression") or said or told.get("License")
    if named:
        return named
    files = told.get_all("License-File") or []
    texts = (package.read_text(f"licenses/{name}") or "" for name in files)
    return "MIT" if any(MIT in " ".join(text.split()) for text in texts) else "none is named"


if __name__ == "__main__":
    main()
