"""The log of a game on pages: its lines, and what correcting a line changes."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from coalition_site.lib.refusals import Refused

from ..models import EventRow, Game, GameSet
from ..record.queries import entry_of, replayed_log
from ..record.recording import require_reopenable
from ..record.scorekeepers import SEATS_FROM
from ..rules.corrections import Correction
from ..rules.effects import PlayerLeft, TurnBegan
from ..rules.errors import LaterImpossible, RuleError
from ..rules.log import GameLog
from ..rules.moves import CrownMonarch
from ..rules.state import GameState, PlayerState
from ..rules.words import Sentence, plain
from . import wording
from .board import Who, ending, hold, parts, text, who


def differences(game_set: GameSet, before: GameState, after: GameState) -> list[list[Who | str]]:
    sentences: list[Sentence] = []
    for seat, player in before.players.items():
        sentences += _player_differences(seat, player, after.players[seat])
    sentences += [[fact] for fact in after.changes(before)]
    if before.monarch != after.monarch:
        sentences.append(CrownMonarch(after.monarch).sentence())
    if before.active != after.active:
        sentences.append(["Turn of ", after.active])
    if any(getattr(before, of) != getattr(after, of) for of in ("status", "winner", "ended_by")):
        told = "The game is open again."
        if after.is_over:
            result = ending(game_set, after)
            told = f"{result.title}: {result.why}".removesuffix(": ")
        sentences.append([told])
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


def preview(
    game_set: GameSet, game: Game, rows: list[EventRow], correction: Correction
) -> dict[str, Any]:
    """Return the ``changes`` that a correction would make, or why it would be refused."""
    log = replayed_log(game, rows)
    before = log.state
    try:
        log.append(correction)
        require_reopenable(game_set, game, before, log.state)
    except RuleError as refusal:
        return refusal_of(game_set, log, refusal)
    return {"changes": differences(game_set, before, log.state)}


def refusal_of(game_set: GameSet, log: GameLog, refusal: Refused) -> dict[str, Any]:
    """Return why a correction is ``refused``; a ``later`` event in its way is named in words."""
    if not isinstance(refusal, LaterImpossible):
        return {"refused": refusal.message(game_set.names)}
    number, why = refusal.number, refusal.why(game_set.names)
    move = next(line.move for line in log.lines if line.number == number)
    return {
        "refused": f"Then event {number}, “{text(game_set, move)}”, could not have happened: {why}",
        "later": {"number": number, "parts": parts(game_set, move.sentence()), "why": why},
    }


class Turn(NamedTuple):
    """A turn of a game and who has it, nobody in formats without turns; its first event."""

    first: int
    number: int
    players: tuple[Who, ...]


def log_lines(
    game_set: GameSet, game: Game, rows: list[EventRow], by: Mapping[int, str], shown: range
) -> list[dict[str, Any]]:
    """Return lines of a game's log, the latest first, with their effects and corrections.

    ``rows`` is the whole log, ``shown`` the numbers of the lines to return. ``by`` are the
    scorekeepers' names by their numbers; lines name them where there are two or more, and
    players' own phones.
    """
    names = by if len(by) > 1 or max(by, default=0) > SEATS_FROM else {}
    # Later lines are read for their corrections, but not played: that takes its time.
    log = replayed_log(game, rows, upto=shown.stop - 1)
    in_force = {line.number: line for line in log.lines}
    turns, numbered = _turns(game_set, log), dict(enumerate(rows, 1))
    lines = []
    for row in rows[shown.start - 1 : shown.stop - 1]:
        line = in_force.get(row.seq)
        entry = line.move if line else entry_of(row)
        effects = wording.effects(line.effects, game_set.rules.cap) if line else []
        lines.append(
            {
                "number": row.seq,
                "turn": turns[bisect_right(turns, row.seq, key=attrgetter("first")) - 1],
                "parts": parts(game_set, entry.sentence()),
                "at": row.at,
                "by": names.get(row.by or 0, ""),
                "is_correction": row.corrects is not None,
                "effects": [plain(effect, game_set.names) for effect in effects],
                "taken_back": numbered.get(log.taken_back.get(row.seq, 0)),
                "amended": numbered.get(log.amended.get(row.seq, 0)),
                "was": text(game_set, entry_of(row)) if row.seq in log.amended else "",
            }
        )
    return lines[::-1]


def _turns(game_set: GameSet, log: GameLog) -> list[Turn]:
    if not game_set.rules.has_turns:
        return [Turn(1, 0, ())]
    begun = [(1, log.start.active)]
    for line in log.lines:
        for effect in line.effects:
            if isinstance(effect, TurnBegan):
                # What made the active player leave still belongs to that player's turn.
                begun.append((line.number + effect.passed, effect.player))
    return [
        Turn(first, number, tuple(who(game_set, one) for one in log.start.side_of(seat)))
        for number, (first, seat) in enumerate(begun, 1)
    ]
