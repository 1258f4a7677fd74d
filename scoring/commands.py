"""The only writer of sets, games, events, ledger and results.

What was refused has written nothing. Two phones at one table: a move is written only if the game's
log is still as long as when it was read, and thought over again otherwise; whatever touches more
than one game holds the set's row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from secrets import choice, randbits
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from . import access, dice, queries
from .models import EventRow, Game, GameSet, LedgerRow, Seat, SetResult
from .queries import Table
from .rules import codec, engine, errors, recent, setlog, sets
from .rules.aim import Tapped
from .rules.events import PointsScored
from .rules.formats import Ruleset
from .rules.log import GameLog, Line
from .rules.moves import Correction, Entry, Move, Undo
from .rules.setlog import SetLog
from .rules.state import GameState

CODE_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # nothing that is misread aloud
CODE_LENGTH = 8
ATTEMPTS = 50  # each time it is overtaken, another tap was written


class NoSuchGame(errors.RuleError):
    """A stale form: the game was taken back meanwhile, or never started."""

    code = "no_such_game"
    text = "That game is not there any more. Here is the table as it stands."


class SetIsCalled(errors.RuleError):
    code = "set_is_called"
    text = "The set was called: it is finished."


class SetNotBetweenGames(errors.RuleError):
    code = "set_not_between_games"
    text = "A set can be called between games only, once one was played."


class TableIsBusy(errors.RuleError):
    """Many phones tap at once, and this tap came last each time."""

    code = "table_is_busy"
    text = "Too many taps at once. Send it again."


class _Overtaken(Exception):
    """Another tap was written since the game was read."""


def create_set(
    ruleset: Ruleset,
    names: Sequence[str],
    *,
    key: str | None = None,
    seed: int | None = None,
    at: datetime | None = None,
) -> Table:
    """Seat the players and return their table; a key that is known gives its table again.

    ``key`` is the scorekeeper's secret; None makes a set that nobody scores by a link. ``seed``
    is where the dice rolls come from, by chance unless given.
    """
    hashed = access.key_hash(key) if key else None
    try:
        return _create_set(ruleset, names, hashed, seed, at or timezone.now())
    except IntegrityError:
        return Table(GameSet.objects.get(key_hash=hashed))


def _create_set(
    ruleset: Ruleset, names: Sequence[str], hashed: str | None, seed: int | None, at: datetime
) -> Table:
    with transaction.atomic():
        game_set = GameSet.objects.create(
            code="".join(choice(CODE_ALPHABET) for _ in range(CODE_LENGTH)),
            ruleset=ruleset.key,
            seed=randbits(63) if seed is None else seed,
            key_hash=hashed,
            created_at=at,
        )
        seats = Seat.objects.bulk_create(
            Seat(game_set=game_set, number=number, name=name)
            for number, name in enumerate(names, 1)
        )
        game_set.seating = [[seat.pk, seat.name] for seat in seats]
        game_set.save(update_fields=["seating"])
    return Table(game_set)


def start_game(
    table: Table,
    number: int,
    *,
    first: int | None = None,
    turn_order: tuple[int, ...] | None = None,
    dropped: Sequence[int] = (),
    at: datetime | None = None,
) -> Game:
    """Start game ``number`` of a set, from 1; asked for again, a started game is returned as is.

    Without ``first`` the dice say who starts, or all of the turn order where the ruleset has it.

    :raises CannotStart: if it can't start.
    """
    with _held(table):
        played = queries.games(table.game_set)
        if 0 < number <= len(played):
            return played[number - 1]
        if number != len(played) + 1:
            raise NoSuchGame()
        before = queries.set_state(table, played)
        rolled = first is None
        if first is None:
            turn_order = rolled_order(table, before, number, dropped)
            first = turn_order[0]
        state = sets.start_game(before, first, dropped=dropped, turn_order=turn_order)
        return Game.objects.create(
            game_set=table.game_set,
            number=number,
            turn_order=list(state.players),
            dropped=list(dropped),
            rolled=rolled,
            started_at=at or timezone.now(),
            **_kept(table, state, recent.Recent()),
        )


def rolled_order(
    table: Table, before: sets.SetState, number: int, dropped: Iterable[int] = ()
) -> tuple[int, ...]:
    """Return the turn order that the dice and the standings give to game ``number``."""
    able = tuple(seat for seat in before.able if seat not in dropped)
    if len(able) < 2:
        raise errors.TooFewPlayers()
    start = sets.next_start(before)
    groups = start.groups if start and start.orders else (able,)
    order = tuple(
        seat
        for group in groups
        for seat in dice.highest_first(dice.roll(table.game_set.seed, number, group))
        if seat in able
    )
    return order if table.ruleset.orders_by_standing else sets.clockwise(able, order[0])


def take_back_game(table: Table, number: int) -> None:
    """Take back a game in which no event is in force: it stays on record and counts for nothing.

    :raises GameHasEvents: if it has begun.
    """
    with _held(table):
        game = _game(table, number)
        as_read = Game.objects.filter(pk=game.pk, length=game.length)
        if game.recent["lines"] or not as_read.update(taken_back=True):
            raise errors.GameHasEvents()


def change_start(
    table: Table, number: int, *, first: int | None, turn_order: tuple[int, ...] | None = None
) -> None:
    """Start a game anew that has no event in force, with another start.

    :raises RuleError: if it has begun, or can't start so. The game is then as it was.
    """
    with _held(table):
        dropped = _game(table, number).dropped
        take_back_game(table, number)
        start_game(table, number, first=first, turn_order=turn_order, dropped=dropped)


def call_set(table: Table) -> None:
    """End a set between games: it is ranked by what was played.

    :raises SetNotBetweenGames: if a game is in progress, or none was played.
    """
    with _held(table):
        if table.game_set.called:
            return
        state = queries.set_state(table, queries.games(table.game_set))
        if not state.games or state.is_playing or state.is_finished:
            raise SetNotBetweenGames()
        _set_called(table, True)


def go_on(table: Table) -> None:
    """Take back the calling of a set."""
    with _held(table):
        _set_called(table, False)


def _set_called(table: Table, called: bool) -> None:
    table.game_set.called = called
    table.game_set.save(update_fields=["called"])
    _settle(table)


def change_key(table: Table, key: str | None) -> None:
    """Replace the scorekeeper's secret; the old link and every browser with it are locked out."""
    with _held(table):
        table.game_set.key_hash = access.key_hash(key) if key else None
        table.game_set.save(update_fields=["key_hash"])


