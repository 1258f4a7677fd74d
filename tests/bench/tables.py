"""Make tables and a playgroup to measure, and tell what is on record, as JSON; measures nothing.

python -m tests.bench.tables endless N    N tables at which nobody can win or die soon
python -m tests.bench.tables played N     N tables with their first game begun
python -m tests.bench.tables group        a playgroup without sets
python -m tests.bench.tables taps         each tap on record: table, tap, entry, what it corrects
"""

import json
import sys

import django

django.setup()

from scoring import access  # noqa: E402
from scoring.groups.settings.commands import create_playgroup  # noqa: E402
from scoring.models import EventRow, GameSet  # noqa: E402
from scoring.record import commands  # noqa: E402
from scoring.rules.formats import COALITION_906  # noqa: E402
from scoring.rules.moves import ChangeLife, Hold  # noqa: E402


def played() -> tuple[str, str]:
    """Seat four players and start their first game; return the table's code and key."""
    key = access.new_key()
    made = commands.create_set(COALITION_906, ["Ada", "Bruno", "Marguerite", "Dmitri"], key=key)
    commands.start_game(made, 1)
    return made.code, key


def endless() -> tuple[str, str]:
    code, key = played()
    made = GameSet.objects.get(code=code)
    commands.record(made, 1, Hold(1, cannot_lose=False, cannot_win=True))
    commands.record(made, 1, ChangeLife({2: 9999}))
    return code, key


def group() -> str:
    return create_playgroup("Bench", None, visibility="public", ruleset=COALITION_906.key).code


def taps() -> list[tuple[object, ...]]:
    rows = EventRow.objects.exclude(tap_id=None).order_by("pk")
    taps = rows.values_list("game_set__code", "tap_id", "entry", "corrects")
    return [(code, str(tap), entry, corrects) for code, tap, entry, corrects in taps]


def main(what: str, count: int = 1) -> None:
    output = {
        "endless": lambda: [endless() for _ in range(count)],
        "played": lambda: [played() for _ in range(count)],
        "group": group,
        "taps": taps,
    }
    print(json.dumps(output[what]()))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
