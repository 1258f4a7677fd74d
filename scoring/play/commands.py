"""Commands on a set: with ``recording.py`` the only writers of the record.

A refused command has written nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from secrets import randbits

from django.db import IntegrityError, transaction
from django.utils import timezone

from coalition_site.lib.keys import new_code
from decks.models import BanList, DeckRevision

from .. import access
from ..models import Game, GameSet, Playgroup, Seat
from ..play.seating import house_of, seat_players
from ..rules import errors, recent, sets
from ..rules.ruleset import Ruleset
from ..setlog import document
from ..setlog.document import SetLog
from . import chaining, decks, queries, starting
from .queries import Table
from .recording import (
    Tap,
    correct_ledger,
    current_game,
    ledger_differences,
    locked,
    record,
    settle,
    state_columns,
    store_state,
    write_game,
)

__all__ = [
    "bring_deck",
    "call_set",
    "change_key",
    "change_start",
    "create_set",
    "record",
    "reopen_set",
    "repair",
    "start_game",
    "store",
    "take_back_game",
    "use_ban_list",
]


def create_set(
    ruleset: Ruleset,
    names: Sequence[str],
    *,
    key: str | None = None,
    seed: int | None = None,
    at: datetime | None = None,
    playgroup: Playgroup | None = None,
    draft: GameSet | None = None,
) -> Table:
    """Seat the players and return their table; a key that exists returns its table.

    ``key`` is the scorekeeper's secret; None creates a set that nobody scores by a link. Dice rolls
    come from ``seed``, which is random unless given. In a ``playgroup`` the seats belong to its
    players of those names. ``draft`` is the draft that the players come from.

    :raises GroupRefused: if two of them are the same person there; nothing is stored then.
    """
    hashed = access.key_hash(key) if key else None
    try:
        return _create_set(ruleset, names, hashed, seed, at or timezone.now(), playgroup, draft)
    except IntegrityError:
        existing = GameSet.objects.filter(key_hash=hashed).first() if hashed else None
        if existing is None:
            raise
        return Table(existing)


def _create_set(
    ruleset: Ruleset,
    names: Sequence[str],
    hashed: str | None,
    seed: int | None,
    at: datetime,
    playgroup: Playgroup | None,
    draft: GameSet | None,
) -> Table:
    with transaction.atomic():
        game_set = GameSet.objects.create(
            code=new_code(),
            ruleset=ruleset.key,
            seed=randbits(63) if seed is None else seed,
            key_hash=hashed,
            created_at=at,
            playgroup=playgroup,
            house=house_of(playgroup, ruleset.key) if playgroup else None,
            draft=draft,
        )
        players = seat_players(playgroup, names) if playgroup else [None] * len(names)
        seats = Seat.objects.bulk_create(
            Seat(game_set=game_set, number=number, name=name, player=player)
            for number, (name, player) in enumerate(zip(names, players, strict=True), 1)
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
    by: int | None = None,
) -> Game:
    """Start game ``number`` of a set, from 1; a game that has started is returned as it is.

    Without ``first`` the dice decide who starts, or the whole turn order in some rulesets. ``by``
    is the number of the scorekeeper who starts it.

    :raises CannotStart: if it can't start.
    """
    with locked(table):
        played = queries.games(table.game_set)
        if 0 < number <= len(played):
            return played[number - 1]
        if number != len(played) + 1:
            raise errors.NoSuchGame()
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
            last_by=by,
            **state_columns(table, state, recent.Recent()),
        )


def rolled_order(
    table: Table, before: sets.SetState, number: int, dropped: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the turn order of game ``number`` by the standings and the dice."""
    able = tuple(seat for seat in before.able if seat not in dropped)
    if len(able) < 2:
        raise errors.TooFewPlayers()
    rolled = starting.rolls(table, number, starting.rolling_groups(before, dropped))
    order = tuple(seat for seat in starting.order(rolled) if seat in able)
    return order if table.ruleset.orders_by_standing else sets.clockwise(able, order[0])


def take_back_game(table: Table, number: int) -> None:
    """Take back a game without events in force: it stays on record and counts for nothing.

    :raises GameHasEvents: if it has begun.
    """
    with locked(table):
        game = current_game(table, number)
        as_read = Game.objects.filter(pk=game.pk, length=game.length)
        if game.recent["lines"] or not as_read.update(taken_back=True):
            raise errors.GameHasEvents()


