"""The chain of hashes in the database: games store the last link, events a seal each.

A game that the first release started, or continued after a step back, stores a link that is too
short, or none. The chain is then made again from the log, once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..models import EventRow, Game
from ..rules.formats import RULESETS
from ..setlog import chain
from . import queries

MIGRATION = "0005_chain_of_hashes"


def links(game: Game, rows: Iterable[EventRow]) -> list[str]:
    """Return the link before a game's first event, and the link of each event. No query."""
    ruleset = RULESETS[game.state["ruleset"]]
    made = [chain.begun(ruleset, game.number, queries.logged_game(game, []))]
    for row in rows:
        made.append(chain.link(made[-1], row.seq, row.entry, row.tap_id, row.at))
    return made


def last_link(game: Game) -> str:
    """Return the link of a game's last event. No query if it is stored."""
    length, _, link = (game.head or "").partition(":")
    if length == str(game.length):
        return link
    rows = EventRow.objects.filter(game=game, seq__lte=game.length).order_by("seq")
    return links(game, rows if game.length else ())[-1]


def add(before: str, event: dict[str, Any]) -> str:
    """Seal an event, given by attribute, before it is saved, and return its link."""
    link = chain.link(before, event["seq"], event["entry"], event["tap_id"], event["at"])
    event["hash"] = chain.seal(link, event["corrects"], event["by"])
    return link


def head_of(length: int, link: str) -> str:
    """Return the last link as a game stores it: with the number of events up to it."""
    return f"{length}:{link}"
