"""Rows of the ledger: those that a move posts, and those that a correction asks for."""

from collections.abc import Iterable, Iterator

from ..models import EventRow, Game, GameSet, LedgerRow
from ..rules.effects import PointsScored
from ..rules.log import GameLog
from . import queries

Differing = tuple[EventRow, list[LedgerRow], tuple[PointsScored, ...]]
"""An event, its rows in the ledger, and the different rows that its log asks for."""
Posted = tuple[int, int, str, int, int]
"""A row as it is sealed: its event's number, seat number, reason, damage dealt and points."""


def posted(
    game_set: GameSet, event: EventRow, written_by: EventRow, postings: Iterable[PointsScored]
) -> Iterator[LedgerRow]:
    for posting in postings:
        seat, reason, dealt, points = posting.row
        yield LedgerRow(
            event=event,
            written_by=written_by,
            seat_id=game_set.seat_keys[seat],
            reason=reason,
            dealt=dealt,
            points=points,
        )


def differences(
    game_set: GameSet, game: Game, log: GameLog, rows: Iterable[EventRow]
) -> list[Differing]:
    wanted = {line.number: line.postings for line in log.lines}
    standing = queries.standing_ledger(game)
    number = {key: number for number, key in game_set.seat_keys.items()}
    differing = []
    for row in rows:
        stands, postings = standing.get(row.seq, []), wanted.get(row.seq, ())
        its = [(number.get(one.seat_id), one.reason, one.dealt, one.points) for one in stands]
        if its != [posting.row for posting in postings]:
            differing.append((row, stands, postings))
    return differing


def corrections(game_set: GameSet, differing: Iterable[Differing]) -> Iterator[Posted]:
    """Yield the rows that ``correct`` writes, as the correction's seal has them. No query."""
    number = {key: number for number, key in game_set.seat_keys.items()}
    for row, stands, postings in differing:
        for wrong in stands:
            yield row.seq, number[wrong.seat_id], wrong.reason, wrong.dealt, -wrong.points
        for posting in postings:
            yield row.seq, *posting.row


def written(game: Game) -> dict[int, list[Posted]]:
    """Repairs, which reverse a row by its own event, are left out. One query."""
    rows = list(
        LedgerRow.objects.filter(written_by__game=game).select_related(
            "event", "written_by", "seat"
        )
    )
    repairs = [row for row in rows if row.reverses_id and row.written_by_id == row.event_id]
    repaired = {key for row in repairs for key in (row.pk, row.reverses_id)}
    posted: dict[int, list[Posted]] = {}
    for row in rows:
        if row.pk not in repaired:
            fields = row.event.seq, row.seat.number, row.reason, row.dealt, row.points
            posted.setdefault(row.written_by.seq, []).append(fields)
    return posted


def correct(
    game_set: GameSet, differing: Iterable[Differing], correction: EventRow | None = None
) -> None:
    """The rows are written by ``correction``. Without it each event reverses its own, and what
    wrote a wrong row writes the right one."""
    rows: list[LedgerRow] = []
    for row, stands, postings in differing:
        written_by = correction or row
        rows += [
            LedgerRow(
                event_id=wrong.event_id,
                written_by=written_by,
                seat_id=wrong.seat_id,
                reason=wrong.reason,
                dealt=wrong.dealt,
                points=-wrong.points,
                reverses=wrong,
            )
            for wrong in stands
        ]
        if stands and not correction:
            written_by = EventRow(pk=stands[0].written_by_id)
        rows += posted(game_set, row, written_by, postings)
    LedgerRow.objects.bulk_create(rows)
