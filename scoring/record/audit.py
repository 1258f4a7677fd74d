"""Verifying a set: every log is replayed and compared with what is stored."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model, Q

from coalition_site.lib.untrusted import MalformedDocument
from decks.decks.legality import format_of

from ..models import EventRow, Game, GameRegister, GameSet, LedgerRow, SetFacts, SetResult
from ..rules import errors, sets
from ..rules.corrections import Correction
from ..rules.errors import RuleError
from ..rules.formats import RULESETS
from ..rules.log import GameLog, recall_recent
from ..rules.sets import SetState
from ..rules.state import GameState, new_game
from ..setlog import codec
from . import chaining, ledger, queries
from .commands import rolled_order

Counted = tuple[Game, GameLog]

# What the counting of a playgroup writes: groups/audit.py checks it.
OF_GROUP = {"player_id", "playgroup_id", "played_on", "mu", "sigma", "streak"}
FEATS = ("seat_id", "deck_id", "best_turn", "monarch_turns", "outlasted")


def _columns(model: type[Model], *left_out: str) -> list[str]:
    columns = [field.attname for field in model._meta.concrete_fields]
    return [name for name in columns if name not in OF_GROUP and name not in left_out]


RESULT_FIELDS = _columns(SetResult, "id", *FEATS[1:])
FACTS = _columns(SetFacts)


def faults(game_set: GameSet) -> Iterator[str]:
    """What can't be read is wrong as well: it ends the check of this set, and of no other set."""
    code = game_set.code
    try:
        for place, fault in _faults(game_set):
            yield f"set {code}{place}: {fault}"
    except Exception as error:
        yield f"set {code}: can't be checked further: {type(error).__name__}: {error}"


def missing_games() -> Iterator[str]:
    registered = GameRegister.objects.exclude(game__in=Game.objects.values("pk"))
    for row in registered.order_by("game"):
        yield f"a game of set number {row.game_set} is gone (number {row.game} of all)"


def _faults(game_set: GameSet) -> Iterator[tuple[str, str]]:
    """Yield where something is wrong with a set (", game 2", or "" for the set), and what."""
    seats = list(game_set.seats.select_related("player").order_by("number"))
    numbers = [seat.number for seat in seats]
    if (
        numbers != list(game_set.names)
        or [[seat.pk, seat.name] for seat in seats] != game_set.seating
    ):
        yield "", "the stored seating is not that of its seats"
        return
    if game_set.seal is None:
        if game_set.created_at > _since(chaining.OF_SETS):
            yield "", "it has lost its seal"
    elif game_set.seal != chaining.seal_of(game_set):
        yield "", "its seed, names, times, draft or calling are not as they were sealed"
    for seat in seats:
        if (seat.player and seat.player.playgroup_id) != game_set.playgroup_id:
            yield "", f"{seat.name} is not a player of its playgroup"
    # A table may choose any playgroup's list, as long as it is for the table's format.
    if game_set.house and game_set.house.format != format_of(game_set.ruleset):
        yield "", "its ban list is for another format"
    if game_set.draft and RULESETS[game_set.draft.ruleset].splits_into != game_set.ruleset:
        yield "", "it comes from another format's draft"
    played: list[Counted] = []
    for game in Game.objects.filter(game_set=game_set).order_by("number", "pk"):
        if not game.taken_back and game.number != len(played) + 1:
            yield "", f"game {len(played) + 1} is missing"
        for fault in _game_faults(game_set, game, played):
            yield f", game {game.number}", fault
    for fault in _result_faults(game_set, [log for _, log in played]):
        yield "", fault


def _game_faults(game_set: GameSet, game: Game, played: list[Counted]) -> Iterator[str]:
    """Yield what is wrong with a game, and add it to ``played`` if it counts."""
    rows = queries.rows(game)
    if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
        yield "the numbers of its events have gaps"
    if any(row.game_set_id != game.game_set_id for row in rows):
        yield "some of its events are another set's"
    if codec.read_state(game.state).ruleset != game_set.rules:
        yield "the stored state is of another ruleset"
    try:
        log = GameLog(_start(game_set, game, played), bounded=False)
        for row in rows:
            entry = queries.checked_entry(row)
            if row.corrects != (log.means(entry) if isinstance(entry, Correction) else None):
                yield f"event {row.seq} corrects another event than is stored"
            log.append(entry)
    except (RuleError, MalformedDocument) as error:
        yield f"its log can't be played: {error}"
        return
    if not game.taken_back:
        played.append((game, log))
    elif log.lines:
        yield "it was taken back, and has events in force"
    yield from _state_faults(game_set, game, rows, log)
    yield from _chain_faults(game, rows)
    yield from _ledger_faults(game_set, game, rows, log)


def _start(game_set: GameSet, game: Game, played: Sequence[Counted]) -> GameState:
    """:raises RuleError: if the game can't have begun like that; the dice of the first are rolled
    again."""
    order, dropped = tuple(game.turn_order), game.dropped
    if game.taken_back:  # games before it may have been corrected since
        return new_game(game_set.rules, order)
    before = SetState(
        game_set.rules,
        tuple(game_set.names),
        tuple(log.state for _, log in played),
        frozenset(seat for earlier, _ in played for seat in earlier.dropped),
    )
    if game.rolled and game.number == 1 and order != rolled_order(game_set, before, 1, dropped):
        raise errors.WrongTurnOrder()
    return sets.start_game(before, order[0], dropped=dropped, turn_order=order)


