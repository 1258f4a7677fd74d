"""Measure what the API answers about a playgroup with many finished sets beside one with few.

    python -m tests.bench.api

Works on the database of DATABASE_URL, migrated; prints its rows as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import django

django.setup()

from django.http import HttpResponse  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from scoring.models import Playgroup  # noqa: E402
from tests.bench.board import FEW, MANY, group  # noqa: E402
from tests.bench.cards import beside, settle  # noqa: E402

MOST = "1.5"  # times as long with many sets
# A page has 50 sets and the few are 10; a player's rating is read from 60 sets, and few have 4.
BY_LENGTH = {"sets": "5.0", "player": "2.0"}
OF_GROUPS = (
    *("playgroup", "players", "board", "records", "seasons", "evenings", "sets"),
    *("player", "season", "evening"),
)


def asks(of: Playgroup) -> dict[str, Callable[[], HttpResponse]]:
    """Return what asks for each answer about a playgroup, or about what it has."""
    args = {
        "player": [of.code, of.players.get(name="Player 0").pk],
        "season": [of.code, of.seasons.get().pk],
        "evening": [of.code, of.evenings.get().number],
    }
    client = Client(headers={"host": "localhost"})
    where = {name: reverse(f"api_{name}", args=args.get(name, [of.code])) for name in OF_GROUPS}
    return {name: lambda path=path: client.get(path) for name, path in where.items()}


def rows() -> Iterator[tuple[str, float, float, str]]:
    many, few = (asks(group(sets)) for sets in (MANY, FEW))
    settle()
    for name, ask in many.items():
        yield beside(
            f"API, {name} of {MANY} sets / of {FEW}", ask, few[name], BY_LENGTH.get(name, MOST)
        )


def main() -> None:
    print(json.dumps(list(rows())))


if __name__ == "__main__":
    main()
