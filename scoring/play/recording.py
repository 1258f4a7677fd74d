"""Writing a game's log: its events, its ledger rows, and the state kept beside them.

Two phones at one table: a move is written only if the log is still as long as when it was read,
and thought over again otherwise. Whatever touches more than one game holds the set's row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from ..models import EventRow, Game, GameSet, LedgerRow
from ..results import counting
from ..rules import engine, errors, recent
from ..rules.corrections import Amend, Correction, Entry, Undo
from ..rules.effects import PointsScored
from ..rules.log import GameLog, Line, require_reserve, require_room
from ..rules.move import Move
from ..rules.state import GameState
from ..rules.taps import Tapped
from ..setlog import codec
from ..setlog.document import LoggedGame
from . import chaining, queries
from .queries import Standing, Table

ATTEMPTS = 50  # each time it is overtaken, another tap was written


@dataclass(frozen=True)
class Tap:
    """What is known of an entry besides what it says."""

    id: UUID | None
    at: datetime | None
    by: int | None


Differing = tuple[EventRow, list[Standing], tuple[PointsScored, ...]]
"""An event with its rows in the ledger and, other than these, its entries by the log."""


class _Overtaken(Exception):
    """Another tap was written since the game was read."""


def record(
    table: Table,
    number: int,
    said: Entry | Tapped,
    *,
    tap_id: UUID | None = None,
    at: datetime | None = None,
    by: int | None = None,
) -> Game:
    """Add an entry to the log of game ``number``, and return the game after it.

    A ``tap_id`` that the set has seen with the same entry changes nothing and is answered like
    the first time. ``at`` is None where nobody knows the time, as in an imported log, ``by`` the
    number of the scorekeeper who says it.

    :raises RuleError: if the rules refuse. Nothing is written then.
    """
    add = _correct if isinstance(said, Correction) else _append
    game = table.game
    for _ in range(ATTEMPTS):
        if game is None or game.number != number:
            game = the_game(table, number)
        try:
            return add(table, game, said, Tap(tap_id, at, by))
        except _Overtaken:
            game = None
        except (errors.RuleError, IntegrityError):
            if tap_id and _is_repeated(table, number, said, tap_id):
                return the_game(table, number)
            raise
    raise errors.TableIsBusy()


def _append(table: Table, game: Game, said: Move | Tapped, tap: Tap) -> Game:
    """Think first, without holding anything; then write in one short transaction."""
    state, lately = codec.read_state(game.state), codec.read_recent(game.recent)
    move = said.at(state, lately.targets) if isinstance(said, Tapped) else said
    events = engine.decide(state, move)
    table.ruleset.require_new(move, partial(queries.kinds_ever, game))
    line = Line(game.length + 1, move, events, engine.play(state, events))
    require_room(line.number, state, line.after)
    require_reserve(line.number, line.after)
    row = _row(game, move, None, tap)
    link = chaining.add(chaining.last_link(game), row)
    settles = line.after.is_over and (line.after.in_game != state.in_game or not state.is_over)

    with transaction.atomic():
        if settles:
            hold(table)  # before the game's row, as everywhere: two locks in two orders deadlock
        _require_unsplit(table, state, line.after)
        keep(table, game, line.number, line.after, lately.after(line), tap, link)
        row.save(force_insert=True)
        LedgerRow.objects.bulk_create(_posted(table, row, row, line.postings))
        if settles:
            settle(table)
    return game


def _correct(table: Table, game: Game, correction: Correction, tap: Tap) -> Game:
    """Play the log again without holding anything; then write while the set is held.

    What a correction opens again, no other phone may build on meanwhile.
    """
    logged = queries.rows(game)
    log = queries.played_log(game, logged)
    was, corrects = log.state, log.means(correction)
    log.append(correction)
    lately, differing = recent.recall(log.lines), to_post_again(table, game, log, logged)
    row = _row(game, correction, corrects, tap)
    link = chaining.add(chaining.last_link(game), row)

    with held(table):
        _require_room(table, game, was, log.state)
        keep(table, game, log.count, log.state, lately, tap, link)
        row.save(force_insert=True)
        post_again(table, differing, row)
        if was.is_over or log.state.is_over:
            settle(table)
    return game


def _require_room(table: Table, game: Game, was: GameState, state: GameState) -> None:
    """A game that something builds on can't be opened again by a correction."""
    if table.game_set.called and not state.is_over:
        raise errors.SetIsCalled()
    later = Game.objects.filter(
        game_set=table.game_set, number=game.number + 1, taken_back=False
    ).exists()
    if later and not (state.is_over and state.barred == was.barred):
        raise errors.GameBuiltOn()
    _require_unsplit(table, was, state)


