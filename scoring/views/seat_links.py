"""The links of seats, as the scorekeeper hands them out and revokes them."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from coalition_site.lib.forms import Tap
from coalition_site.lib.qr import QrPage, qr_code
from coalition_site.lib.requests import Request

from .. import access
from ..forms.tables import SeatLinkForm
from ..models import GameSet
from ..pages.board import who
from ..pages.seat import deeds
from ..play import commands
from .tables import scorekeeper_view


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
    key = _key(game_set, form.cleaned_data["tap_id"], number)
    commands.change_seat_key(game_set, number, key)
    name = game_set.names[number]
    return QrPage(
        title=f"{name}’s own phone",
        note=f"Whoever opens this link sits at {name}’s seat, and can’t keep score. "
        "It is shown only now: a new link replaces it.",
        address=_address(request, game_set, key),
        back=reverse("links", args=[code]),
    ).respond(request)


@require_POST
@never_cache
@scorekeeper_view
def hand_out(request: Request, game_set: GameSet) -> HttpResponse:
    """Give each seat without a link its link, and show them; a repeated tap shows the same."""
    form = Tap(request.POST)
    if not form.is_valid():
        return redirect("links", game_set.code)
    hashes = dict(game_set.seats.order_by("number").values_list("number", "link__key_hash"))
    seats = []
    for number, hashed in hashes.items():
        key = _key(game_set, form.cleaned_data["tap_id"], number)
        if hashed is None:
            commands.change_seat_key(game_set, number, key)
        # The site has no addresses of links that it gave out before.
        is_shown = hashed in (None, access.key_hash(key))
        address = _address(request, game_set, key) if is_shown else ""
        seats.append((who(game_set, number), address, qr_code(address) if address else ""))
    shown = {"code": game_set.code, "seats": seats, "deeds": deeds(game_set)}
    return render(request, "scoring/seat_links.html", shown)


def _key(game_set: GameSet, tap_id: UUID, seat: int) -> str:
    return access.key_for(tap_id, game_set.code, "seat", str(seat))


def _address(request: Request, game_set: GameSet, key: str) -> str:
    return request.build_absolute_uri(reverse("take_seat_key", args=[game_set.code, key]))
