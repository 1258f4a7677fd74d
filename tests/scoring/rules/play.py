"""A small language for tests: ``play(hit(ANN, BO, 20), Undo())`` is a game's log to ask.

Every hit is an event of its own; ``together`` makes one event of several.
"""

import pytest

from scoring.rules.corrections import Entry
from scoring.rules.damage import DealDamage, Hit, Kind
from scoring.rules.errors import RuleError
from scoring.rules.formats import COALITION_906, FORMATS
from scoring.rules.log import GameLog
from scoring.rules.ruleset import Ruleset
from scoring.rules.state import GameState, new_game
from scoring.setlog import document

ANN, BO, CY, DI, EV = range(1, 6)
NAMES = {ANN: "Ann", BO: "Bo", CY: "Cy", DI: "Di", EV: "Ev", 6: "Fay", 7: "Gus", 8: "Hal"}
RULES = FORMATS["coalition"]

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


def game_of(first: int, *entries: Entry, **how) -> document.LoggedGame:
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
