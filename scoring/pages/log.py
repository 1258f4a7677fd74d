"""The log of a game on pages: its lines, and what a correction of one changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..models import EventRow, Game
from ..play.queries import Table, entry_of, replayed_log
from ..rules.moves import CrownMonarch
from ..rules.state import GameState
from ..rules.words import Sentence
from . import wording
from .board import Who, ending, hold, parts, text
from .wording import plain


def differences(table: Table, before: GameState, after: GameState) -> list[list[Who | str]]:
    """Return how two states of a game differ, as sentences."""
    sentences: list[Sentence] = []
    for seat, was in before.players.items():
        now = after.players[seat]
        for old, new, what in ((was.points, now.points, "VP"), (was.life, now.life, "life")):
            if old != new:
                sentences.append([seat, f": {old} {what} → {new}"])
        if was.poison != now.poison:
            sentences.append([seat, f": {was.poison} poison → {now.poison}"])
        if was.out != now.out:
            sentences.append(
                [seat, " is back in the game" if now.out is None else f" is out: {now.out}"]
            )
        if was.hero != now.hero:
            sentences.append(["Hero of ", seat, f": {was.hero.value} → {now.hero.value}"])
        if hold(was) != hold(now):
            sentences.append([seat, f": {hold(now) or 'no hold'}"])
        sentences += [[seat, f": {fact}"] for fact in now.changes(was)]
    sentences += [[fact] for fact in after.changes(before)]
    if before.monarch != after.monarch:
        sentences.append(CrownMonarch(after.monarch).sentence())
    if before.active != after.active:
        sentences.append(["Turn of ", after.active])
    if (before.status, before.winner, before.ended_by) != (
        after.status,
        after.winner,
        after.ended_by,
    ):
        sentences.append([_outcome(table, after)])
    return [parts(table, sentence) for sentence in sentences]


def _outcome(table: Table, state: GameState) -> str:
    if not state.is_over:
        return "The game goes on."
    told = ending(table, state)
    return f"{told['title']}: {told['why']}".removesuffix(": ")


def log_lines(
    table: Table, game: Game, rows: list[EventRow], by: Mapping[int, str], shown: range
) -> list[dict[str, Any]]:
    """Return lines of a game's log, the latest first, each with what came of it and of the line.

    ``rows`` is the whole log, ``shown`` the numbers of the lines to return. ``by`` are the
    scorekeepers' names by their numbers; where there are two, a line tells its own.
    """
    log = replayed_log(game, rows, upto=shown.stop - 1)
    in_force = {line.number: line for line in log.lines}
    cap = table.ruleset.cap
    lines = []
    for row in rows[shown.start - 1 : shown.stop - 1]:
        line = in_force.get(row.seq)
        entry = line.move if line else entry_of(row)
        lines.append(
            {
                "number": row.seq,
                "parts": parts(table, entry.sentence()),
                "at": row.at,
                "by": by.get(row.by, "") if len(by) > 1 else "",
                "is_correction": row.corrects is not None,
                "effects": [
                    plain(effect, table.names) for effect in wording.effects(line.effects, cap)
                ]
                if line
                else [],
                "taken_back": _row(rows, log.taken_back.get(row.seq)),
                "amended": _row(rows, log.amended.get(row.seq)),
                "was": text(table, entry_of(row)) if row.seq in log.amended else "",
            }
        )
    return lines[::-1]


def _row(rows: list[EventRow], number: int | None) -> EventRow | None:
    return rows[number - 1] if number else None
