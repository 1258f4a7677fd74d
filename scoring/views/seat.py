"""A seat's own page, for the phone of whoever sits there: opened by the seat's link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coalition_site.lib import keys
from coalition_site.lib.limits import limited_taps
from coalition_site.lib.pages import Page, cleaned_data, shows_refusals
from coalition_site.lib.qr import QrPage
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..forms.tables import SeatLinkForm, SideboardForm
from ..models import GameSet, Seat
from ..models.record import NOBODY, SeatHero
from ..pages import board
from ..pages import seats as show
from ..play import commands, queries, sideboards
from .tables import scorekeeper_view, viewer_view

OWN = "side-"  # a cookie of the browser that may read what it has stored


@dataclass(kw_only=True)
class SeatPage(Page):
    """A seat's page: what is stored for the next ``game``, None while there is none to prepare.

    Only the browser that stored it gets the ``stored`` deck; others see that there is one.
    """

    template: ClassVar[str] = "scoring/seat.html"
    code: str
    who: board.Who
    finished: bool
    game: int | None
    change: show.Change | None = None
    stored: bool = False
    hero: SeatHero = NOBODY
    text: str = ""
    out: str = ""
    into: str = ""
    problem: str = ""


@require_safe
@never_cache
@viewer_view
def take_seat_key(request: Request, game_set: GameSet, key: str) -> HttpResponse:
    """Open a seat's link: store its secret in a cookie, and take it out of the address bar."""
    if access.seat_with_key(game_set, key) is None:
        return _locked(request, game_set)
    response = redirect("seat", game_set.code)
    access.hand_over_seat(request, response, game_set.code, key)
    return response


def _locked(request: Request, game_set: GameSet) -> HttpResponse:
    return render(request, "scoring/seat_locked.html", {"code": game_set.code}, status=403)


def seat_page(request: Request, game_set: GameSet, refused: Refused | None = None) -> HttpResponse:
    """Show the seat that the visitor has the link of."""
    seat = access.seat_of(request, game_set)
    if seat is None:
        return _locked(request, game_set)
    game = sideboards.next_game(game_set) if queries.deck_format(game_set) else None
    page = SeatPage(
        code=game_set.code,
        who=board.who(game_set, seat.number),
        finished=game_set.finished_at is not None,
        game=game,
        hero=seat.led_by,
        text=seat.deck.text if seat.deck else "",
    )
    if game:
        _add_stored(request, game_set, seat, game, page)
    if refused:
        page.problem = refused.message(game_set.names)
        page.text, page.out, page.into = (
            request.POST.get(name, "") for name in ("text", "out", "into")
        )
        page.hero = SeatHero(request.POST.get("hero", ""), request.POST.get("type", ""))
    return page.respond(request, status=422 if refused else 200)


def _add_stored(request: Request, game_set: GameSet, seat: Seat, game: int, page: SeatPage) -> None:
    row = seat.sideboardings.filter(game=game).exclude(box=None).first()
    page.stored = row is not None
    token = keys.in_browser(request, OWN).get(f"{game_set.code}-{game}", "")
    if row is None or not keys.opens(token, row.owner_hash):
        return
    page.change = show.change(game_set, row)
    page.hero, page.text = page.change.hero, page.change.text


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
@limited_taps
@viewer_view
@shows_refusals(seat_page)
def seat(request: Request, game_set: GameSet) -> HttpResponse:
    """Show a seat's own page, and store the deck for the next game where nobody else reads it."""
    seat = access.seat_of(request, game_set)
    if request.method != "POST" or seat is None:
        return seat_page(request, game_set)
    if not queries.deck_format(game_set):
        raise Refused("This format has no deck rules.")
    data = cleaned_data(SideboardForm(request.POST))
    text = sideboards.swapped(data["text"], data["out"], data["into"])
    deck = sideboards.hidden(SeatHero(data["hero"], data["type"]), text)
    sideboards.report(game_set, deck)  # refuses what is no deck list
    token = keys.new_key()
    number = data["game"]
    sideboards.hide(game_set, seat, number, deck, keys.key_hash(token))
    response = redirect("seat", game_set.code)
    keys.hand_over(request, response, OWN, f"{game_set.code}-{number}", token)
    return response


@require_POST
@never_cache
@scorekeeper_view
def seat_link(request: Request, game_set: GameSet) -> HttpResponseBase:
    """Give a seat a new link and show it, or revoke it. A repeated tap shows the same link."""
    form = SeatLinkForm(request.POST, names=game_set.names)
    if not form.is_valid():
        return redirect("links", game_set.code)
    code, number = game_set.code, form.cleaned_data["seat"]
    if "revoke" in request.POST:
        commands.change_seat_key(game_set, number, None)
        return redirect("links", code)
    key = access.key_for(form.cleaned_data["tap_id"], code, "seat", str(number))
    commands.change_seat_key(game_set, number, key)
    name = game_set.names[number]
    return QrPage(
        title=f"{name}’s own phone",
        note=f"Whoever opens this link sits at {name}’s seat, and can’t keep score. "
        "It is shown only now: a new link replaces it.",
        address=request.build_absolute_uri(reverse("take_seat_key", args=[code, key])),
        back=reverse("links", args=[code]),
    ).respond(request)
