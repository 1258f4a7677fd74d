"""Players say on their own phones that they are ready; the scorekeeper may begin without them."""

from collections.abc import Iterable

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
from . import sealing
from .agendas import get_game


def say(game_set: GameSet, number: int, seats: Iterable[int], word: str, *, back: bool) -> None:
    """Store what is said at seats, or take it back.

    :raises Refused: if that can't be said now.
    """
    with locked(game_set):
        game = current_game(game_set, number)
        prepared, said = queries.preparation(game), dict(game.said)
        for seat in seats:
            if word not in sayable(game.current_state, prepared, seat) and not back:
                raise Refused("The game has gone on meanwhile. Here it is now.")
            others = [each for each in said.get(str(seat), []) if each != word]
            said[str(seat)] = others if back else [*others, word]
        confirmed = {**(game.confirmed or {}), "said": said}
        Game.objects.filter(pk=game.pk).update(confirmed=confirmed)


@takes_posts(seat_page)
def ready_own(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    seat, back = require_seat(request, game_set), request.POST.get("back", "")
    get_game(game_set)
    say(game_set, number, [seat.number], back or request.POST.get("say", ""), back=bool(back))
    return redirect("seat", game_set.code)


@takes_posts(show_refusal)
def ready(request: Request, code: str, number: int) -> HttpResponse:
    """Begin without those who are not ready, or open the sealing again for those whose seals this
    browser has."""
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    game, word = get_game(game_set), request.POST.get("say", "")
    if word.startswith("open"):
        sealers = sealing.sealers_here(request, game_set, game)
        say(game_set, number, sealers, word, back=False)
        return redirect("agendas", game_set.code, number)
    say(game_set, number, [SCOREKEEPER], word, back=False)
    if not request.htmx:
        return redirect("score", game_set.code)
    return show_tap(request, game_set, queries.games(game_set))
