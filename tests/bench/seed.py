"""Make tables to play at, with nobody able to win or die soon; print their codes as JSON."""

from __future__ import annotations

import json
import sys

import django

django.setup()

from scoring import access  # noqa: E402
from scoring.play import commands  # noqa: E402
from scoring.rules.damage import DealDamage, Hit, Kind  # noqa: E402
from scoring.rules.formats import COALITION_906  # noqa: E402
from scoring.rules.moves import ChangeLife, Hold  # noqa: E402

PAIRS = 8


def table(events: int) -> tuple[str, str]:
    """Seat four players and record so many events; return the table's code and key."""
    key = access.new_key()
    made = commands.create_set(COALITION_906, ["Ada", "Bruno", "Marguerite", "Dmitri"], key=key)
    commands.start_game(made, 1)
    commands.record(made, 1, Hold(1, cannot_lose=False, cannot_win=True))
    commands.record(made, 1, ChangeLife({2: 9999}))
    hit = DealDamage((Hit(source=1, target=2, amount=1, kind=Kind.COMBAT),))
    for _ in range(events - 2):
        commands.record(made, 1, hit)
    return made.code, key


def main(connections: int, late: int) -> None:
    codes = {
        "tables": [table(2) for _ in range(connections)],
        "early": [table(2) for _ in range(PAIRS)],
        "late": [table(late) for _ in range(PAIRS)],
    }
    print(json.dumps(codes))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
