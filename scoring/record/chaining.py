"""A chain of hashes over a set's events, made from the set log alone: whoever noted its head can
find out later whether anything was changed, deleted, added or moved. In the database games store
the last link, events and sets a seal each.

An event's seal covers the ledger rows that it wrote, and whether dice began its game; in older
versions it did not. A game that the first release started, or continued after a step back, stores a
link that is too short, or none. The chain is then made again from the log, once.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from ..models import EventRow, Game, GameSet
from ..rules.formats import RULESETS
from ..rules.ruleset import Ruleset
from ..setlog import codec
from ..setlog.document import LoggedGame, SetLog
from . import queries
from .ledger import Posted

# Endings of the migrations since when each event and each set has a seal.
OF_EVENTS, OF_SETS = "_chain_of_hashes", "_seals_of_sets"


def head(log: SetLog) -> str:
    ends = []
    for number, game in enumerate(log.games, 1):
        last = first_link(log.ruleset, number, game)
        for place, line in enumerate(game.events, 1):
            entry = codec.write_entry(line.entry, codec.KEY_BY_SEAT)
            last = link(last, place, entry, line.id, line.at)
        ends.append(last)
    return hashed(log.ruleset.key, log.names, log.called, ends)


def first_link(ruleset: Ruleset, number: int, game: LoggedGame) -> str:
    return hashed(ruleset.key, number, game.starting_player, game.turn_order, game.dropped)


def link(
    before: str, number: int, entry: Mapping[str, Any], tap: UUID | None, at: datetime | None
) -> str:
    """
    >>> link("", 1, {"type": "turn"}, None, None)[:8]
    'e45148a0'
    """
    return hashed(before, number, entry, tap and str(tap), at and at.astimezone(UTC).isoformat())


def hashed(*parts: object) -> str:
    """Return the SHA-256 of parts as JSON without spaces, keys in order, signs as \\u escapes."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def links(game: Game, rows: Iterable[EventRow]) -> list[str]:
    """Return the link before a game's first event, and the link of each event. No query."""
    ruleset = RULESETS[game.state["ruleset"]]
    made = [first_link(ruleset, game.number, queries.logged_game(game, []))]
    for row in rows:
        made.append(link(made[-1], row.seq, row.entry, row.tap_id, row.at))
    return made


def last_link(game: Game) -> str:
    """Return the link of a game's last event. No query if it is stored, as ``head``: after the
    number of events up to it."""
    length, _, last = (game.head or "").partition(":")
    if length == str(game.length):
        return last
    rows = EventRow.objects.filter(game=game, seq__lte=game.length).order_by("seq")
    return links(game, rows if game.length else ())[-1]


def seal_event(before: str, event: dict[str, Any], game: Game, posted: Iterable[Posted]) -> str:
    """Seal an event, given by attribute, with what it posts, and return its link."""
    last = link(before, event["seq"], event["entry"], event["tap_id"], event["at"])
    # The seal is of the link, and of what no set log has of the event.
    seal = hashed(last, event["corrects"], event["by"], game.rolled, sorted(posted))
    event["hash"] = bytes.fromhex(seal)
    return last


def is_sealed(row: EventRow, link: str, game: Game, posted: Iterable[Posted]) -> bool:
    """Return whether an event, or an older version's event, is as it was sealed. No query."""
    unlogged = (row.corrects, row.by)
    seals = hashed(link, *unlogged), hashed(link, *unlogged, game.rolled, sorted(posted))
    return bytes(row.hash or b"").hex() in seals


def seal_of(game_set: GameSet) -> str:
    return hashed(
        game_set.ruleset,
        game_set.seed,
        _written(game_set.created_at),
        _written(game_set.trial_until),
        game_set.draft_id,
        game_set.called,
        [name for _, name in game_set.seating],
    )


def _written(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at else None


@contextmanager
def sealing(game_set: GameSet) -> Iterator[None]:
    """Seal a set again after a change, for the caller to save; a broken seal stays broken."""
    is_whole = game_set.seal in (None, seal_of(game_set))
    yield
    if is_whole:
        game_set.seal = seal_of(game_set)
