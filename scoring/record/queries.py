"""Reading the record: tables, their games as the rules see them, and their logs."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, cast
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from coalition_site.lib.prepared import PreparedSelect
from coalition_site.lib.untrusted import StoredNode
from decks.decks.legality import format_of

from ..models import EventRow, Game, GameSet, LedgerRow, Seat, SeatLink, SetFacts, SetResult
from ..rules import recap, sets
from ..rules.corrections import Entry, Undo
from ..rules.formats import RULESETS
from ..rules.log import GameLog, Recent, RecentEvent
from ..rules.ruleset import Preparation
from ..rules.state import GameState, new_game
from ..setlog import codec
from ..setlog.document import LoggedEntry, LoggedGame, SetLog

OPEN_MAX = 64  # seats
Played = tuple[GameSet, list[Game]]


def deck_format(game_set: GameSet) -> str:
    """Return the format of the decks in a set; "" where decks have no rules."""
    return format_of(game_set.ruleset)


# Written once where each tap reads: Django takes four times as long to write one.
SET = PreparedSelect(lambda code: GameSet.objects.select_related("playgroup").filter(code=code))
SET_AND_GAME = PreparedSelect(
    lambda code, number: Game.objects.select_related("game_set__playgroup").filter(
        game_set__code=code, number=number, taken_back=False
    )
)
GAMES = PreparedSelect(
    lambda key: Game.objects.filter(game_set=key, taken_back=False).order_by("number")
)


def find_set(code: str, number: int | None = None) -> GameSet | None:
    """Return a set; with a game's number, its ``named_game`` where there is such a game now."""
    game = SET_AND_GAME.only(code, number) if number else None
    if game is None:
        return SET.only(code)
    game.game_set.named_game = game
    return game.game_set


def a_day_from_now() -> datetime:
    """Return the latest time that an imported record may have: clocks and zones differ."""
    return timezone.now() + timedelta(days=1)


def games(game_set: GameSet) -> list[Game]:
    return GAMES.all(game_set.pk)


def day_of(game_set: GameSet, played: Sequence[Game], zone: tzinfo) -> date:
    """Return the day for which a set counts: that of its first game."""
    entered = played[0].current_state.entered_for if played else ""
    if entered:
        return date.fromisoformat(entered)
    began = played[0].started_at if played else game_set.created_at
    with suppress(OverflowError):  # the first release imported any time of the calendar
        began = began.astimezone(zone)
    return began.date()


def find_game(game_set: GameSet, number: int) -> Game | None:
    return Game.objects.filter(game_set=game_set, number=number, taken_back=False).first()


def version(game_set: GameSet, played: list[Game], *more: str) -> str:
    """Return an ETag that changes with everything a board shows. No query."""
    games: list[tuple[Any, ...]] = []
    for game in played:
        facts = (game.pk, game.length, game.status, game.turn_order, game.before, game.confirmed)
        games.append(facts)
    seats = (game_set.seating, game_set.heroes)
    visible = (games, game_set.called, seats, game_set.playgroup_id, more)
    return f'"{hashlib.sha256(repr(visible).encode()).hexdigest()[:16]}"'


def set_state(game_set: GameSet, played: list[Game]) -> sets.SetState:
    return sets.SetState(
        game_set.rules,
        tuple(game_set.names),
        tuple(game.current_state for game in played),
        frozenset(seat for game in played for seat in game.dropped),
        game_set.called,
    )


def event_of(game_set: GameSet, number: int, tap_id: UUID) -> int | None:
    rows = EventRow.objects.filter(game_set=game_set, game__number=number, tap_id=tap_id)
    return rows.values_list("seq", flat=True).first()


def entry_of(row: EventRow) -> Entry:
    """Return the entry of a row of the log; an undo names the event that it took back."""
    return Undo(row.corrects) if row.entry["type"] == "undo" else codec.stored_entry(row.entry)


def checked_entry(row: EventRow) -> Entry:
    """:raises MalformedDocument: if somebody tampered with it."""
    entry = codec.read_entry(StoredNode(row.entry, ""), codec.SEAT_BY_KEY)
    return Undo(row.corrects) if isinstance(entry, Undo) else entry


def rows(game: Game) -> list[EventRow]:
    return list(EventRow.objects.filter(game=game).order_by("seq"))


