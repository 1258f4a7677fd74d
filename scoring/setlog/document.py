"""The set log: one JSON document for one set, a public format (version 1). Unknown fields are
refused with their path."""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from coalition_site.lib.untrusted import Node

from ..rules import errors
from ..rules.corrections import Amend, Entry, Strike
from ..rules.fields import Names, Seats, read_seat, read_seats
from ..rules.formats import FORMATS, RULESETS
from ..rules.log import GameLog
from ..rules.results import EnterResult
from ..rules.ruleset import Ruleset
from ..rules.sets import SetState, next_start, standings, start_game
from . import codec

VERSION = 1
# Python reads more than these: UUIDs in braces, for example, and dates by week.
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_DATE_AND_TIME = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,6})?)?(Z|[+-]\d\d:\d\d)?", re.ASCII
)
NAME_MAX = 80
EARLIEST = datetime(1993, 1, 1, tzinfo=UTC)  # nothing was played before
LATEST = datetime(2100, 12, 31, tzinfo=UTC)  # far enough from the calendar's end for all zones


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    entry: Entry
    id: UUID | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """``turn_order`` is None where it follows the seating."""

    starting_player: int
    events: tuple[LoggedEntry, ...] = ()
    dropped: tuple[int, ...] = ()
    turn_order: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class SetLog:
    """``names`` is in seat order. ``checked``: its moves were checked as it was read."""

    ruleset: Ruleset
    names: tuple[str, ...]
    games: tuple[LoggedGame, ...] = ()
    called: bool = False
    checked: bool = field(default=False, compare=False)

    @property
    def name_by_seat(self) -> dict[int, str]:
        return dict(enumerate(self.names, 1))


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a log could not be played: game and event from 1, event 0 for the game's start."""

    game: int
    event: int
    refusal: errors.RuleError


@dataclass(frozen=True, slots=True)
class PlayedSet:
    log: SetLog
    state: SetState
    games: tuple[GameLog, ...]
    failure: Failure | None = None


def read(node: Node, *, latest: datetime = LATEST) -> SetLog:
    """No event may be later than ``latest``.

    :raises MalformedDocument: if it is no set log, with the path of the field.
    """
    fields = node.fields("version format ruleset players games", "called")
    fields["version"].number(VERSION, VERSION)
    rulesets = FORMATS[fields["format"].one_of(FORMATS)]
    ruleset = RULESETS[fields["ruleset"].one_of([ruleset.key for ruleset in rulesets])]
    seats: dict[str, int] = {}
    for item in fields["players"].items():
        name = item.text(NAME_MAX)
        if name in seats:
            raise item.refuse("appears twice")
        seats[name] = len(seats) + 1
    if not ruleset.allows(len(seats)):
        raise fields["players"].refuse(f"{ruleset.key} is for {ruleset.players_text} players")
    games = tuple(
        _read_game(game, seats, ruleset, latest)
        for game in fields["games"].items(may_be_empty=True)
    )
    called = "called" in fields and fields["called"].truth()
    if called and not games:
        raise fields["called"].refuse("must not be true before the first game")
    return SetLog(ruleset, tuple(seats), games, called, checked=True)


def _read_game(node: Node, seats: Seats, ruleset: Ruleset, latest: datetime) -> LoggedGame:
    fields = node.fields("starting_player events", "dropped turn_order")
    first, order, events = read_seat(fields["starting_player"], seats), fields.get("turn_order"), []
    for item in fields["events"].items(may_be_empty=True):
        entry = codec.read_entry(item, seats, also="id at", moves=ruleset.moves)
        move, of_move = entry, item
        if isinstance(entry, Amend):
            move, of_move = entry.replacement, item.field("with")
        if isinstance(move, EnterResult) and move.day > f"{latest:%Y-%m-%d}":
            raise of_move.field("day").refuse("is still to come")
        id = item.field("id") if "id" in item.value else None
        if id and not _UUID.fullmatch(id.text()):
            raise id.refuse("must be a UUID")
        events.append(LoggedEntry(entry, UUID(id.value) if id else None, _read_at(item, latest)))
    return LoggedGame(
        first,
        tuple(events),
        read_seats(fields["dropped"], seats) if "dropped" in fields else (),
        read_seats(order, seats) if order else None,
    )


def _read_at(node: Node, latest: datetime) -> datetime | None:
    """Return the time in UTC, in which it is where it names no zone. Far from both ends of the
    calendar, it is a time in every visitor's zone."""
    if "at" not in node.value:
        return None
    field = node.field("at")
    try:
        if not _DATE_AND_TIME.fullmatch(field.text()):
            raise ValueError
        at = datetime.fromisoformat(field.value)
        at = at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)  # may leave the calendar
    except (ValueError, OverflowError) as error:
        raise field.refuse("must be a date and time as in ISO 8601") from error
    if not EARLIEST <= at <= latest:
        raise field.refuse(f"must be a time from {EARLIEST.date()} to {latest.date()}")
    return at


