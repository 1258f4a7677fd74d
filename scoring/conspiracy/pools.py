"""What the players of a draft build decks of: what they were seen to draft."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request
from decks.rules.rulesets import CONSPIRACY

from ..models import Game, GameSet
from ..record import queries
from ..rules.formats.conspiracy_draft import DraftFaceUp, Reveal, TakeNote, TurnDown
from ..rules.formats.conspiracy_draft.state import player_of
from ..rules.log import GameLog
from ..tables.board import who
from ..tables.common import get_table
from .drafting import find_acting

BUILDING = 30  # minutes that it usually takes to build a deck


@require_safe
def show_pools(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
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
    return render(request, "conspiracy/pools.html", shown)


def pools(game_set: GameSet, game: Game) -> Iterator[dict[str, Any]]:
    """How many cards the deck has that the player brought to a table is None without one."""
    (log,) = queries.replayed_logs([game])
    brought = {seat.name: seat.deck_report for seat in queries.decks_of_draft(game_set)}
    for seat in log.state.in_game:
        cards = drafted(log, seat)
        text = "".join(["Pool\n", *(f"1 {card}\n" for card in cards)]) if cards else ""
        query = urlencode({"ruleset": CONSPIRACY.key, "text": text})
        face_up = map(find_acting, player_of(log.state, seat).face_up)
        report = brought.get(game_set.names[seat])
        yield {
            "who": who(game_set, seat),
            "cards": cards,
            "address": f"{reverse('check')}?{query}",
            "acts": [card for card in face_up if card and card.after],  # now, after the draft
            "deck": report["counts"]["main"] if report else None,
            "is_legal": bool(report and report["legal"]),
        }


def drafted(log: GameLog, seat: int) -> list[str]:
    # A card for which something was noted is the same card that was revealed or drafted face up.
    # So is one that is noted by its name as it is drafted. What went into a pack is drafted by
    # others.
    cards: list[str] = []

    def has(card: str) -> bool:
        return card.casefold() in map(str.casefold, cards)

    for move in (line.move for line in log.lines):
        if not isinstance(move, DraftFaceUp | Reveal | TakeNote | TurnDown) or move.player != seat:
            continue
        if isinstance(move, TurnDown):
            if move.into_pack:
                folded = [card.casefold() for card in cards]
                del cards[folded.index(move.card.casefold())]
            continue
        if not isinstance(move, TakeNote) or not has(move.card):
            cards.append(move.card)
        acting = find_acting(move.card)
        if isinstance(move, DraftFaceUp) or acting is None or not acting.names_own:
            continue
        if move.name and not has(move.name):
            cards.append(move.name)
    return cards
