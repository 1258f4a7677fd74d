"""Join by phone: whoever scans the table's code takes a free seat there."""

import hashlib
from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import reselect

from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.qr import QUIET, qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..models import GameSet
from ..record import commands, queries
from ..record.seating import can_name_seats
from .board import who
from .common import get_table, is_known, require_scorer, shows_form
from .forms import SeatLinkForm, name_field
from .links import seat_key
from .seat import locked_seat


class JoinForm(SeatLinkForm):
    name = name_field()


def join_address(request: Request, game_set: GameSet) -> str:
    key = access.join_key(game_set)
    return request.build_absolute_uri(reverse("join", args=[game_set.code, key])) if key else ""


def _seats(game_set: GameSet) -> list[dict[str, Any]]:
    unnamed = game_set.unnamed
    seats = game_set.seats.order_by("number").values_list("number", "link", "player__user")
    return [
        {
            "who": who(game_set, number),
            "is_free": link is None,
            "is_unnamed": number in unnamed,
            "user": user,
        }
        for number, link, user in seats
    ]


@require_safe
@never_cache
def join_code(request: Request, code: str) -> HttpResponseBase:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    address = join_address(request, game_set)
    if not address:
        return redirect("links", code)
    seats = _seats(game_set)
    etag = f'"{hashlib.sha256(repr((address, seats)).encode()).hexdigest()[:16]}"'
    if is_known(request, etag):
        return HttpResponseNotModified()
    shown = {"game_set": game_set, "code": code, "address": address, "seats": seats, "etag": etag}
    shown["qr"] = qr_code(address, QUIET)
    response = render(request, "tables/join_code.html", shown)
    response["ETag"] = etag
    return reselect(response, "#main") if request.htmx else response


def _page(request: Request, code: str, key: str, refused: Refused | None = None) -> HttpResponse:
    game_set = queries.find_set(code)
    assert game_set  # its key was right
    account = request.user.pk
    seats = _seats(game_set)
    own = [seat["who"].text for seat in seats if account and seat["user"] == account]
    shown = {
        "game_set": game_set,
        "code": code,
        "key": key,
        "seats": seats,
        "has_free": any(seat["is_free"] for seat in seats),
        "asks_name": any(seat["is_unnamed"] for seat in seats) and can_name_seats(game_set),
        "problem": refused.message(game_set.names) if refused else "",
        "chosen": request.POST.get("seat", own[0] if own else ""),
        "name": request.POST.get("name", request.user.get_username()),
    }
    return render(request, "tables/join.html", shown, status=422 if refused else 200)


@never_cache
@shows_form(_page)
def join(request: Request, code: str, key: str) -> HttpResponseBase:
    game_set = queries.find_set(code)
    # With this key a browser sees the table of a private playgroup, as with that of a seat.
    if game_set is None or not access.may_join(game_set, key):
        return locked_seat(request, get_table(request, code))
    if access.seat_of(request, game_set):
        return redirect("seat", code)
    if request.method != "POST":
        return _page(request, code, key)
    data = cleaned_data(JoinForm(request.POST, names=game_set.names))
    own_key = seat_key(game_set, data["tap_id"], data["seat"])
    commands.take_seat(game_set, data["seat"], own_key, data["name"])
    response = redirect("seat", code)
    access.hand_over_seat(request, response, code, own_key)
    return response
