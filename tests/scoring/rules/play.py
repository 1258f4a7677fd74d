"""A small language for tests: ``play(hit(ANN, BO, 20), Undo())`` is a game's log to ask.

Every hit is an event of its own; ``together`` makes one event of several.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scoring.pages import wording
from scoring.rules.corrections import Entry
from scoring.rules.damage import DealDamage, Hit, Kind
from scoring.rules.effects import Reason
from scoring.rules.errors import RuleError
from scoring.rules.formats import FORMATS
from scoring.rules.log import GameLog, recall_recent
from scoring.rules.ruleset import Ruleset
from scoring.rules.state import GameState, new_game
from scoring.setlog import document

ANN, BO, CY, DI, EV = range(1, 6)
NAMES = {ANN: "Ann", BO: "Bo", CY: "Cy", DI: "Di", EV: "Ev", 6: "Fay", 7: "Gus", 8: "Hal"}
COALITION_906, COALITION_README, COALITION_2026 = RULES = FORMATS["coalition"]

every_ruleset = pytest.mark.parametrize("ruleset", RULES, ids=lambda ruleset: ruleset.key)


def game(ruleset: Ruleset = COALITION_906, *, players: int = 4, first: int = ANN) -> GameState:
    """Return a game at its start, the turn going clockwise from ``first``."""
    seats = list(range(1, players + 1))
    return new_game(ruleset, tuple(seats[first - 1 :] + seats[: first - 1]))


def hit(source: int | None, target: int, amount: int, kind: str = "combat", **more) -> DealDamage:
    """Return the event of one hit; ``more`` are infect, lifelink and toxic."""
    one = Hit(source=source, target=target, amount=amount, kind=Kind(kind), **more)
    return DealDamage((one,))


def together(*hits: DealDamage) -> DealDamage:
    """Return one event with all the hits, dealt at the same time."""
    return DealDamage(tuple(one for event in hits for one in event.hits))


def play(*entries: Entry, start: GameState | None = None) -> GameLog:
    """Return the log of a game of four in coalition-906, unless ``start`` says otherwise."""
    return GameLog(start or game(), entries)


def refusal(log: GameLog, entry: Entry) -> RuleError:
    """Return how ``entry`` is refused, and hold the log to its promise that nothing changed."""
    before = snapshot(log)

    with pytest.raises(RuleError) as caught:
        log.append(entry)

    assert snapshot(log) == before
    return caught.value


def snapshot(log: GameLog) -> tuple:
    return log.count, tuple(log.lines), dict(log.taken_back), dict(log.amended)


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
    """Return status, winner and by what."""
    return log.state.status.value, log.state.winner, log.state.ended_by


def ledger(log: GameLog) -> list[tuple[int, int, str, int, int]]:
    """Return the ledger's rows: number, player, reason, dealt, points."""
    return [
        (line.number, row.player, row.reason.value, row.dealt, row.points)
        for line in log.lines
        for row in line.postings
    ]


def ledger_sums(log: GameLog) -> dict[int, int]:
    rows = ledger(log)
    return {
        seat: sum(row[4] for row in rows if row[1] == seat) for seat in sorted(log.state.players)
    }


IN_PROGRESS = ("in progress", None, None)
COMBAT, HERO, BONUS, CONCESSION = (reason.value for reason in Reason)


def game_of(first: int, *entries: Entry, **how) -> document.LoggedGame:
    """Return one game of a set; ``how`` may say ``dropped`` and ``turn_order``."""
    return document.LoggedGame(
        first, tuple(document.LoggedEntry(entry) for entry in entries), **how
    )


def play_set(
    *games: document.LoggedGame,
    ruleset: Ruleset = COALITION_906,
    players: int = 4,
    called: bool = False,
) -> document.PlayedSet:
    """Return a set, by default of four in coalition-906, played through."""
    names = tuple(NAMES[seat] for seat in range(1, players + 1))
    return document.play(document.SetLog(ruleset, names, games, called))


def news(log: GameLog, names: Mapping[int, str] = NAMES) -> list[str]:
    """Return what the players read as the last event of a log happens."""
    (newest, *_) = recall_recent(log.lines).lines
    return [wording.plain(list(sentence), names) for sentence in newest.news]


def due(log: GameLog, names: Mapping[int, str] = NAMES) -> list[str]:
    """Return what the players have to do as a log stands."""
    return [wording.plain(sentence, names) for sentence in log.state.ruleset.due(log.state)]
