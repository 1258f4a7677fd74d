"""The chain of hashes in the database: the last link is kept with the game, a seal with each event.

A game of the first release, or one that its version wrote on meanwhile, has a link of fewer events
than it has, or none. The chain is then made again from the log, once.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..models import EventRow, Game
from ..rules.formats import RULESETS
from ..setlog import chain
from . import queries

MIGRATION = "0005_chain_of_hashes"


def links(game: Game, rows: Iterable[EventRow]) -> list[str]:
    """Return the link before a game's first event, and that of each. No query."""
    ruleset = RULESETS[game.state["ruleset"]]
    found = [chain.begun(ruleset, game.number, queries.logged_game(game, []))]
    for row in rows:
        found.append(chain.link(found[-1], row.seq, row.entry, row.tap_id, row.at))
    return found


def last_link(game: Game) -> str:
    """Return the link of a game's last event. No query, where it is kept."""
    length, _, link = (game.head or "").partition(":")
    if length == str(game.length):
        return link
    rows = EventRow.objects.filter(game=game, seq__lte=game.length).order_by("seq")
    return links(game, rows if game.length else ())[-1]


def add(before: str, row: EventRow) -> str:
    """Seal an event that is not saved yet, and return its link."""
    link = chain.link(before, row.seq, row.entry, row.tap_id, row.at)
    row.hash = chain.seal(link, row.corrects, row.by)
    return link


def head_of(length: int, link: str) -> str:
    """Return the last link as a game keeps it: with how many events lead to it."""
    return f"{length}:{link}"
