"""Compare pinned versions with advisories from a file, where the net can't be asked.

In the OSV schema: the dump `PyPI/all.zip` of osv.dev, the archive of pypa/advisory-database, or a
file with one advisory or a list of them.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

READERS = {".json": json.loads, ".yaml": lambda text: yaml.load(text, yaml.CSafeLoader)}
COMPARED = ("ECOSYSTEM", "SEMVER")  # GIT names commits, which no pin does
ORDER = ("fixed", "introduced", "last_affected")
START = "0"  # stands before all versions


class Unreadable(Exception):
    """A file has no advisories that can be compared; the message says why."""


@dataclass(frozen=True, slots=True)
class Advisories:
    """The advisories of PyPI's packages, by package, and the day of the newest."""

    by_package: dict[str, list[dict[str, Any]]]
    count: int
    newest: str


def pinned(path: Path) -> list[tuple[str, str]]:
    """Return names and versions of a file of pins, those for other systems too."""
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    pins = map(Requirement, filter(None, lines))
    return [(pin.name, str(pin.specifier).removeprefix("==")) for pin in pins]


def load(path: Path) -> Advisories:
    """Read all advisories of PyPI's packages from a file.

    :raises Unreadable: if it has none, or any can't be read.
    """
    by_package: dict[str, list[dict[str, Any]]] = {}
    ids, newest = set(), ""
    try:
        for advisory in _advisories(path):
            ids.add(advisory["id"])
            newest = max(newest, str(advisory["modified"])[:10])
            for name in _packages(advisory):
                by_package.setdefault(name, []).append(advisory)
    except (OSError, EOFError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Unreadable(f"{path} can't be read: {error!r}") from error
    except (zipfile.BadZipFile, zlib.error, yaml.YAMLError, RuntimeError) as error:
        raise Unreadable(f"{path} can't be read: {error!r}") from error
    if not by_package:
        raise Unreadable(f"{path} has no advisories about packages of PyPI.")
    return Advisories(by_package, len(ids), newest)


def _advisories(path: Path) -> Iterator[dict[str, Any]]:
    if not zipfile.is_zipfile(path):
        content = READERS[".json"](path.read_bytes())
        yield from content if isinstance(content, list) else [content]
        return
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if _is_advisory(name):
                yield READERS[Path(name).suffix](archive.read(name))


def _is_advisory(name: str) -> bool:
    """Tell advisories from what else the archive of a repository has."""
    path = Path(name)
    return path.suffix in READERS and (len(path.parts) == 1 or "vulns" in path.parts)


def _packages(advisory: dict[str, Any]) -> set[str]:
    return {
        canonicalize_name(affected["package"]["name"])
        for affected in advisory.get("affected", ())
        if affected.get("package", {}).get("ecosystem") == "PyPI"
    }


def report(pins: Iterable[tuple[str, str]], advisories: Advisories) -> dict[str, Any]:
    """Return what is known of the pins, in the form of pip-audit's report."""
    return {"dependencies": [_known(name, version, advisories) for name, version in pins]}


def _known(name: str, version: str, advisories: Advisories) -> dict[str, Any]:
    pin: dict[str, Any] = {"name": name, "version": version, "vulns": []}
    listed: set[str] = set()
    about = advisories.by_package.get(canonicalize_name(name), [])
    for advisory in sorted(about, key=lambda advisory: str(advisory["id"]), reverse=True):
        is_weak = affects(advisory, name, version)
        if is_weak is None:
            pin["skip_reason"] = f"{advisory['id']} can't be compared"
        names = {advisory["id"], *(advisory.get("aliases") or ())}
        if is_weak and not listed & names:
            fixed = _fixed(advisory, name)
            pin["vulns"].append({"id": advisory["id"], "fix_versions": fixed})
        if is_weak:
            listed |= names
    return pin


def _entries(advisory: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    for affected in advisory["affected"]:
        package = affected.get("package", {})
        if package.get("ecosystem") == "PyPI" and (
            canonicalize_name(package["name"]) == canonicalize_name(name)
        ):
            yield affected


def _fixed(advisory: dict[str, Any], name: str) -> list[str]:
    return [
        event["fixed"]
        for affected in _entries(advisory, name)
        for range_ in _ranges(affected)
        for event in range_["events"]
        if "fixed" in event
    ]


def _ranges(affected: dict[str, Any]) -> list[dict[str, Any]]:
    return [range_ for range_ in affected.get("ranges") or () if range_["type"] in COMPARED]


def affects(advisory: dict[str, Any], name: str, version: str) -> bool | None:
    """Return whether an advisory is about a version, or None if that can't be compared."""
    if advisory.get("withdrawn"):
        return False
    answers = [_is_affected(affected, version) for affected in _entries(advisory, name)]
    return True if True in answers else None if None in answers else False


def _is_affected(affected: dict[str, Any], version: str) -> bool | None:
    listed, ranges = affected.get("versions") or (), _ranges(affected)
    if any(_is_same(one, version) for one in listed):
        return True
    try:
        if any(_is_in(range_["events"], Version(version)) for range_ in ranges):
            return True
    except InvalidVersion:
        return False if listed else None
    return False if listed or ranges else None


def _is_same(one: str, other: str) -> bool:
    try:
        return Version(one) == Version(other)
    except InvalidVersion:
        return one == other


def _is_in(events: list[dict[str, str]], version: Version) -> bool:
    """Walk a range's events in the order of versions, as the schema's own evaluation does."""
    limits = [event["limit"] for event in events if "limit" in event]
    if limits and not any(limit == "*" or version < Version(limit) for limit in limits):
        return False
    walk = sorted(
        (_place(kind, at), ORDER.index(kind), kind)
        for event in events
        for kind, at in event.items()
        if kind in ORDER
    )
    is_in = False
    for place, _, kind in walk:
        at = place[1]
        if kind == "introduced" and (at is None or version >= at):
            is_in = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            is_in = False
    return is_in


def _place(kind: str, at: str) -> tuple[int, Any]:
    return (0, None) if (kind, at) == ("introduced", START) else (1, Version(at))
