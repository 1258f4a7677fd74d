"""What the players of a draft build decks of: what they were seen to draft."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request
from decks.rules.rulesets import CONSPIRACY

from ..models import Game, GameSet
from ..pages.board import Who, who
from ..play import queries
from ..rules.formats.conspiracy_draft import DraftFaceUp, Reveal, TakeNote, TurnDown
from ..rules.formats.conspiracy_draft.state import player_of
from ..rules.log import GameLog
from ..views.tables import viewer_view
from .drafting import Acting, find

BUILDING = 30  # minutes that it usually takes to build a deck


@require_safe
@viewer_view
def show_pools(request: Request, game_set: GameSet) -> HttpResponse:
    game = queries.find_game(game_set, 1) if game_set.rules.splits_into else None
    if game is None:
        raise Http404("No decks are built here.")
    since = game.ended_at
    shown = {
        "code": game_set.code,
        "pools": pools(game_set, game),
        "since": since,  # None while the draft goes on
        "until": since + timedelta(minutes=BUILDING) if since else None,
        "minutes": BUILDING,
        "at_least": CONSPIRACY.main_min,
    }
    return render(request, "scoring/pools.html", shown)


class Pool(NamedTuple):
    """What is known of a player's pool, and what came of it.

    ``address`` opens the deck check with the ``cards`` in it. ``acts`` are cards that lie face up
    and do something now. ``deck`` is the number of cards in the deck that the player brought to a
    table, None without one.
    """

    who: Who
    cards: Sequence[str]
    address: str
    acts: Sequence[Acting]
    deck: int | None
    is_legal: bool


def pools(game_set: GameSet, game: Game) -> list[Pool]:
    (log,) = queries.replayed_logs([game])
    brought = {seat.name: seat.deck_report for seat in queries.decks_of_draft(game_set)}
    found = []
    for seat in log.state.in_game:
        cards = drafted(log, seat)
        text = "".join(["Pool\n", *(f"1 {card}\n" for card in cards)]) if cards else ""
        query = urlencode({"ruleset": CONSPIRACY.key, "text": text})
        face_up = map(find, player_of(log.state, seat).face_up)
        report = brought.get(game_set.names[seat])
        found.append(
            Pool(
                who=who(game_set, seat),
                cards=cards,
                address=f"{reverse('check')}?{query}",
                acts=[card for card in face_up if card and card.after],
                deck=report["counts"]["main"] if report else None,
                is_legal=bool(report and report["legal"]),
            )
        )
    return found


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
