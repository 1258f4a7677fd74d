"""A playgroup's results as a table for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Iterator

from ..models import Playgroup, SetResult
from ..results import ratings
from .serializing import serialize_result

COLUMNS = (
    *("day", "set", "ruleset", "players", "player", "seat", "rank", "victory_points"),
    *("games_played", "games_won", "games_at_21", "hero", "coalition_type", "rating"),
)
BOM = "\ufeff"  # without it Excel takes the accents of names for other letters
# The wide signs begin a formula, too, in programs made for Chinese and Japanese.
_FORMULA = frozenset("=+-@＝＋－＠")
_BREAKS = frozenset("\t\r\n")


def export_results(group: Playgroup) -> Iterator[str]:
    yield BOM + _line(COLUMNS)
    results = SetResult.objects.filter(game_set__playgroup=group).order_by("finished_at", "rank")
    for result in results.select_related("game_set", "seat", "player").iterator():
        row = serialize_result(result) | {
            "day": result.played_on,
            "set": result.game_set.code,
            "ruleset": result.game_set.ruleset,
            "players": result.size,
            "player": result.player.name if result.player else "",
            "seat": result.seat.number,
            "victory_points": result.victory_points,
            "games_at_21": result.games_at_cap,
            "rating": "" if result.mu is None else ratings.shown(result.mu),
        }
        yield _line(row[column] for column in COLUMNS)


def is_results_csv(data: bytes) -> bool:
    begin = data.removeprefix(BOM.encode())[:100].replace(b'"', b"")  # older ones have none
    return begin.startswith(",".join(COLUMNS[:3]).encode())


def _line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_ALL).writerow(map(_without_formula, cells))
    return line.getvalue()


def _without_formula(cell: object) -> object:
    """Return a cell that no spreadsheet runs as a formula.

    >>> [_without_formula(cell) for cell in ("=1+1", "＝1+1", " @A1", "\\tA", "Ann", -1)]
    ["'=1+1", "'＝1+1", "' @A1", "'\\tA", 'Ann', -1]
    """
    if not isinstance(cell, str):
        return cell
    is_formula = cell.lstrip()[:1] in _FORMULA or cell[:1] in _BREAKS
    return f"'{cell}" if is_formula else cell
