"""Rows of the ledger: those that a move posts, and those that a correction asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..models import EventRow, Game, GameSet, LedgerRow
from ..rules.effects import PointsScored
from ..rules.log import GameLog
from . import queries
from .queries import Standing

Differing = tuple[EventRow, list[Standing], tuple[PointsScored, ...]]
"""An event, its rows in the ledger, and the different rows that its log asks for."""


def posted(
    game_set: GameSet, event: EventRow, written_by: EventRow, postings: Iterable[PointsScored]
) -> Iterator[LedgerRow]:
    """Yield the rows of an event, not saved. No query."""
    for posting in postings:
        yield LedgerRow(event=event, written_by=written_by, **content(game_set, posting))


def differences(
    game_set: GameSet, game: Game, log: GameLog, rows: Iterable[EventRow]
) -> list[Differing]:
    """Return the events whose ledger rows differ from what the log gives. One query."""
    wanted = {line.number: line.postings for line in log.lines}
    standing = queries.standing_ledger(game)
    differing = []
    for row in rows:
        stands, postings = standing.get(row.seq, []), wanted.get(row.seq, ())
        wanted_content = [tuple(content(game_set, posting).values()) for posting in postings]
        if [ledger_row.content for ledger_row in stands] != wanted_content:
            differing.append((row, stands, postings))
    return differing


def content(game_set: GameSet, posting: PointsScored) -> dict[str, Any]:
    """Return a row's columns that depend on the points alone, by attribute, in the order of
    ``Standing.content``. No query."""
    return {
        "seat_id": game_set.seat_keys[posting.player],
        "reason": posting.reason.value,
        "dealt": posting.dealt,
        "points": posting.points,
    }


def correct(
    game_set: GameSet, differing: Iterable[Differing], correction: EventRow | None = None
) -> None:
    """Make the ledger match the log: reverse wrong rows, post missing rows.

    The rows are written by ``correction``; without it each event writes its own.
    """
    rows: list[LedgerRow] = []
    for row, stands, postings in differing:
        written_by = correction or row
        rows += [_reversal(wrong, written_by) for wrong in stands]
        rows += posted(game_set, row, written_by, postings)
    LedgerRow.objects.bulk_create(rows)


def _reversal(row: Standing, written_by: EventRow) -> LedgerRow:
    return LedgerRow(
        event_id=row.event_id,
        written_by=written_by,
        seat_id=row.seat_id,
        reason=row.reason,
        dealt=row.dealt,
        points=-row.points,
        reverses_id=row.pk,
    )
