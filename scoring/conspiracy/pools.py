"""What the players of a draft build decks of: what they were seen to draft, and a clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar
from urllib.parse import urlencode

from django.urls import reverse

from coalition_site.lib.pages import Page
from decks.rules.rulesets import CONSPIRACY

from ..models import Game, GameSet, Seat
from ..pages.board import Who, who
from ..play import queries
from ..rules.formats.conspiracy_draft import DraftFaceUp, Reveal, TakeNote
from ..rules.log import GameLog

USUAL = 30  # minutes to build a deck


@dataclass(frozen=True, slots=True)
class Pool:
    """What is known of a player's pool, and what came of it.

    ``address`` opens the deck check with the ``cards`` in it. ``deck`` is the number of cards in
    the deck that the player brought to a table, None without one.
    """

    who: Who
    cards: Sequence[str]
    address: str
    deck: int | None = None
    is_legal: bool = False


@dataclass(kw_only=True)
class PoolsPage(Page):
    """The pools of a draft; ``since`` is when building began, None while the draft goes on."""

    template: ClassVar[str] = "scoring/pools.html"
    code: str
    pools: Sequence[Pool]
    since: datetime | None
    until: datetime | None
    minutes: int = USUAL
    at_least: int = CONSPIRACY.main_min


def pools_page(game_set: GameSet, game: Game) -> PoolsPage:
    """Return the page of a draft's pools. Two queries."""
    (log,) = queries.replayed_logs([game])
    brought = _brought(game_set)
    since = game.ended_at
    return PoolsPage(
        code=game_set.code,
        pools=[
            _pool(game_set, seat, drafted(log, seat), brought.get(game_set.names[seat]))
            for seat in log.state.in_game
        ],
        since=since,
        until=since + timedelta(minutes=USUAL) if since else None,
    )


def drafted(log: GameLog, seat: int) -> list[str]:
    """Return the cards that a player was seen to draft, in that order.

    A card for which something was noted is the same card that was revealed or drafted face up.
    """
    moves = [line.move for line in log.lines]
    shown = [move for move in moves if isinstance(move, DraftFaceUp | Reveal)]
    cards = [move.card for move in shown if move.player == seat]
    known = {card.casefold() for card in cards}
    for move in moves:
        if isinstance(move, TakeNote) and move.player == seat and move.card.casefold() not in known:
            cards.append(move.card)
            known.add(move.card.casefold())
    return cards


def _pool(game_set: GameSet, seat: int, cards: Sequence[str], brought: Seat | None) -> Pool:
    text = "".join(["Pool\n", *(f"1 {card}\n" for card in cards)]) if cards else ""
    begun = urlencode({"ruleset": CONSPIRACY.key, "text": text})
    pool = Pool(who(game_set, seat), cards, f"{reverse('check')}?{begun}")
    report = brought.deck_report if brought else None
    if report is None:
        return pool
    return Pool(pool.who, cards, pool.address, report["counts"]["main"], report["legal"])


def _brought(draft: GameSet) -> dict[str, Seat]:
    """Return the seats with decks at the tables of a draft, each player's latest by name."""
    return {seat.name: seat for seat in queries.decks_of_draft(draft)}
