"""What pages cost: processor time beside that of the site as it was, and bytes over the wire.

Each page is asked for whole, by one connection, as a phone does that has none of it yet. Processor
time is that of the server's processes and, on PostgreSQL, of the database.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.bench.aims import Report
from tests.bench.client import Ask, load
from tests.bench.hits import Measured
from tests.bench.rows import Row
from tests.bench.stand import Side, Size, Stand

FILE = re.compile(r'(?:href|src)="(/static/[^"#]+)')


async def asks(side: Side) -> dict[str, Ask]:
    """Return what asks for each page of a side."""
    (phone,) = await side.scorekeepers(list(side.tables)[:1])
    pages = {"scorekeeper": phone.look, "leaderboard": await side.page(f"/g/{side.group}/")}
    if side.deck:
        form = {"text": side.deck, "ruleset": "coalition-906"}
        pages["deck"] = await side.page("/decks/", form)
        pages["finder"] = await side.page("/cards/")
    return pages


async def beside(stand: Stand, size: Size, report: Report) -> list[Row]:
    """Measure the pages beside those of before and the floor's bare page."""
    bare = Measured(stand.floor, [await stand.floor.page("/page/")])
    pages = {
        side.name: {name: Measured(side, [ask]) for name, ask in (await asks(side)).items()}
        for side in stand.sides[1:]
    }
    await load([one.asks[0] for some in pages.values() for one in some.values()], 2)  # caches
    for _ in range(size.rounds):
        await bare.add(4 * size.pages)
        for name in pages["now"]:
            for some in pages.values():
                await some[name].add(size.pages)
    rows = []
    for name, one in pages["now"].items():
        rows.append((f"{name}: processor time / a bare page's", one.cost, bare.cost, ""))
        if before := pages.get("before"):
            report.add(name, stand.kind.name, one.cost / before[name].cost)
            rows.append((f"{name}: processor time / before", one.cost, before[name].cost, "0.5"))
    return rows


async def sizes(side: Side) -> tuple[dict[str, int], int]:
    """Return the bytes of the scorekeeper's page and of each file that it names, and of the answer
    to a hit."""
    (phone,) = await side.scorekeepers(list(side.tables)[:1])
    page = await phone.look()
    files = sorted(set(FILE.findall(page.text)))
    bytes_of = {Path(path).name: len((await phone.connection.fetch(path)).body) for path in files}
    await phone.hit()  # the first brings a number too
    return {"page": len(page.body)} | bytes_of, len((await phone.hit()).body)