def change_start(
    table: Table, number: int, *, first: int | None, turn_order: tuple[int, ...] | None = None
) -> None:
    """Restart a game without events in force with another start; repeating that changes nothing.

    :raises RuleError: if it has begun, or can't start like that. The game is then unchanged.
    """
    with locked(table):
        game = current_game(table, number)
        is_same = game.turn_order[0] == first and turn_order in (None, tuple(game.turn_order))
        if is_same and not game.rolled:
            return
        take_back_game(table, number)
        start_game(table, number, first=first, turn_order=turn_order, dropped=game.dropped)


def call_set(table: Table) -> None:
    """End a set between games: the games played so far rank it.

    :raises SetNotBetweenGames: if a game is in progress, or none was played.
    """
    with locked(table):
        if table.game_set.called:
            return
        state = queries.set_state(table, queries.games(table.game_set))
        if not state.games or state.is_playing or state.is_finished:
            raise errors.SetNotBetweenGames()
        _set_called(table, True)


def reopen_set(table: Table) -> None:
    """Take back the calling of a set, so that it can continue."""
    with locked(table):
        _set_called(table, False)


def _set_called(table: Table, called: bool) -> None:
    table.game_set.called = called
    table.game_set.save(update_fields=["called"])
    settle(table)


def change_key(table: Table, key: str | None) -> None:
    """Replace the scorekeeper's secret, which locks out the old link and every browser with it."""
    with locked(table):
        table.game_set.key_hash = access.key_hash(key) if key else None
        table.game_set.save(update_fields=["key_hash"])


def bring_deck(table: Table, seat: int, revision: DeckRevision | None) -> None:
    """Give a seat a deck, checked today under the set's ruleset; None takes it off.

    Possible during a game too, since people forget.

    :raises SetIsFinished: if the set is finished.
    :raises WrongFormat: if the deck is for another format.
    :raises IllegalDeck: if it is not legal, and its ban list refuses illegal decks.
    """
    with _locked_unfinished(table):
        decks.assign(table, seat, revision, table.game_set.house)


def use_ban_list(table: Table, house: BanList | None) -> None:
    """Check the decks at a table by a playgroup's list from now on; None is the format's list.

    :raises SetIsFinished: if the set is finished.
    :raises IllegalDeck: if the list refuses a deck at the table. Nothing is changed then.
    """
    with _locked_unfinished(table):
        GameSet.objects.filter(pk=table.game_set.pk).update(house=house)
        decks.check_again(table, house)


@contextmanager
def _locked_unfinished(table: Table) -> Iterator[None]:
    with locked(table):
        if table.game_set.finished_at:
            raise errors.SetIsFinished()
        yield


def store(log: SetLog, *, key: str | None = None) -> Table:
    """Store a whole set from its log; repeated events are left out.

    :raises RuleError: if the log can't be played; nothing is stored then.
    """
    played = document.play(document.without_repeats(log))
    if played.failure:
        raise played.failure.refusal
    with transaction.atomic():
        table = create_set(log.ruleset, log.names, key=key, at=_first_time(log))
        games = zip(played.log.games, played.games, strict=True)
        for number, (logged, game) in enumerate(games, 1):
            write_game(table, number, logged, game)
        _set_called(table, log.called)
    return table


def _first_time(log: SetLog) -> datetime | None:
    """Return the time of a log's first event that has one."""
    times = [line.at for game in log.games for line in game.events if line.at]
    return min(times, default=None)


def repair(table: Table) -> None:
    """Rebuild what is stored beside the logs of a set: states, ledger and results.

    :raises RuleError, MalformedDocument: if a log can't be played. Nothing is repaired then.
    """
    with locked(table):
        seats = Seat.objects.filter(game_set=table.game_set).order_by("number")
        table.game_set.seating = [[seat.pk, seat.name] for seat in seats]
        table.game_set.save(update_fields=["seating"])
        table = Table(table.game_set)
        for game in Game.objects.filter(game_set=table.game_set).order_by("number"):
            rows = queries.rows(game)
            log = queries.checked_log(game, rows)
            correct_ledger(table, ledger_differences(table, game, log, rows))
            ended = rows[log.first_end - 1].at if log.first_end else None
            game.first_ended_at = ended or (game.first_ended_at if log.first_end else None)
            last = Tap(None, rows[-1].at, rows[-1].by) if rows else Tap(None, None, None)
            link = chaining.links(game, rows)[-1] if rows and not game.head else None
            store_state(table, game, len(rows), log.state, recent.recall(log.lines), last, link)
        settle(table)
