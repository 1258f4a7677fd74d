"""Players say on their own phones that they are ready; the scorekeeper may begin without them."""

from django.http import HttpResponse
from django.shortcuts import redirect

from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ..models import Game, GameSet
from ..record import queries
from ..record.recording import current_game, locked
from ..rules.formats.conspiracy.ready import SCOREKEEPER, sayable
from ..tables.common import get_table, require_scorer, takes_posts
from ..tables.score import show_refusal, show_tap
from ..tables.seat import require_seat, seat_page
from .agendas import get_game


def say(game_set: GameSet, number: int, seat: int, word: str, *, back: bool = False) -> None:
    """Store what is said at a seat, or take it back.

    :raises Refused: if that can't be said now.
    """
    with locked(game_set):
        game = current_game(game_set, number)
        sayables = sayable(game.current_state, queries.preparation(game), seat)
        if word not in sayables and not back:
            raise Refused("The game has gone on meanwhile. Here it is now.")
        words = [each for each in game.ready.get(str(seat), []) if each != word]
        ready = {**game.ready, str(seat): words if back else [*words, word]}
        confirmed = {**(game.confirmed or {}), "ready": ready}
        Game.objects.filter(pk=game.pk).update(confirmed=confirmed)


@takes_posts(seat_page)
def ready_own(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat, back = require_seat(request, game_set), request.POST.get("back", "")
    get_game(game_set)
    say(game_set, number, seat.number, back or request.POST.get("say", ""), back=bool(back))
    return redirect("seat", game_set.code)


@takes_posts(show_refusal)
def begin(request: Request, code: str, number: int) -> HttpResponse:
    """Let the game begin without those who are not ready."""
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    get_game(game_set)
    say(game_set, number, SCOREKEEPER, request.POST.get("say", ""))
    if not request.htmx:
        return redirect("score", game_set.code)
    return show_tap(request, game_set, queries.games(game_set))
