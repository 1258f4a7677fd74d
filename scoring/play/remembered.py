"""Tables as this process left them, since most taps follow another tap at the same table.

Such a tap needs no select: what writes it asks whether the table still is as it is remembered, see
``writing.py``. Whatever else speaks against the tap may be out of date as well, so it then starts
over with the table as it is in the database.
"""

from __future__ import annotations

from ..models import Game, GameSet

TABLES_MAX = 500  # of some 20 kB each

_tables: dict[tuple[str, int], GameSet] = {}


class Outdated(Exception):
    """A tap can't be written on the table as it is remembered."""


def remember(game_set: GameSet, game: Game) -> None:
    """Remember a table with a game as it was just written, once nothing else uses them.

    If there is no room, forget all: those being played are soon there again.
    """
    if len(_tables) >= TABLES_MAX:
        _tables.clear()
    game_set.named_game = game
    _tables[game_set.code, game.number] = game_set


def take(code: str, number: int) -> GameSet | None:
    """Return a remembered table, or None, and forget it: no other thread gets it meanwhile."""
    game_set = _tables.pop((code, number), None)
    if game_set:
        game_set.is_remembered = True
    return game_set


def require_read(game_set: GameSet) -> None:
    """Show nothing of a remembered table before something was written on it.

    :raises Outdated: if it is as it is remembered.
    """
    if game_set.is_remembered:
        raise Outdated


def forget_all() -> None:
    _tables.clear()
