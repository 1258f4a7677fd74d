"""Pages to read beside a game: the guide of a format, its answers, the keys of the pad."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_http_methods, require_safe

from coalition_site.lib.requests import Request, is_inside
from decks.catalogue import memory

from .. import access
from ..record import queries
from ..rules.formats import RULESETS
from . import guides
from .additions import additions_of
from .common import get_table
from .guides import guide_of

PLACES = ("score", "seat", "watch", "table", "upright")  # at a table, "upright" by a query
COOKIE = "shortcuts"  # static/js/keys.js reads it
YEAR = 365 * 24 * 60 * 60  # seconds


def _way_back(place: str, code: str) -> str:
    """Return the address of a place at a table, "" if there can't be any."""
    # Requests name a place and a table, and no address: so nobody is led to another site.
    if place not in PLACES:
        return ""
    try:
        address = reverse("table" if place == "upright" else place, args=[code])
    except NoReverseMatch:
        return ""
    return f"{address}?upright" if place == "upright" else address


@require_safe
def guide(request: HttpRequest, format: str) -> HttpResponse:
    chosen = guide_of(format)
    if chosen is None:
        raise Http404
    shown = {
        **chosen.values,
        "guide": chosen,
        "cards_on": memory.CATALOGUE.now().as_of,
        "others": [other for other in guides.GUIDES if other != chosen],
        "back": _way_back(request.GET.get("from", ""), request.GET.get("table", "")),
    }
    table = queries.find_set(request.GET.get("table", "").replace("\0", ""))
    rules = RULESETS.get(request.GET.get("ruleset", ""))
    if table and access.may_watch(request, table):
        rules = table.rules
    if rules and rules.format == chosen.key:
        shown["rules"] = rules
    return render(request, f"tables/guides/{chosen.key}.html", shown)


@require_safe
def answers(request: Request, code: str) -> HttpResponse:
    """Show the rules that players ask about during a game, what matters now first."""
    game_set = get_table(request, code)
    played = queries.games(game_set)
    of_format = additions_of(game_set)
    if not played or not of_format.has_answers:
        raise Http404
    place = request.GET.get("from", "")
    if place not in PLACES:
        place = "score" if access.may_score(request, game_set) else "watch"
    shown = {
        "code": game_set.code,
        "game_set": game_set,
        "groups": of_format.answers(queries.current_game(game_set, played[-1])),
        "place": place,
        "back": _way_back(place, game_set.code),
    }
    return render(request, "tables/answers.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
def keyboard(request: HttpRequest) -> HttpResponse:
    data = request.POST if request.method == "POST" else request.GET
    back = data.get("back", "")
    if not is_inside(back):
        back = ""
    if request.method != "POST":
        are_on = request.COOKIES.get(COOKIE) != "off"
        return render(request, "tables/keyboard.html", {"are_on": are_on, "back": back})
    response = redirect(reverse("keyboard", query={"back": back} if back else None))
    if data.get("keys") == "off":
        response.set_cookie(COOKIE, "off", max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
