"""What `growth.py` measured, as tables and as a picture."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path

from tests.bench.climbs import SLOW, Climb, Step
from tests.bench.picture import Line, Panel, draw

MARKED = re.compile(r"(<!-- growth: [^>]*-->\n).*?(<!-- /growth -->)", re.S)
HEADS = {
    "tables": "database | workers | tables | taps a second | taps | p50, ms | p99, ms "
    "| cores: site | its database | client",
    "knees": "database | workers | taps a second | tables | ended by",
    "stored": "database | sets | rows | bytes | bytes a set",
}
TEXTS = {"database", "ended by", "events in"}  # columns that are not numbers
Stored = Mapping[int, tuple[int, int]]  # by sets: rows and bytes


def milliseconds(seconds: float) -> str:
    """Write a time; what was not answered in time has none.

    >>> milliseconds(0.01234), milliseconds(float("inf"))
    ('12', 'more')
    """
    return f"{seconds * 1000:,.0f}" if isfinite(seconds) else "more"


def table(head: str, rows: Sequence[Sequence[str]]) -> str:
    """Write a table of Markdown."""
    names = head.split(" | ")
    rule = ["---" if name in TEXTS else "---:" for name in names]
    lines = [f"| {' | '.join(cells)} |" for cells in (names, *rows)]
    return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:]])


def _step(climb: Climb, step: Step) -> list[str]:
    return [
        climb.database,
        str(climb.workers),
        f"{step.tables:,}",
        f"{step.rate:,.1f}",
        f"{step.taps:,}",
        milliseconds(step.p50),
        milliseconds(step.p99),
        *(f"{cores:.2f}" for cores in (step.server, step.database, step.client)),
    ]


def tables(climbs: Sequence[Climb], stored: Mapping[str, Stored]) -> str:
    """Write all tables: what a terminal shows."""
    steps = [_step(climb, step) for climb in climbs for step in climb.planned]
    sizes = [
        [name, f"{sets:,}", f"{rows:,}", f"{size:,}", f"{size / sets:,.0f}"]
        for name, some in stored.items()
        for sets, (rows, size) in some.items()
    ]
    written = [
        table(HEADS["tables"], steps),
        knees(climbs),
        "What sets leave in the database:",
        table(HEADS["stored"], sizes),
    ]
    return "\n\n".join(written)


def knees(climbs: Sequence[Climb]) -> str:
    """Write how much was borne: what the document keeps, since the picture shows the rest."""
    rows = [
        [
            climb.database,
            str(climb.workers),
            f"{climb.knee:,.0f}",
            f"{climb.knee * 10:,.0f}",
            climb.end,
        ]
        for climb in climbs
    ]
    today, cores = datetime.now(UTC).date(), os.cpu_count()
    measured = f"Measured on {today}, on {cores} cores, where the client and the database ran too."
    return f"{measured}\n\n{table(HEADS['knees'], rows)}"


def picture(climbs: Sequence[Climb], stored: Mapping[str, Stored]) -> str:
    """Draw the times of both databases, and what they store."""
    names = list(stored)
    panels = [_times(name, [one for one in climbs if one.database == name]) for name in names]
    growing = [
        Line(name, [(sets, size / 1000) for sets, (_, size) in stored[name].items()], css)
        for name, css in zip(names, "ab", strict=False)
    ]
    panels.append(Panel("Storage", "sets", "kB", growing))
    return draw("Response times by load, and bytes by sets", panels)


def _times(database: str, climbs: Sequence[Climb]) -> Panel:
    lines = []
    for share, css in (("p99", ""), ("p50", " thin")):
        for climb, hue in zip(climbs, "abc", strict=False):
            points = [(step.rate, getattr(step, share) * 1000) for step in climb.in_order]
            name = f"{share}, {climb.workers} worker{'s' if climb.workers > 1 else ''}"
            lines.append(Line(name, points, hue + css))
    return Panel(database, "taps a second", "ms", lines, SLOW * 1000)


def write(folder: Path, climbs: Sequence[Climb], stored: Mapping[str, Stored]) -> None:
    """Put the knees between the marks in growing.md, and the picture beside it."""
    document = folder / "growing.md"
    text, marks = MARKED.subn(rf"\1\n{knees(climbs)}\n\n\2", document.read_text())
    assert marks == 1, f"{document} has no marks"
    document.write_text(text)
    (folder / "growth.svg").write_text(picture(climbs, stored))