def write(log: SetLog) -> dict[str, Any]:
    names, games = log.name_by_seat, []
    for game in log.games:
        written: dict[str, Any] = {"starting_player": names[game.starting_player]}
        if game.turn_order:
            written["turn_order"] = [names[seat] for seat in game.turn_order]
        if game.dropped:
            written["dropped"] = [names[seat] for seat in game.dropped]
        events = written["events"] = []
        for logged in game.events:
            event = codec.write_entry(logged.entry, names)
            if logged.id:
                event["id"] = str(logged.id)
            if logged.at:
                event["at"] = logged.at.isoformat()
            events.append(event)
        games.append(written)
    document: dict[str, Any] = {
        "version": VERSION,
        "format": log.ruleset.format,
        "ruleset": log.ruleset.key,
        "players": list(log.names),
        "games": games,
    }
    return {**document, "called": True} if log.called else document


def play(log: SetLog) -> PlayedSet:
    games: list[GameLog] = []
    dropped: frozenset[int] = frozenset()
    known: dict[UUID, Entry] = {}

    def played(failure: Failure | None = None, *, called: bool = False) -> PlayedSet:
        states = tuple(game.state for game in games)
        state = SetState(log.ruleset, tuple(log.name_by_seat), states, dropped, called)
        return PlayedSet(log, state, tuple(games), failure)

    for number, logged in enumerate(log.games, 1):
        try:
            start = start_game(
                played().state,
                logged.starting_player,
                dropped=logged.dropped,
                turn_order=logged.turn_order,
            )
        except errors.RuleError as refusal:
            return played(Failure(number, 0, refusal))
        # Where somebody was dropped, a move that was read may name who does not play.
        all_play = len(start.players) == len(log.names)
        game = GameLog(start, checked=log.checked and all_play)
        games.append(game)
        dropped |= frozenset(logged.dropped)
        for line in logged.events:
            try:
                if line.id in known:
                    if known[line.id] != line.entry:
                        raise errors.RepeatedId()
                    game.skip()
                else:
                    game.append(line.entry)
                    if line.id:
                        known[line.id] = line.entry
            except errors.RuleError as refusal:
                return played(Failure(number, game.count + 1, refusal))
    if log.called and not games[-1].state.is_over:
        return played(Failure(len(games), 0, errors.GameInProgress()))
    return played(called=log.called)


def without_repeats(log: SetLog) -> SetLog:
    """Leave out events whose id was there before, and number corrections anew."""
    known: set[UUID] = set()
    games = []
    for game in log.games:
        unique: list[LoggedEntry] = []
        number: dict[int, int] = {}
        for old, logged in enumerate(game.events, 1):
            if logged.id in known:
                continue
            if logged.id:
                known.add(logged.id)
            number[old] = len(unique) + 1
            entry = logged.entry
            if isinstance(entry, Strike | Amend):
                entry = replace(entry, number=number.get(entry.number, 0))
            unique.append(replace(logged, entry=entry))
        games.append(replace(game, events=tuple(unique)))
    return replace(log, games=tuple(games))


def outcome(played: PlayedSet) -> dict[str, Any]:
    names, failure, error = played.log.name_by_seat, played.failure, None
    if failure:
        message = failure.refusal.message(names)
        error = {"game": failure.game, "event": failure.event, "message": message}
    state, start = played.state, next_start(played.state)
    groups = [[names[seat] for seat in group] for group in start.groups] if start else []
    counted = "games_won" if state.ruleset.cap is None else "victory_points"
    of_set = {
        "status": "finished" if state.is_finished else "in progress",
        "standings": [
            {"rank": row.rank, "player": names[row.player], counted: getattr(row, counted)}
            for row in standings(state)
        ],
        "next_start": start
        and ({"turn_order": groups} if start.orders else {"chosen_by": groups[0]}),
    }
    of_games = [_game_outcome(game, names) for game in played.games]
    return {"set": of_set, "games": of_games, "error": error}


def _game_outcome(game: GameLog, names: Names) -> dict[str, Any]:
    state = game.state
    outcome = {
        "status": state.status.value,
        "winner": state.winner and names[state.winner],
        "ended_by": state.ended_by,
        **state.ruleset.outcome(state, names),
    }
    if state.ruleset.cap is not None:
        outcome["ledger"] = [
            {
                "event": line.number,
                "player": names[posting.player],
                "reason": posting.reason.value,
                "dealt": posting.dealt,
                "points": posting.points,
            }
            for line in game.lines
            for posting in line.postings
        ]
    return outcome


def read_all(value: Any) -> list[SetLog]:
    node = Node(value, "")
    return list(map(read, node.items(may_be_empty=True) if isinstance(value, list) else [node]))
