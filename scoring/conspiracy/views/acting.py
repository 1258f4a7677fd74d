"""The cards that act in a draft: what is printed on each, and the fields that it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import GameSet
from ...pages import board
from ...pages.board import Who, who
from ...rules.errors import NoSuchGame
from ...rules.formats.conspiracy_draft import DraftGame, DraftPlayer
from ...views.score import record_tap, show_refusal
from ...views.tables import scorekeeper_view
from ..draft_forms import COLOURS, DraftCardForm
from ..drafting import ACTING, Acting, find
from ..naming import Texts


@dataclass(kw_only=True)
class DraftCardPage(board.GamePage):
    """A card that acts in the draft; without a ``card`` all of them, to choose from.

    ``printed`` is its text, "" where the site has no such card. ``drafters`` may draft it, and
    ``owners`` have it face up. ``said`` is what was refused.
    """

    template: ClassVar[str] = "scoring/draft_card.html"
    cards: Mapping[str, Acting]
    colours: tuple[str, ...] = COLOURS
    card: Acting | None
    printed: str
    drafters: list[Who]
    owners: list[Who]
    said: Mapping[str, str]


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
def draft_card(request: Request, game_set: GameSet, number: int) -> HttpResponse:
    """Show what a card asks for in the draft, or record it."""
    if not game_set.rules.splits_into:
        raise Http404("Nothing is drafted here.")
    if request.method != "POST":
        return _page(request, game_set, find(request.GET.get("card", "")))
    card = find(request.POST.get("card", ""))
    if card is None:
        return _page(request, game_set, None, "Choose a card.")
    form = DraftCardForm(request.POST, card, game_set, later="later" in request.POST)
    if not form.is_valid():
        return _page(request, game_set, card, first_error(form))
    return record_tap(request, game_set, number, form.move(), form.cleaned_data["tap_id"])


def _page(
    request: Request, game_set: GameSet, card: Acting | None, problem: str = ""
) -> HttpResponse:
    game = game_set.named_game
    if game is None:
        return show_refusal(request, game_set, refused=NoSuchGame())
    state = game.current_state
    assert isinstance(state, DraftGame)
    if state.is_over:
        refused = Refused("The draft is over: note on More what was forgotten.")
        return show_refusal(request, game_set, refused=refused)
    return DraftCardPage(
        board=board.board(board.read(game_set, game)),
        problem=problem,
        cards=ACTING,
        card=card,
        printed=Texts([card.name]).get(card.name, "") if card else "",
        drafters=[who(game_set, seat) for seat in state.in_game],
        owners=[who(game_set, seat) for seat in state.in_game if card and _has(state, seat, card)],
        said=request.POST.dict(),
    ).respond(request, status=422 if problem else 200)


def _has(state: DraftGame, seat: int, card: Acting) -> bool:
    player = state.players[seat]
    assert isinstance(player, DraftPlayer)
    return any(find(name) == card for name in player.face_up)
