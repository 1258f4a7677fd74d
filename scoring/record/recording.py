"""Writing a game's log: its events, its ledger rows, and the state stored beside them.

Two phones at one table: a move is written only if the log is still as long as when it was read, and
decided again otherwise. Whatever touches more than one game locks the set's row.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from ..models import EventRow, Game, GameSet, LedgerRow
from ..rules import engine, errors, sets
from ..rules.corrections import Amend, Correction, Entry, Undo
from ..rules.effects import PointsScored
from ..rules.log import LAST_ENTRIES, EventInForce, GameLog, Recent, recall_recent, require_room
from ..rules.move import Move
from ..rules.results import EnterResult
from ..rules.state import GameState
from ..rules.taps import Tapped
from ..setlog import codec
from ..setlog.document import LoggedGame
from . import chaining, counting, ledger, queries
from .ledger import Posted

NOON = time(12)
ATTEMPTS = 50  # each one lost means that another tap was written

# What a tap writes, as text: Django takes three times as long to write such statements.
UPDATE_GAME = """
    UPDATE scoring_game SET state = %(state)s, recent = %(recent)s, status = %(status)s,
        winner_id = %(winner_id)s, length = %(length)s, last_by = %(last_by)s, head = %(head)s,
        ended_at = %(ended_at)s, first_ended_at = %(first_ended_at)s
    WHERE id = %(game)s AND length = %(length_read)s AND taken_back = %(taken_back)s
"""
INSERT_EVENT = """
    INSERT INTO scoring_eventrow
        (game_set_id, game_id, seq, tap_id, entry, corrects, at, "by", hash)
    SELECT %(game_set_id)s, %(game_id)s, %(seq)s, %(tap_id)s, %(entry)s, %(corrects)s, %(at)s,
        %(by)s, %(hash)s
"""
INSERT_POINTS = """
    INSERT INTO scoring_ledgerrow (event_id, written_by_id, seat_id, reason, dealt, points)
    SELECT event.id, event.id, CAST(value ->> 0 AS bigint), value ->> 1,
        CAST(value ->> 2 AS integer), CAST(value ->> 3 AS integer)