def record(
    table: Table,
    number: int,
    said: Entry | Tapped,
    *,
    tap_id: UUID | None = None,
    at: datetime | None = None,
) -> Game:
    """Add an entry to the log of game ``number``, and return the game after it.

    A ``tap_id`` that the set has seen with the same entry changes nothing and is answered like
    the first time. ``at`` is None where nobody knows the time, as in an imported log.

    :raises RuleError: if the rules refuse. Nothing is written then.
    """
    add = _correct if isinstance(said, Correction) else _append
    game = table.game
    for _ in range(ATTEMPTS):
        if game is None or game.number != number:
            game = _game(table, number)
        try:
            return add(table, game, said, tap_id, at)
        except _Overtaken:
            game = None
        except (errors.RuleError, IntegrityError):
            if tap_id and _is_repeated(table, number, said, tap_id):
                return _game(table, number)
            raise
    raise TableIsBusy()


def _append(
    table: Table, game: Game, said: Move | Tapped, tap_id: UUID | None, at: datetime | None
) -> Game:
    """Think first, without holding anything; then write in one short transaction."""
    state, lately = codec.read_state(game.state), codec.read_recent(game.recent)
    move = said.at(state, lately.targets) if isinstance(said, Tapped) else said
    events = engine.decide(state, move)
    line = Line(game.length + 1, move, events, engine.play(state, events))

    with transaction.atomic():
        if line.after.is_over:
            _hold(table)  # before the game's row, as everywhere: two locks in two orders deadlock
        _keep(table, game, line.number, line.after, lately.after(line), at)
        row = _write(game, move, None, tap_id, at)
        LedgerRow.objects.bulk_create(_posted(table, row, row, line.postings))
        if line.after.is_over:
            _settle(table)
    return game


def _correct(
    table: Table, game: Game, correction: Correction, tap_id: UUID | None, at: datetime | None
) -> Game:
    """Hold the set: what a correction opens again, no other phone may build on meanwhile."""
    with _held(table):
        logged = queries.rows(game)
        log = queries.played_log(game, logged)
        was, corrects = log.state, log.means(correction)
        log.append(correction)
        _require_room(table, game, was, log.state)

        _keep(table, game, log.count, log.state, recent.recall(log.lines), at)
        row = _write(game, correction, corrects, tap_id, at)
        _post_again(table, game, log, [*logged, row])
        if was.is_over or log.state.is_over:
            _settle(table)
    return game


def _require_room(table: Table, game: Game, was: GameState, state: GameState) -> None:
    """A game that something builds on can't be opened again by a correction."""
    if table.game_set.called and not state.is_over:
        raise SetIsCalled()
    later = Game.objects.filter(
        game_set=table.game_set, number=game.number + 1, taken_back=False
    ).exists()
    if later and not (state.is_over and state.barred == was.barred):
        raise errors.GameBuiltOn()


def _write(
    game: Game, entry: Entry, corrects: int | None, tap_id: UUID | None, at: datetime | None
) -> EventRow:
    return EventRow.objects.create(
        game_set_id=game.game_set_id,
        game=game,
        seq=game.length,
        tap_id=tap_id,
        entry=codec.write_entry(entry, codec.KEY_BY_SEAT),
        corrects=corrects,
        at=at,
    )


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