def preparation(game: Game) -> Preparation:
    """Two queries."""
    linked = SeatLink.objects.filter(seat__game_set=game.game_set_id)
    return Preparation(
        tuple(map(entry_of, rows(game))),
        frozenset(linked.values_list("seat__number", flat=True)),
        {int(seat): words for seat, words in game.ready.items()},
    )


def replayed_log(game: Game, logged: list[EventRow], *, upto: int | None = None) -> GameLog:
    return GameLog.recall(_started(game), map(entry_of, logged), upto=upto)


def checked_log(game: Game, logged: list[EventRow]) -> GameLog:
    """:raises RuleError: if an event or correction of the log was not possible."""
    return GameLog(_started(game), map(checked_entry, logged), bounded=False)


def _started(game: Game) -> GameState:
    return new_game(RULESETS[game.state["ruleset"]], tuple(game.turn_order))


def set_log(game_set: GameSet) -> SetLog:
    played = games(game_set)
    logged = _rows_of(played)
    logs = tuple(logged_game(game, logged[game.pk]) for game in played)
    return SetLog(game_set.rules, tuple(game_set.names.values()), logs, game_set.called)


def logged_game(game: Game, logged: list[EventRow]) -> LoggedGame:
    order = tuple(game.turn_order)
    seating = sets.clockwise(tuple(sorted(order)), order[0])
    return LoggedGame(
        order[0],
        tuple(LoggedEntry(entry_of(row), row.tap_id, row.at) for row in logged),
        tuple(game.dropped),
        None if order == seating else order,
    )


def standing_ledger(game: Game) -> dict[int, list[LedgerRow]]:
    """Return the rows of a game's ledger that no other row reverses, by event. One query."""
    standing: dict[int, list[LedgerRow]] = {}
    rows = list(
        LedgerRow.objects.filter(event__game=game).annotate(seq=F("event__seq")).order_by("pk")
    )
    reversed_keys = {row.reverses_id for row in rows}
    for row in rows:
        # Filtered here: in SQL, SQLite would search the whole ledger for rows that reverse nothing.
        if row.reverses_id is None and row.pk not in reversed_keys:
            standing.setdefault(row.seq, []).append(row)
    return standing


def results(game_set: GameSet, state: sets.SetState, logs: Sequence[GameLog]) -> list[SetResult]:
    """They are not saved. One query."""
    seats = {seat.number: seat for seat in game_set.seats.annotate(whole_deck=F("deck__deck"))}
    done = recap.stats_of_set(state, logs)
    return [
        SetResult(
            game_set=game_set,
            seat_id=game_set.seat_keys[standing.player],
            rank=standing.rank,
            victory_points=standing.victory_points,
            finished_at=cast(datetime, game_set.finished_at),
            size=len(state.seats),
            hero=seats[standing.player].led_by.name,
            coalition_type=seats[standing.player].led_by.type,
            deck_id=seats[standing.player].whole_deck,
            **sets.sums(state, standing.player, map(recap.turn_order, logs)),
            best_turn=max(of_game[standing.player].best_turn for of_game in done),
            monarch_turns=sum(of_game[standing.player].monarch_turns for of_game in done),
            outlasted=sum(of_game[standing.player].outlasted for of_game in done),
        )
        for standing in sets.standings(state)
    ]