def _require_unsplit(table: Table, was: GameState, state: GameState) -> None:
    """A draft that tables build on must stay over, with the same players."""
    touches = was.is_over and not (state.is_over and state.in_game == was.in_game)
    if touches and table.game_set.tables.exists():
        raise errors.AlreadySplit()


def _row(game: Game, entry: Entry, corrects: int | None, tap: Tap) -> EventRow:
    """Return the next line of a game's log, not saved."""
    return EventRow(
        game_set_id=game.game_set_id,
        game=game,
        seq=game.length + 1,
        tap_id=tap.id,
        entry=codec.write_entry(entry, codec.KEY_BY_SEAT),
        corrects=corrects,
        at=tap.at,
        by=tap.by,
    )


def write_game(table: Table, number: int, logged: LoggedGame, log: GameLog) -> None:
    """Write a whole game that was played from its log, in as many statements as a short one.

    Its ledger says what is in force: what was corrected before was never posted here.
    """
    game = Game.objects.create(
        game_set=table.game_set,
        number=number,
        turn_order=list(log.start.players),
        dropped=list(logged.dropped),
        rolled=False,
        length=log.count,
        **_times(logged, log),
        **kept_with(table, log.state, recent.recall(log.lines)),
    )
    rows = EventRow.objects.bulk_create(_rows(game, logged, log))
    Game.objects.filter(pk=game.pk).update(
        head=chaining.head_of(log.count, chaining.links(game, rows)[-1])
    )
    LedgerRow.objects.bulk_create(
        row
        for line in log.lines
        for row in _posted(
            table,
            rows[line.number - 1],
            rows[log.amended.get(line.number, line.number) - 1],
            line.postings,
        )
    )


def _times(logged: LoggedGame, log: GameLog) -> dict[str, datetime | None]:
    """Return when a game began and ended, as far as its log says; else that was now."""
    now = timezone.now()
    first = log.first_end and (logged.events[log.first_end - 1].at or now)
    return {
        "started_at": min((line.at for line in logged.events if line.at), default=now),
        "ended_at": first if log.state.is_over else None,
        "first_ended_at": first,
    }


def _rows(game: Game, logged: LoggedGame, log: GameLog) -> Iterator[EventRow]:
    corrected = {correction: event for event, correction in log.taken_back.items()}
    link = chaining.links(game, ())[0]
    for seq, line in enumerate(logged.events, 1):
        amended = line.entry.number if isinstance(line.entry, Amend) else None
        row = EventRow(
            game_set_id=game.game_set_id,
            game=game,
            seq=seq,
            tap_id=line.id,
            entry=codec.write_entry(line.entry, codec.KEY_BY_SEAT),
            corrects=amended or corrected.get(seq),
            at=line.at,
        )
        link = chaining.add(link, row)
        yield row


def _posted(
    table: Table, event: EventRow, written_by: EventRow, postings: Iterable[PointsScored]
) -> Iterator[LedgerRow]:
    for posting in postings:
        yield LedgerRow(
            event=event,
            written_by=written_by,
            seat_id=table.seat_keys[posting.player],
            reason=posting.reason.value,
            dealt=posting.dealt,
            points=posting.points,
        )