def _state_faults(
    game_set: GameSet, game: Game, rows: Sequence[EventRow], log: GameLog
) -> Iterator[str]:
    state, stored = log.state, codec.read_state(game.state)
    if stored != state or list(stored.players) != list(state.players):  # in turn order
        yield "the stored state is not what its log gives"
    if codec.read_recent(game.recent) != recall_recent(log.lines) or game.length != len(rows):
        yield "its stored latest events are not what its log gives"
    winner = game_set.seat_keys[state.winner] if state.winner else None
    if (game.status, game.winner_id, bool(game.ended_at)) != (state.status, winner, state.is_over):
        yield "its stored result is not what its log gives"
    if rows and game.last_by != rows[-1].by:
        yield "its last event is not from the scorekeeper that is stored"
    ended = rows[log.first_end - 1].at if log.first_end else None
    if (
        bool(game.first_ended_at) != bool(log.first_end)
        or (ended and ended != game.first_ended_at)
        or (game.ended_at and game.ended_at != game.first_ended_at)
    ):
        yield "it did not end when its log says"


def _chain_faults(game: Game, rows: Sequence[EventRow]) -> Iterator[str]:
    """Yield where the chain of hashes is broken; the first release wrote no hashes."""
    links, written = chaining.links(game, rows), ledger.written(game)
    for row, link in zip(rows, links[1:], strict=True):
        if row.hash is None:
            if row.at and row.at > _since(chaining.OF_EVENTS):
                yield f"event {row.seq} has lost its hash"
        elif not chaining.is_sealed(row, link, game, written.get(row.seq, ())):
            yield f"the chain of hashes is broken at event {row.seq}, or by what it wrote"
    if game.head is None:
        if any(row.hash for row in rows):
            yield "it has lost the head of its chain of hashes"
        return
    length = int(game.head.partition(":")[0])
    behind = any(row.hash for row in rows[length:])
    if behind or links[length : length + 1] != [game.head.partition(":")[2]]:
        yield "the head of its chain of hashes is not that of its log"


def _since(migration: str) -> datetime:
    """Return since when every event or set must have a seal: a day after its migration."""
    applied = MigrationRecorder.Migration.objects.filter(app="scoring", name__endswith=migration)
    at: datetime = applied.get().applied
    return at + timedelta(days=1)


def _ledger_faults(
    game_set: GameSet, game: Game, rows: Sequence[EventRow], log: GameLog
) -> Iterator[str]:
    in_force = {line.number for line in log.lines}
    for event, _, _ in ledger.differences(game_set, game, log, rows):
        if event.seq in in_force:
            yield f"the ledger of event {event.seq} is not what its log gives"
        else:
            yield f"the ledger counts event {event.seq}, which is not in force"
    # A game that was taken back may have had seats that are gone.
    sums = Counter[int]()
    seats = {key: seat for seat, key in game_set.seat_keys.items()}
    written = LedgerRow.objects.filter(event__game=game)
    for row in written.select_related("reverses", "event", "written_by"):
        sums[seats[row.seat_id]] += row.points
        wrong, writer, event = row.reverses, row.written_by, row.event
        undone = (event.pk, row.seat_id, row.reason, row.dealt, -row.points)
        if wrong and (
            wrong.reverses_id is not None
            or (wrong.event_id, wrong.seat_id, wrong.reason, wrong.dealt, wrong.points) != undone
        ):
            yield f"ledger row {row.pk} does not undo what it reverses"
        is_later = writer.game_id == event.game_id and writer.seq > event.seq
        if writer != event and not (is_later and writer.corrects is not None):
            yield f"ledger row {row.pk} was not written by event {writer.seq}"
    for seat, player in log.state.players.items():
        if sums[seat] != player.points:
            yield f"{game_set.names[seat]} has {player.points} VP, the ledger sums to {sums[seat]}"


def _result_faults(game_set: GameSet, logs: Sequence[GameLog]) -> Iterator[str]:
    played = queries.games(game_set)
    state = queries.set_state(game_set, played)
    can_count = state.has_results and len(logs) == len(played)
    wanted = queries.results(game_set, state, logs) if can_count else []
    stored = list(SetResult.objects.filter(game_set=game_set))
    if _contents(stored, RESULT_FIELDS) != _contents(wanted, RESULT_FIELDS):
        yield "its results are not what its games and decks give"
    elif not is_uncounted(game_set):
        facts = [queries.facts(game_set, state, played, logs)] if can_count else []
        of_set = SetFacts.objects.filter(game_set=game_set)
        if _contents(stored, FEATS) != _contents(wanted, FEATS) or _contents(
            of_set, FACTS
        ) != _contents(facts, FACTS):
            yield "its facts are not what its games give"
    if any(game.before not in (None, sets.points_before(state, game.number)) for game in played):
        yield "the stored VP before one of its games are not what the games give"
    if game_set.called and (state.is_playing or not played):
        yield "it is called in the middle of a game"
    if game_set.finished_at != (played[-1].ended_at if state.is_finished else None):
        yield "it is marked as finished wrongly"


def is_uncounted(game_set: GameSet) -> bool:
    """Return whether an older version wrote the set's results, without its facts. One query."""
    results = SetResult.objects.filter(game_set=game_set)
    return results.filter(Q(best_turn=None) | Q(game_set__facts=None)).exists()


def _contents(rows: Iterable[SetResult | SetFacts], fields: Iterable[str]) -> list[tuple[Any, ...]]:
    return sorted(tuple(getattr(row, field) for field in fields) for row in rows)
