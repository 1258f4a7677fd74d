"""What tests ask of a game's log."""

from scoring.rules.effects import Reason
from scoring.rules.log import GameLog
from scoring.rules.words import plain
from scoring.tables import wording

from .play import NAMES

IN_PROGRESS = ("in progress", None, None)
COMBAT, HERO, BONUS, CONCESSION, ENTERED = (reason.value for reason in Reason)


def of_each(log: GameLog, what: str) -> dict:
    return {seat: getattr(log.state.players[seat], what) for seat in sorted(log.state.players)}


def points(log: GameLog) -> dict[int, int]:
    return of_each(log, "points")


def life(log: GameLog) -> dict[int, int]:
    return of_each(log, "life")


def poison(log: GameLog) -> dict[int, int]:
    return of_each(log, "poison")


def out(log: GameLog) -> dict[int, str]:
    """Return why players are out; who is in the game is not there."""
    return {seat: reason for seat, reason in of_each(log, "out").items() if reason}


def ended(log: GameLog) -> tuple[str, int | None, str | None]:
    return log.state.status.value, log.state.winner, log.state.ended_by


def ledger(log: GameLog) -> list[tuple[int, int, str, int, int]]:
    """Return the ledger's rows: number, player, reason, dealt, points."""
    return [
        (line.number, row.player, row.reason.value, row.dealt, row.points)
        for line in log.lines
        for row in line.postings
    ]


def effects_in_words(log: GameLog, line: int = -1) -> list[str]:
    effects = wording.effects(log.lines[line].effects, log.state.ruleset)
    return [plain(sentence, NAMES) for sentence in effects]
