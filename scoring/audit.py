"""The books of a set, checked: every log is played again and compared with what is kept."""

from __future__ import annotations

from collections.abc import Iterator

from . import queries
from .models import Game, LedgerRow, Seat, SetResult
from .queries import Table
from .rules import codec, recent
from .rules.errors import RuleError
from .rules.form import MalformedLog
from .rules.log import GameLog

RESULT_FIELDS = (
    "seat_id",
    "rank",
    "victory_points",
    "finished_at",
    "size",
    "games_played",
    "games_won",
    "games_at_cap",
    "games_first",
    "points_first",
    "games_last",
    "points_last",
    "hero",
    "coalition_type",
)


def faults(table: Table) -> Iterator[str]:
    """Yield what is wrong with a set, in words; nothing where the books are right."""
    code = table.game_set.code
    seats = Seat.objects.filter(game_set=table.game_set).order_by("number")
    if [[seat.pk, seat.name] for seat in seats] != table.game_set.seating:
        yield f"set {code}: the kept seating is not that of its seats"
        return
    for game in Game.objects.filter(game_set=table.game_set).order_by("number", "pk"):
        for fault in _game_faults(table, game):
            yield f"set {code}, game {game.number}: {fault}"
    for fault in _result_faults(table):
        yield f"set {code}: {fault}"


def _game_faults(table: Table, game: Game) -> Iterator[str]:
    rows = queries.rows(game)
    if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
        yield "the numbers of its events have gaps"
    try:
        log = queries.played_log(game, rows)
    except (RuleError, MalformedLog) as error:
        yield f"its log can't be played: {error}"
        return
    state = log.state
    if codec.read_state(game.state) != state:
        yield "the kept state is not what its log gives"
    if codec.read_recent(game.recent) != recent.recall(log.lines) or game.length != len(rows):
        yield "what is kept of its latest events is not what its log gives"
    winner = table.seat_keys[state.winner] if state.winner else None
    if (game.status, game.winner_id, bool(game.ended_at)) != (state.status, winner, state.is_over):
        yield "its kept result is not what its log gives"
    yield from _ledger_faults(table, game, log)


def _ledger_faults(table: Table, game: Game, log: GameLog) -> Iterator[str]:
    standing = queries.standing_ledger(game)
    for line in log.lines:
        wanted = [
            (table.seat_keys[posting.player], posting.reason, posting.dealt, posting.points)
            for posting in line.postings
        ]
        rows = standing.pop(line.number, [])
        if [(row.seat_id, row.reason, row.dealt, row.points) for row in rows] != wanted:
            yield f"the ledger of event {line.number} is not what its log gives"
    for number in standing:
        yield f"the ledger counts event {number}, which is not in force"
    yield from _sum_faults(table, game, log)


def _sum_faults(table: Table, game: Game, log: GameLog) -> Iterator[str]:
    sums = dict.fromkeys(table.names, 0)
    number = {key: number for number, key in table.seat_keys.items()}
    for row in LedgerRow.objects.filter(event__game=game).select_related("reverses"):
        sums[number[row.seat_id]] += row.points
        if row.reverses and (row.reverses.seat_id, -row.reverses.points) != (
            row.seat_id,
            row.points,
        ):
            yield f"ledger row {row.pk} does not undo what it reverses"
    for seat, player in log.state.players.items():
        if sums[seat] != player.points:
            yield f"{table.names[seat]} has {player.points} VP, the ledger sums to {sums[seat]}"


def _result_faults(table: Table) -> Iterator[str]:
    state = queries.set_state(table, queries.games(table.game_set))
    wanted = queries.results(table, state) if state.has_results else []
    kept = SetResult.objects.filter(game_set=table.game_set)
    if _contents(kept) != _contents(wanted):
        yield "its results are not what its games and decks give"
    if bool(table.game_set.finished_at) != state.is_finished:
        yield "it is marked as finished wrongly"


def _contents(results: object) -> list[tuple[object, ...]]:
    return sorted(tuple(getattr(one, field) for field in RESULT_FIELDS) for one in results)  # type: ignore[attr-defined]
