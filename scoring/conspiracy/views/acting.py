"""The cards that act in a draft: what is printed on each, and the fields that it asks for."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import GameSet
from ...pages.board import about, who
from ...rules.errors import NoSuchGame
from ...rules.formats.conspiracy_draft.state import DraftPlayer, of, player_of
from ...views.score import record_tap, show_refusal
from ...views.tables import scorekeeper_view
from ..draft_forms import COLOURS, DraftCardForm
from ..drafting import ACTING, Acting, find
from ..drafts import waiting
from ..naming import Texts


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
def draft_card(request: Request, game_set: GameSet, number: int) -> HttpResponse:
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
    state = of(game.current_state)
    if state.is_over:
        refused = Refused("The draft is over: note on More what was forgotten.")
        return show_refusal(request, game_set, refused=refused)
    players = {seat: player_of(state, seat) for seat in state.in_game}
    owners = [seat for seat, player in players.items() if card in map(find, player.face_up)]
    noters = [seat for seat, player in players.items() if card and _may_note(player, card)]
    shown = about(
        game_set,
        game,
        problem=problem,
        cards=ACTING,
        colours=COLOURS,
        card=card,
        printed=Texts([card.name]).get(card.name, "") if card else "",
        drafters=[who(game_set, seat) for seat in state.in_game],
        owners=[who(game_set, seat) for seat in owners] if card else [],
        noters=[who(game_set, seat) for seat in noters],
        pick=state.pick if state.passed else 0,  # 0 where picks are not counted
        typed=(request.POST or request.GET).dict(),
    )
    return render(request, "scoring/draft_card.html", shown, status=422 if problem else 200)


def _may_note(player: DraftPlayer, card: Acting) -> bool:
    if not card.notes_later:
        return False
    if card.waits:
        return card in waiting(player)
    return not card.is_face_up or card in map(find, player.face_up)
