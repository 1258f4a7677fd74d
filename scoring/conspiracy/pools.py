"""What the players of a draft build decks of: what they were seen to draft, and a clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar
from urllib.parse import urlencode

from django.urls import reverse

from coalition_site.lib.pages import Page
from decks.rules.rulesets import CONSPIRACY

from ..models import Game, GameSet, Seat
from ..pages.board import Who, who
from ..play import queries
from ..rules.formats.conspiracy_draft import DraftFaceUp, Reveal, TakeNote, TurnDown
from ..rules.formats.conspiracy_draft.state import DraftPlayer
from ..rules.log import GameLog
from ..rules.state import PlayerState
from .drafting import find

USUAL = 30  # minutes to build a deck


@dataclass(frozen=True, slots=True)
class Pool:
    """What is known of a player's pool, and what came of it.

    ``address`` opens the deck check with the ``cards`` in it. ``acts`` tells what cards that lie
    face up do now. ``deck`` is the number of cards in the deck that the player brought to a table,
    None without one.
    """

    who: Who
    cards: Sequence[str]
    address: str
    acts: Sequence[tuple[str, str]] = ()
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
            _pool(game_set, seat, log, brought.get(game_set.names[seat]))
            for seat in log.state.in_game
        ],
        since=since,
        until=since + timedelta(minutes=USUAL) if since else None,
    )


def drafted(log: GameLog, seat: int) -> list[str]:
    """Return the cards that a player was seen to draft, in that order.

    A card for which something was noted is the same card that was revealed or drafted face up. So
    is one that is noted by its name as it is drafted. What went into a pack is drafted by others.
    """
    cards: list[str] = []
    for move in (line.move for line in log.lines):
        if not isinstance(move, DraftFaceUp | Reveal | TakeNote | TurnDown) or move.player != seat:
            continue
        if isinstance(move, TurnDown):
            if move.into_pack:
                cards.remove(next(card for card in cards if _is_same(card, move.card)))
            continue
        if not isinstance(move, TakeNote) or not _has(cards, move.card):
            cards.append(move.card)
        noted = _own_card(move)
        if noted and not _has(cards, noted):
            cards.append(noted)
    return cards


def _own_card(move: DraftFaceUp | Reveal | TakeNote) -> str:
    """Return the card of the player's own that is noted by its name; "" without one."""
    acting = find(move.card)
    if acting is None or not acting.names_own or isinstance(move, DraftFaceUp):
        return ""
    return move.name


def _is_same(card: str, other: str) -> bool:
    return card.casefold() == other.casefold()


def _has(cards: Sequence[str], card: str) -> bool:
    return any(_is_same(each, card) for each in cards)


def acting(player: PlayerState) -> list[tuple[str, str]]:
    """Return the cards that act once the draft is over, with what they do."""
    assert isinstance(player, DraftPlayer)
    cards = [card for card in map(find, player.face_up) if card and card.after]
    return [(card.name, card.after) for card in cards]


def _pool(game_set: GameSet, seat: int, log: GameLog, brought: Seat | None) -> Pool:
    cards = drafted(log, seat)
    text = "".join(["Pool\n", *(f"1 {card}\n" for card in cards)]) if cards else ""
    begun = urlencode({"ruleset": CONSPIRACY.key, "text": text})
    pool = Pool(
        who(game_set, seat),
        cards,
        f"{reverse('check')}?{begun}",
        acting(log.state.players[seat]),
    )
    report = brought.deck_report if brought else None
    if report is None:
        return pool
    return replace(pool, deck=report["counts"]["main"], is_legal=report["legal"])


def _brought(draft: GameSet) -> dict[str, Seat]:
    """Return the seats with decks at the tables of a draft, each player's latest by name."""
    return {seat.name: seat for seat in queries.decks_of_draft(draft)}
