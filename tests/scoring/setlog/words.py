"""Games as text, with what players read as each event happens: the form of ``words.txt``.

A line in braces is an event as a set log has it; what follows it is what the program says of it.
``python -m tests.scoring.setlog.words FILE`` writes that again.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from coalition_site.lib.untrusted import Node
from scoring.rules import engine, recap
from scoring.rules.corrections import Correction
from scoring.rules.errors import RuleError
from scoring.rules.formats import FORMATS
from scoring.rules.formats.conspiracy.state import ConspiracyGame
from scoring.rules.formats.realm_wars.answers import reminders
from scoring.rules.formats.realm_wars.state import War
from scoring.rules.log import GameLog, recall_recent
from scoring.rules.state import GameState, new_game
from scoring.rules.words import Sentence, plain
from scoring.setlog import codec
from scoring.tables import wording

from ..rules.play import NAMES, snapshot

SEATS = {name: seat for seat, name in NAMES.items()}
GAME = "Game of "


def retold(text: str, format: str) -> str:
    """Return games with what players read of them, whatever the text says of that."""
    lines = []
    for line in text.splitlines():
        if line.startswith(GAME):
            start = new_game(FORMATS[format][0], tuple(range(1, int(line[len(GAME) :]) + 1)))
            log = GameLog(start)
            lines += ["", line]
        elif line.startswith("{"):
            entry = codec.read_entry(Node(json.loads(line), ""), SEATS)
            before, was = log.state, snapshot(log)
            lines.append(line)
            try:
                log.append(entry)
            except RuleError as refused:
                assert snapshot(log) == was
                lines.append(f"  refused, {refused.code}: {refused.message(NAMES)}")
                continue
            if isinstance(entry, Correction):
                lines += [f"  change: {change}" for change in changes(before, log.state)]
                continue
            lines.append(f"  {plain(entry.sentence(), NAMES)}")
        else:
            continue
        lines += [f"  {what}: {plain(words, NAMES)}" for what, words in told(log)]
    return "\n".join([*lines[1:], ""])


def changes(before: GameState, after: GameState) -> Iterator[str]:
    yield from after.changes(before)
    for seat, player in after.players.items():
        yield from (f"{NAMES[seat]}: {one}" for one in player.changes(before.players[seat]))


def told(log: GameLog) -> Iterator[tuple[str, Sentence]]:
    """Yield what players read as a game stands: what has just happened, and what is to do."""
    state, latest = log.state, log.lines[-1] if log.lines else None
    if latest:
        yield from (("effect", one) for one in wording.effects(latest.effects, state.ruleset))
        yield from (("news", list(one)) for one in recall_recent(log.lines).lines[0].news)
    if state.is_over:
        yield "over", [state.ruleset.ending(state)]
        yield from (("winner", [seat]) for seat in state.winners)
        yield from (("shares the draw", [seat]) for seat in state.drew)
        gone = recap.eliminations(log)
        for seat in state.players:
            did = "; ".join(recap.of_games([log], seat)) or "nothing"
            out = ["; ", *gone[seat].sentence()] if seat in gone else []
            yield "recap", [seat, f": {did}", *out]
    else:
        yield from (("heading", [one]) for one in (state.headline,) if one)
        yield from (("to do", one) for one in engine.due(state))
    match state:
        case War():
            move = latest.move if latest else None
            yield from (("reminder", one) for one in reminders(state, move))
        case ConspiracyGame():
            yield from (("goaded", [*one.duty, ". ", *one.until]) for one in state.goaded)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(retold(path.read_text("utf-8"), path.parent.name), "utf-8")
