"""The cards that act in a draft: what is printed on each, and the fields that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from ...rules.formats.conspiracy_draft.state import DraftGame, DraftPlayer
from ...views.score import record_tap, show_refusal
from ...views.tables import scorekeeper_view
from ..draft_forms import COLOURS, DraftCardForm
from ..drafting import ACTING, Acting, find
from ..drafts import player_in, waiting
from ..naming import Texts


@dataclass(kw_only=True)
class DraftCardPage(board.GamePage):
    """A card that acts in the draft; without a ``card`` all of them, to choose from.

    ``printed`` is its text, "" where the site has no such card. ``drafters`` may draft it,
    ``owners`` have it face up, and ``noters`` note something for it now. ``pick`` is the card of
    the round that is drafted now, 0 where picks are not counted. ``typed`` is what was refused, or
    what the address fills in.
    """

    template: ClassVar[str] = "scoring/draft_card.html"
    cards: Mapping[str, Acting]
    colours: tuple[str, ...] = COLOURS
    card: Acting | None
    printed: str
    drafters: list[Who]
    owners: list[Who]
    noters: list[Who]
    pick: int
    typed: Mapping[str, str]


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
        owners=_those(game_set, state, card, _lies_face_up),
        noters=_those(game_set, state, card, _may_note),
        pick=state.pick if state.passed else 0,
        typed=(request.POST or request.GET).dict(),
    ).respond(request, status=422 if problem else 200)


def _those(
    game_set: GameSet,
    state: DraftGame,
    card: Acting | None,
    applies: Callable[[DraftPlayer, Acting], bool],
) -> list[Who]:
    """Return the players in the draft to whom something of a card applies."""
    if card is None:
        return []
    return [who(game_set, seat) for seat in state.in_game if applies(player_in(state, seat), card)]


def _lies_face_up(player: DraftPlayer, card: Acting) -> bool:
    return card in map(find, player.face_up)


def _may_note(player: DraftPlayer, card: Acting) -> bool:
    if not card.notes_later:
        return False
    if card.waits:
        return card in waiting(player)
    return not card.is_face_up or _lies_face_up(player, card)