def to_post_again(
    table: Table, game: Game, log: GameLog, rows: Iterable[EventRow]
) -> list[Differing]:
    """Return the events of which the ledger is not what the log says, with both. One query."""
    wanted = {line.number: line.postings for line in log.lines}
    standing = queries.standing_ledger(game)
    differing = []
    for row in rows:
        stands, postings = standing.get(row.seq, []), wanted.get(row.seq, ())
        if [one.content for one in stands] != [_content(table, one) for one in postings]:
            differing.append((row, stands, postings))
    return differing


def _content(table: Table, posting: PointsScored) -> tuple[int, str, int, int]:
    seat = table.seat_keys[posting.player]
    return seat, posting.reason.value, posting.dealt, posting.points


def post_again(
    table: Table, differing: Iterable[Differing], correction: EventRow | None = None
) -> None:
    """Make the ledger say what the log says: reverse what is wrong, post what is missing.

    ``correction`` writes what the ledger says then; without one each event writes its own rows.
    """
    posted: list[LedgerRow] = []
    for row, stands, postings in differing:
        written_by = correction or row
        posted += [_reversal(wrong, written_by) for wrong in stands]
        posted += _posted(table, row, written_by, postings)
    LedgerRow.objects.bulk_create(posted)


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


def keep(
    table: Table,
    game: Game,
    length: int,
    state: GameState,
    lately: recent.Recent,
    tap: Tap,
    link: str | None = None,
) -> None:
    """Keep the state beside the log, and hold the game's row to the end of the transaction.

    ``link`` is that of the last event; None leaves the chain of hashes as it is.

    :raises _Overtaken: if its log is not as long any more as when the game was read.
    """
    ended_at = (game.first_ended_at or tap.at or timezone.now()) if state.is_over else None
    kept = kept_with(table, state, lately) | {
        "length": length,
        "ended_at": ended_at,
        "first_ended_at": game.first_ended_at or ended_at,
        "last_by": tap.by,
        "head": chaining.head_of(length, link) if link else game.head,
    }
    as_read = Game.objects.filter(pk=game.pk, length=game.length, taken_back=game.taken_back)
    if not as_read.update(**kept):
        raise _Overtaken()
    for name, value in kept.items():
        setattr(game, name, value)


def kept_with(table: Table, state: GameState, lately: recent.Recent) -> dict[str, Any]:
    """Return the columns of a game in which its state is kept."""
    return {
        "state": codec.write_state(state),
        "recent": codec.write_recent(lately),
        "status": state.status.value,
        "winner_id": table.seat_keys[state.winner] if state.winner else None,
    }


def settle(table: Table) -> None:
    """Write a finished set's results anew; a set that goes on has none."""
    game_set, played = table.game_set, queries.games(table.game_set)
    state = queries.set_state(table, played)
    game_set.finished_at = played[-1].ended_at if state.is_finished else None
    game_set.save(update_fields=["finished_at"])
    counting.replace(game_set, queries.results(table, state) if state.has_results else [])


def _is_repeated(table: Table, number: int, said: Entry | Tapped, tap_id: UUID) -> bool:
    """Say whether a tap is on record with the same content; with other content it is refused."""
    row = EventRow.objects.filter(game_set=table.game_set, tap_id=tap_id).first()
    if row is None:
        return False
    entry = queries.entry_of(row)
    if isinstance(said, Tapped):
        same = said.could_have_said(entry)
    else:
        same = said in (entry, Undo()) if isinstance(entry, Undo) else said == entry
    if row.game.number != number or not same:
        raise errors.RepeatedId()
    return True


@contextmanager
def held(table: Table) -> Iterator[None]:
    """Hold the set's row, as it is now, to the end of the transaction."""
    with transaction.atomic():
        hold(table)
        yield


def hold(table: Table) -> None:
    """Hold the set's row to the end of the transaction, and read it anew."""
    # Without the key: rows that refer to the set may be written by others meanwhile.
    held = GameSet.objects.select_for_update(no_key=True)
    table.game_set.refresh_from_db(from_queryset=held)


def the_game(table: Table, number: int) -> Game:
    """Return a game of a set as it is now.

    :raises NoSuchGame: if it is not there.
    """
    game = queries.find_game(table, number)
    if game is None:
        raise errors.NoSuchGame()
    return game