def _post_again(table: Table, game: Game, log: GameLog, rows: Sequence[EventRow]) -> None:
    """Make the ledger say what the log says: reverse what is wrong, post what is missing."""
    written_by = rows[-1]
    wanted = {line.number: line.postings for line in log.lines}
    posted: list[LedgerRow] = []
    standing = queries.standing_ledger(game)
    for row in rows:
        stands = standing.get(row.seq, [])
        fresh = list(_posted(table, row, written_by, wanted.get(row.seq, ())))
        if list(map(_content, stands)) != list(map(_content, fresh)):
            posted += [_reversal(wrong, written_by) for wrong in stands] + fresh
    LedgerRow.objects.bulk_create(posted)


def _content(row: LedgerRow) -> tuple[int, str, int, int]:
    return row.seat_id, row.reason, row.dealt, row.points


def _reversal(row: LedgerRow, written_by: EventRow) -> LedgerRow:
    return LedgerRow(
        event_id=row.event_id,
        written_by=written_by,
        seat_id=row.seat_id,
        reason=row.reason,
        dealt=row.dealt,
        points=-row.points,
        reverses=row,
    )


def _keep(
    table: Table,
    game: Game,
    length: int,
    state: GameState,
    lately: recent.Recent,
    at: datetime | None,
) -> None:
    """Keep the state beside the log, and hold the game's row to the end of the transaction.

    :raises _Overtaken: if its log is not as long any more as when the game was read.
    """
    kept = _kept(table, state, lately) | {
        "length": length,
        "ended_at": (game.ended_at or at or timezone.now()) if state.is_over else None,
    }
    as_read = Game.objects.filter(pk=game.pk, length=game.length, taken_back=False)
    if not as_read.update(**kept):
        raise _Overtaken()
    for name, value in kept.items():
        setattr(game, name, value)


def _kept(table: Table, state: GameState, lately: recent.Recent) -> dict[str, Any]:
    return {
        "state": codec.write_state(state),
        "recent": codec.write_recent(lately),
        "status": state.status.value,
        "winner_id": table.seat_keys[state.winner] if state.winner else None,
    }


def _settle(table: Table) -> None:
    """Write a finished set's results anew; a set that goes on has none."""
    game_set, played = table.game_set, queries.games(table.game_set)
    state = queries.set_state(table, played)
    game_set.finished_at = played[-1].ended_at if state.is_finished else None
    game_set.save(update_fields=["finished_at"])
    SetResult.objects.filter(game_set=game_set).delete()
    if state.is_finished:
        SetResult.objects.bulk_create(queries.results(table, state))


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
def _held(table: Table) -> Iterator[None]:
    """Hold the set's row, as it is now, to the end of the transaction."""
    with transaction.atomic():
        _hold(table)
        yield


def _hold(table: Table) -> None:
    # Without the key: rows that refer to the set may be written by others meanwhile.
    held = GameSet.objects.select_for_update(no_key=True)
    table.game_set.refresh_from_db(from_queryset=held)


def _game(table: Table, number: int) -> Game:
    game = queries.find_game(table, number)
    if game is None:
        raise NoSuchGame()
    return game


def store(log: SetLog, *, key: str | None = None) -> Table:
    """Store a whole set from its log; repeated lines are left out.

    :raises RuleError: if the log can't be played; nothing is stored then.
    """
    log = setlog.without_repeats(log)
    failure = setlog.play(log).failure
    if failure:
        raise failure.refusal
    with transaction.atomic():
        table = create_set(log.ruleset, log.names, key=key, at=_begun(log))
        for number, game in enumerate(log.games, 1):
            _store_game(table, number, game)
        if log.called:
            _set_called(table, True)
    return table


def _begun(log: SetLog) -> datetime | None:
    """Return the time of a log's first event that has one."""
    times = [line.at for game in log.games for line in game.events if line.at]
    return min(times, default=None)


def _store_game(table: Table, number: int, game: setlog.LoggedGame) -> None:
    times = [line.at for line in game.events if line.at]
    start_game(
        table,
        number,
        first=game.starting_player,
        turn_order=game.turn_order,
        dropped=game.dropped,
        at=min(times, default=None),
    )
    for line in game.events:
        record(table, number, line.entry, tap_id=line.id, at=line.at)


def repair(table: Table) -> None:
    """Rebuild what is kept beside the logs of a set: states, ledger and results."""
    with _held(table):
        seats = Seat.objects.filter(game_set=table.game_set).order_by("number")
        table.game_set.seating = [[seat.pk, seat.name] for seat in seats]
        table.game_set.save(update_fields=["seating"])
        table = Table(table.game_set)
        for game in Game.objects.filter(game_set=table.game_set).order_by("number"):
            rows = queries.rows(game)
            log = queries.played_log(game, rows)
            if rows:
                _post_again(table, game, log, rows)
            ended = rows[-1].at if rows else None
            _keep(table, game, len(rows), log.state, recent.recall(log.lines), ended)
        _settle(table)