def facts(
    game_set: GameSet, state: sets.SetState, played: Sequence[Game], logs: Sequence[GameLog]
) -> SetFacts:
    minutes = []
    for game in played:  # imported games may have no times, or odd ones
        end = None if game.current_state.entered_for else game.ended_at
        seconds = (end - game.started_at).total_seconds() if end else 0
        minutes.append(max(0, int(seconds // 60)))
    of_set = SetFacts(
        game_set=game_set,
        format=game_set.rules.format,
        finished_at=cast(datetime, game_set.finished_at),
        minutes=max(minutes),
        minutes_game=played[minutes.index(max(minutes))].number,
        conceded=recap.is_conceded(state.games[-1]),
    )
    if game_set.rules.cap is not None:
        first, second, *_ = (standing.victory_points for standing in sets.standings(state))
        of_set.highest, of_set.margin = first, first - second
        done = recap.stats_of_set(state, logs)
        turns = [max(of.best_turn for of in of_game.values()) for of_game in done]
        of_set.best_turn = max(turns)
        of_set.best_turn_game = played[turns.index(max(turns))].number
    return of_set


def sets_of(codes: Iterable[str]) -> QuerySet[GameSet]:
    sets = GameSet.objects.select_related("playgroup").filter(code__in=list(codes))
    return sets.order_by("-created_at", "-pk")


def tables_of(draft: GameSet) -> list[Played]:
    return with_games(draft.tables.select_related("playgroup").order_by("created_at", "pk"))


def decks_of_draft(draft: GameSet) -> QuerySet[Seat]:
    """Return the seats with decks at the tables that were made from a draft, the latest last."""
    seats = Seat.objects.filter(game_set__draft=draft, deck__isnull=False)
    return seats.select_related("deck").order_by("game_set__created_at", "game_set")


def hidden_decks(game_set: GameSet) -> set[int]:
    """Return the keys of decks that are not to be seen yet: of a set in play whose format hides
    them, or that went on to a table of the same draft where they are in play."""
    if not game_set.rules.hides_decks:
        return set()
    # Of no other draft: or a stranger could hide a deck by bringing it somewhere.
    at = Q(game_set=game_set)
    if game_set.draft_id:
        at |= Q(game_set__draft=game_set.draft_id)
    seats = Seat.objects.filter(at, game_set__finished_at=None, deck__isnull=False)
    return set(seats.values_list("deck__deck", flat=True))


def without_hidden_decks(results: QuerySet[SetResult]) -> QuerySet[SetResult]:
    """Return those whose decks, if any, are in play at no other table of the same draft."""
    seats = Seat.objects.filter(
        deck__deck=OuterRef("deck"),
        game_set__draft=OuterRef("game_set__draft"),
        game_set__finished_at=None,
    )
    return results.exclude(Exists(seats))


def with_games(game_sets: Iterable[GameSet]) -> list[Played]:
    game_sets = list(game_sets)
    played: dict[int, list[Game]] = {game_set.pk: [] for game_set in game_sets}
    for game in Game.objects.filter(game_set__in=played, taken_back=False).order_by("number"):
        played[game.game_set_id].append(game)
    return [(game_set, played[game_set.pk]) for game_set in game_sets]


def replayed_logs(played: list[Game]) -> list[GameLog]:
    logged = _rows_of(played)
    return [replayed_log(game, logged[game.pk]) for game in played]


def _rows_of(played: list[Game]) -> dict[int, list[EventRow]]:
    logged: dict[int, list[EventRow]] = {game.pk: [] for game in played}
    for row in EventRow.objects.filter(game__in=played).order_by("game", "seq"):
        logged[row.game_id].append(row)
    return logged


def open_seats(user: int | None, codes: Collection[str], format: str) -> list[Seat]:
    """Those of an account's players, and all at tables with ``codes``, newest first. One query."""
    theirs = Q(game_set__code__in=list(codes))
    if user is not None:
        theirs |= Q(player__user=user)
    rulesets = [key for key in RULESETS if format_of(key) == format]
    seats = Seat.objects.filter(theirs, game_set__finished_at=None, game_set__ruleset__in=rulesets)
    seats = seats.select_related("game_set__playgroup", "game_set__house", "player", "deck__deck")
    return list(seats.order_by("-game_set__created_at", "-game_set", "number")[:OPEN_MAX])


def seats_with_decks(game_set: GameSet) -> list[Seat]:
    seats = Seat.objects.filter(game_set=game_set).order_by("number")
    return list(seats.select_related("deck__deck"))


@dataclass(frozen=True, slots=True)
class CurrentGame:
    """A game as it stands, decoded once for everything that a page shows of it.

    ``latest`` is the latest event in force. ``newest`` is the same one if it was recorded last;
    None after a correction, since the board then marks no change.
    """

    game_set: GameSet
    game: Game
    state: GameState
    recent: Recent
    latest: RecentEvent | None
    newest: RecentEvent | None


def current_game(game_set: GameSet, game: Game) -> CurrentGame:
    state, recent = game.current_state, game.recent_events
    latest = recent.lines[0] if recent.lines else None
    newest = latest if latest and latest.number == game.length else None
    return CurrentGame(game_set, game, state, recent, latest, newest)