"""
MOVE = {
    "sqlite": [
        UPDATE_GAME,
        INSERT_EVENT,
        f"""{INSERT_POINTS} FROM scoring_eventrow event, json_each(%(points)s)
            WHERE event.game_id = %(game_id)s AND event.seq = %(seq)s""",
    ],
    # All at once, so that a tap waits for PostgreSQL once.
    "postgresql": [
        f"""WITH game AS ({UPDATE_GAME} RETURNING id),
            event AS ({INSERT_EVENT} FROM game RETURNING id),
            points AS ({INSERT_POINTS} FROM event, jsonb_array_elements(%(points)s) value)
        SELECT id FROM event""",
    ],
}


@dataclass(frozen=True)
class Tap:
    id: UUID | None
    at: datetime | None
    by: int | None


class _Overtaken(Exception):
    """Another tap was written after the game was read."""


def record(
    game_set: GameSet,
    number: int,
    entry: Entry | Tapped,
    *,
    tap_id: UUID | None = None,
    at: datetime | None = None,
    by: int | None = None,
) -> Game:
    """A ``tap_id`` that the set has seen with the same entry changes nothing and gets the same
    answer. ``at`` is None where nobody knows the time, as in an imported log. ``by`` is the
    scorekeeper's number.

    :raises RuleError: if the rules refuse it. Nothing is written then.
    """
    game = game_set.named_game
    for _ in range(ATTEMPTS):
        if game is None or game.number != number:
            game = current_game(game_set, number)
        try:
            tap = Tap(tap_id, at, by)
            if isinstance(entry, Correction):
                return _correct(game_set, game, entry, tap)
            return _append(game_set, game, entry, tap)
        except _Overtaken:
            game = None
        except (errors.RuleError, IntegrityError):
            if tap_id and _is_repeated(game_set, number, entry, tap_id):
                return current_game(game_set, number)
            raise
    raise errors.TableIsBusy()


def _append(game_set: GameSet, game: Game, tapped: Move | Tapped, tap: Tap) -> Game:
    """Decide first, without a lock; then write in one short transaction."""
    state, before = game.current_state, game.recent_events
    move = tapped.at(state, before.targets) if isinstance(tapped, Tapped) else tapped
    story = engine.decide(state, move)
    if state.ruleset.require_new:
        state.ruleset.require_new(state, move, partial(queries.preparation, game))
    line = EventInForce(game.length + 1, move, tuple(story.effects), story.state)
    require_room(line.number, state, line.after, kept=LAST_ENTRIES)
    lately = before.after(line)
    event = _event(game, line.number, move, None, tap)
    posted: list[Posted] = []
    points: list[tuple[int, str, int, int]] = []
    for effect in story.effects:
        if isinstance(effect, PointsScored):
            facts = effect.reason.value, effect.dealt, effect.points
            posted.append((line.number, effect.player, *facts))
            points.append((game_set.seat_keys[effect.player], *facts))
    link = chaining.seal_event(chaining.last_link(game), event, game, posted)
    after, written = line.after, event | {"points": points}
    args = (game_set, game, line.number, after, lately, tap, link, written)
    # Unless it ends the game, or changes who was in it at the end, the set stays as it is.
    if not after.is_over or (state.is_over and after.in_game == state.in_game):
        is_one = len(MOVE[connection.vendor]) == 1 and connection.get_autocommit()
        with nullcontext() if is_one else transaction.atomic():
            store_state(*args)
        return game
    # The set is locked before the game, as everywhere: two locks in two orders deadlock.
    with locked(game_set):
        _require_unsplit(game_set, state, after)
        store_state(*args)
        settle(game_set)
    return game


def _correct(game_set: GameSet, game: Game, correction: Correction, tap: Tap) -> Game:
    """Replay the log without a lock; then write while the set is locked: another phone must not
    build on a game that a correction is reopening."""
    logged = queries.rows(game)
    log = queries.replayed_log(game, logged)
    was, corrects = log.state, log.means(correction)
    log.append(correction)
    lately, differing = recall_recent(log.lines), ledger.differences(game_set, game, log, logged)
    event = _event(game, log.count, correction, corrects, tap)
    posted = ledger.corrections(game_set, differing)
    link = chaining.seal_event(chaining.last_link(game), event, game, posted)

    with locked(game_set):
        require_reopenable(game_set, game, was, log.state)
        # A result that came without a time, from a notebook, ended its game on the day it is for.
        is_of_day = (logged[0].entry["type"], logged[0].at) == (EnterResult.type, None)
        if is_of_day and log.state.entered_for:
            game.first_ended_at = usual_time(log.state)
        store_state(game_set, game, log.count, log.state, lately, tap, link)
        ledger.correct(game_set, differing, EventRow.objects.create(**event))
        if was.is_over or log.state.is_over:
            settle(game_set)
    return game


def require_reopenable(game_set: GameSet, game: Game, was: GameState, state: GameState) -> None:
    """:raises RuleError: if a correction would reopen a game on which a later game builds. No query
    for a game that is in progress."""
    if game_set.called and not state.is_over:
        raise errors.SetIsCalled()
    reopens = was.is_over and not (state.is_over and state.barred == was.barred)
    later = Game.objects.filter(game_set=game_set, number=game.number + 1, taken_back=False)
    if reopens and later.exists():
        raise errors.GameBuiltOn()
    _require_unsplit(game_set, was, state)


def _require_unsplit(game_set: GameSet, was: GameState, state: GameState) -> None:
    """Refuse what would reopen a draft from which tables were made, or change its players."""
    touches = was.is_over and not (state.is_over and state.in_game == was.in_game)
    if touches and game_set.tables.exists():
        raise errors.AlreadySplit()


def _event(game: Game, seq: int, entry: Entry, corrects: int | None, tap: Tap) -> dict[str, Any]:
    return {
        "game_set_id": game.game_set_id,
        "game_id": game.pk,
        "seq": seq,
        "tap_id": tap.id,
        "entry": codec.write_entry(entry, codec.KEY_BY_SEAT),
        "corrects": corrects,
        "at": tap.at,
        "by": tap.by,
    }


def write_game(
    game_set: GameSet,
    number: int,
    logged: LoggedGame,
    log: GameLog,
    before: list[int],
    usual: datetime,
) -> None:
    """In a fixed number of statements. The ledger has what is in force: what was corrected before
    was never posted here. ``usual`` is the time of a game whose log has none."""
    until = [line.at for line in logged.events[: log.first_end]]
    known = max(filter(None, until), default=usual)
    ended = (until[-1] or known) if log.first_end else None
    game = Game.objects.create(
        game_set=game_set,
        number=number,
        turn_order=list(log.start.players),
        dropped=list(logged.dropped),
        rolled=False,
        before=before,
        length=log.count,
        started_at=min((line.at for line in logged.events if line.at), default=usual),
        ended_at=ended if log.state.is_over else None,
        first_ended_at=ended,
        **state_columns(game_set, log.state, recall_recent(log.lines)),
    )
    rows = EventRow.objects.bulk_create(_rows(game, logged, log))
    Game.objects.filter(pk=game.pk).update(head=f"{log.count}:{chaining.links(game, rows)[-1]}")
    LedgerRow.objects.bulk_create(
        row
        for line in log.lines
        for row in ledger.posted(
            game_set,
            rows[line.number - 1],
            rows[log.amended.get(line.number, line.number) - 1],
            line.postings,
        )
    )


def usual_time(state: GameState) -> datetime:
    """Return the time of a game whose log has none: noon of the day that it was entered for."""
    now, day = timezone.now(), state.entered_for
    return min(now, datetime.combine(date.fromisoformat(day), NOON, UTC)) if day else now


def _rows(game: Game, logged: LoggedGame, log: GameLog) -> Iterator[EventRow]:
    corrected = {correction: event for event, correction in log.taken_back.items()}
    link = chaining.links(game, ())[0]
    posted: dict[int, list[Posted]] = {}
    for of in log.lines:
        writer = log.amended.get(of.number, of.number)
        posted.setdefault(writer, []).extend((of.number, *posting.row) for posting in of.postings)
    for seq, line in enumerate(logged.events, 1):
        corrects = line.entry.number if isinstance(line.entry, Amend) else corrected.get(seq)
        event = _event(game, seq, line.entry, corrects, Tap(line.id, line.at, None))
        link = chaining.seal_event(link, event, game, posted.get(seq, ()))
        yield EventRow(**event)


def store_state(
    game_set: GameSet,
    game: Game,
    length: int,
    state: GameState,
    lately: Recent,
    tap: Tap,
    link: str | None,
    written: dict[str, Any] | None = None,
) -> None:
    """Store what an entry changes of its game, and lock the game's row until the transaction ends.
    ``link`` is the last event's hash; None leaves the chain of hashes as it is. ``written`` is what
    else is inserted for a move: its event, with its ``points``.

    :raises _Overtaken: if the log has grown since the game was read.
    """
    after = state_columns(game_set, state, lately)
    ended_at = (game.first_ended_at or tap.at or timezone.now()) if state.is_over else None
    after |= {
        "length": length,
        "ended_at": ended_at,
        "first_ended_at": game.first_ended_at or ended_at,
        "last_by": tap.by,
        "head": f"{length}:{link}" if link else game.head,
    }
    # A repair writes the games that were taken back too.
    as_read = {"game": game.pk, "length_read": game.length, "taken_back": game.taken_back}
    first, *others = MOVE[connection.vendor] if written else [UPDATE_GAME]
    values = _as_parameters(after | (written or {})) | as_read
    with connection.cursor() as cursor:
        cursor.execute(first, values)
        if cursor.rowcount != 1:
            raise _Overtaken()
        for statement in others:
            cursor.execute(statement, values)
    for name, value in after.items():
        setattr(game, name, value)
    game.current_state, game.recent_events = state, lately


def _as_parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    parameters = dict(values)
    for name, value in values.items():
        match value:
            case dict() | list():
                parameters[name] = connection.ops.adapt_json_value(value, None)
            case datetime():
                parameters[name] = connection.ops.adapt_datetimefield_value(value)
            case UUID():
                parameters[name] = value.hex
    return parameters


def state_columns(game_set: GameSet, state: GameState, lately: Recent) -> dict[str, Any]:
    return {
        "state": codec.write_state(state),
        "recent": codec.write_recent(lately),
        "status": state.status.value,
        "winner_id": game_set.seat_keys[state.winner] if state.winner else None,
    }


def settle(game_set: GameSet) -> None:
    """Rewrite what follows from a set's games: the VP before each, and a finished set's results."""
    played = queries.games(game_set)
    state = queries.set_state(game_set, played)
    for game in played:
        before = sets.points_before(state, game.number)
        if game.before != before:
            Game.objects.filter(pk=game.pk).update(before=before)
    game_set.finished_at = played[-1].ended_at if state.is_finished else None
    game_set.save(update_fields=["finished_at"])
    if not state.has_results:
        counting.replace(game_set, [], None)
        return
    logs = queries.replayed_logs(played)
    of_set = queries.facts(game_set, state, played, logs)
    counting.replace(game_set, queries.results(game_set, state, logs), of_set)


def _is_repeated(game_set: GameSet, number: int, repeated: Entry | Tapped, tap_id: UUID) -> bool:
    """:raises RepeatedId: if the tap is on record with other content."""
    row = EventRow.objects.filter(game_set=game_set, tap_id=tap_id).first()
    if row is None:
        return False
    entry = queries.entry_of(row)
    if isinstance(repeated, Tapped):
        same = repeated.may_have_become(entry)
    else:
        same = repeated in (entry, Undo()) if isinstance(entry, Undo) else repeated == entry
    if row.game.number != number or not same:
        raise errors.RepeatedId()
    return True


@contextmanager
def locked(game_set: GameSet) -> Iterator[None]:
    with transaction.atomic():
        lock(game_set)
        yield


def lock(game_set: GameSet) -> None:
    """Lock the set's row until the transaction ends, and reload it.

    :raises TableIsGone: if it was deleted meanwhile, as a draft's tables can be.
    """
    # NO KEY: others may meanwhile write rows that refer to the set.
    for_update = GameSet.objects.select_for_update(no_key=True)
    try:
        game_set.refresh_from_db(from_queryset=for_update)
    except GameSet.DoesNotExist as error:
        raise errors.TableIsGone() from error
    for derived in ("names", "seat_keys"):
        vars(game_set).pop(derived, None)


def current_game(game_set: GameSet, number: int) -> Game:
    """:raises NoSuchGame: if there is none of that number."""
    game = queries.find_game(game_set, number)
    if game is None:
        raise errors.NoSuchGame()
    return game
