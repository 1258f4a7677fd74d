"""The log of a game on pages: its lines, and what correcting a line changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..models import EventRow, Game, GameSet
from ..play.queries import entry_of, replayed_log
from ..rules.effects import PlayerLeft
from ..rules.log import EventInForce
from ..rules.moves import CrownMonarch
from ..rules.state import GameState, PlayerState
from ..rules.words import Sentence
from . import wording
from .board import Who, ending, hold, parts, text
from .wording import plain


def differences(game_set: GameSet, before: GameState, after: GameState) -> list[list[Who | str]]:
    """Return how two states of a game differ, as sentences."""
    sentences: list[Sentence] = []
    for seat, player in before.players.items():
        sentences += _player_differences(seat, player, after.players[seat])
    sentences += [[fact] for fact in after.changes(before)]
    if before.monarch != after.monarch:
        sentences.append(CrownMonarch(after.monarch).sentence())
    if before.active != after.active:
        sentences.append(["Turn of ", after.active])
    if _result(before) != _result(after):
        sentences.append([_outcome(game_set, after)])
    return [parts(game_set, sentence) for sentence in sentences]


def _player_differences(seat: int, was: PlayerState, now: PlayerState) -> Iterator[Sentence]:
    counts = (
        (was.points, now.points, "VP"),
        (was.life, now.life, "life"),
        (was.poison, now.poison, "poison"),
    )
    for old, new, what in counts:
        if old != new:
            yield [seat, f": {old} {what} → {new}"]
    if was.out != now.out:
        back: Sentence = [seat, " is back in the game"]
        yield back if now.out is None else PlayerLeft(seat, now.out).sentence()
    if was.hero != now.hero:
        yield ["Hero of ", seat, f": {was.hero.value} → {now.hero.value}"]
    if hold(was) != hold(now):
        yield [seat, f": {hold(now) or 'can lose and win again'}"]
    for fact in now.changes(was):
        yield [seat, f": {fact}"]


def _result(state: GameState) -> tuple[object, ...]:
    return state.status, state.winner, state.ended_by


def _outcome(game_set: GameSet, state: GameState) -> str:
    if not state.is_over:
        return "The game is open again."
    result = ending(game_set, state)
    return f"{result.title}: {result.why}".removesuffix(": ")


@dataclass(kw_only=True)
class LogLine:
    """A line of a log; ``was`` is what it said before it was ``amended``."""

    number: int
    parts: Sequence[Who | str]
    at: datetime | None
    by: str
    is_correction: bool
    effects: Sequence[str]
    taken_back: EventRow | None
    amended: EventRow | None
    was: str


def log_lines(
    game_set: GameSet, game: Game, rows: list[EventRow], by: Mapping[int, str], shown: range
) -> list[LogLine]:
    """Return lines of a game's log, the latest first, with their effects and corrections.

    ``rows`` is the whole log, ``shown`` the numbers of the lines to return. ``by`` are the
    scorekeepers' names by their numbers; lines name them where there are two or more.
    """
    # Later lines are read for their corrections, but not played: that takes its time.
    log = replayed_log(game, rows, upto=shown.stop - 1)
    in_force = {line.number: line for line in log.lines}
    lines = []
    for row in rows[shown.start - 1 : shown.stop - 1]:
        line = in_force.get(row.seq)
        entry = line.move if line else entry_of(row)
        lines.append(
            LogLine(
                number=row.seq,
                parts=parts(game_set, entry.sentence()),
                at=row.at,
                by=by.get(row.by or 0, "") if len(by) > 1 else "",
                is_correction=row.corrects is not None,
                effects=_effects(game_set, line) if line else [],
                taken_back=_row(rows, log.taken_back.get(row.seq)),
                amended=_row(rows, log.amended.get(row.seq)),
                was=text(game_set, entry_of(row)) if row.seq in log.amended else "",
            )
        )
    return lines[::-1]


def _effects(game_set: GameSet, line: EventInForce) -> list[str]:
    sentences = wording.effects(line.effects, game_set.rules.cap)
    return [plain(sentence, game_set.names) for sentence in sentences]


def _row(rows: list[EventRow], number: int | None) -> EventRow | None:
    return rows[number - 1] if number else None
