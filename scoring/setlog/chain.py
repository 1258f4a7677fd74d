"""A chain of hashes over a set's events, made from the set log alone: whoever noted its head can
find out later whether anything was changed, deleted, added or moved."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from ..rules.ruleset import Ruleset
from . import codec
from .document import LoggedGame, SetLog


def begun(ruleset: Ruleset, number: int, game: LoggedGame) -> str:
    return hashed(ruleset.key, number, game.starting_player, game.turn_order, game.dropped)


def link(
    before: str, number: int, entry: Mapping[str, Any], tap: UUID | None, at: datetime | None
) -> str:
    """
    >>> link("", 1, {"type": "turn"}, None, None)[:8]
    'e45148a0'
    """
    return hashed(before, number, entry, tap and str(tap), at and at.astimezone(UTC).isoformat())


def seal(link: str, *unlogged: object) -> bytes:
    """Return the hash stored with an event: of its link, and of what no set log has of it."""
    return bytes.fromhex(hashed(link, *unlogged))


def head(log: SetLog) -> str:
    ends = []
    for number, game in enumerate(log.games, 1):
        last = begun(log.ruleset, number, game)
        for place, line in enumerate(game.events, 1):
            entry = codec.write_entry(line.entry, codec.KEY_BY_SEAT)
            last = link(last, place, entry, line.id, line.at)
        ends.append(last)
    return hashed(log.ruleset.key, log.names, log.called, ends)


def hashed(*parts: object) -> str:
    """Return the SHA-256 of parts as JSON without spaces, keys in order, signs as \\u escapes."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
