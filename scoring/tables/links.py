"""The links of a set: public, the scorekeeper’s secret link, and those of seats."""

from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from coalition_site.lib.forms import Tap, first_error
from coalition_site.lib.qr import qr_code, render_qr
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..models import GameSet
from ..models.record import Phones
from ..record import commands, queries
from . import additions, seat_rows, set_clock
from .board import who
from .common import get_table, locked, require_scorer, takes_posts
from .forms import SeatLinkForm
from .score import show_refusal

GIVES_AWAY = (
    "Whoever opens this link can record, correct and take back everything at this table, and lock "
    "you out with a new link."
)


def public_address(request: Request, game_set: GameSet) -> str:
    return request.build_absolute_uri(reverse("watch", args=[game_set.code]))


def links_page(request: Request, code: str, refused: Refused | None = None) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    public, secret = public_address(request, game_set), _secret_address(request, game_set)
    linked = game_set.seats.order_by("number").values_list("number", "link")
    shown = {
        "game_set": game_set,
        "seats_link": seat_rows.seats_page_label(game_set),
        "code": game_set.code,
        "public": public,
        "public_qr": qr_code(public),
        "members_only": access.is_for_members(game_set),
        "seats": [(who(game_set, number), key is not None) for number, key in linked],
        "usual_minutes": set_clock.USUAL,
        "done": additions.on_own_phones(game_set),
        "phones": Phones.choices,
        "reported": additions.additions_of(game_set).reported,
        "may_have_clock": game_set.rules.games > 1,
        "secret": secret,  # a scorekeeper of the playgroup may lack it, and only make a new link
        "secret_qr": qr_code(secret) if secret else "",
        "gives_away": GIVES_AWAY,
        "problem": refused.message(game_set.names) if refused else "",
    }
    return render(request, "tables/links.html", shown, status=422 if refused else 200)


links = require_safe(never_cache(links_page))


def _secret_address(request: Request, game_set: GameSet) -> str:
    key = access.keys(request).get(game_set.code, "")
    if not access.opens(key, game_set):
        return ""
    return request.build_absolute_uri(reverse("take_key", args=[game_set.code, key]))


@require_safe
def public_qr(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    is_for_members = access.is_for_members(game_set)
    return render_qr(
        request,
        title="Watch the table",
        note="For members of the playgroup, signed in." if is_for_members else "Anybody can watch.",
        address=public_address(request, game_set),
        back=reverse("links" if "links" in request.GET else "watch", args=[game_set.code]),
    )


@require_safe
@never_cache
def secret_qr(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    secret = _secret_address(request, game_set)
    if not secret:
        return redirect("links", game_set.code)
    return render_qr(
        request,
        title="Keep score at the table",
        note=GIVES_AWAY,
        address=secret,
        back=reverse("links", args=[game_set.code]),
    )


@require_safe
@never_cache
def take_key(request: Request, code: str, key: str) -> HttpResponseBase:
    game_set = queries.find_set(code)
    if game_set is None or not access.opens(key, game_set):
        return locked(request, get_table(request, code))
    response = redirect("score", code)
    access.hand_over(request, response, code, key)
    return response


@takes_posts(show_refusal)
def change_key(request: Request, code: str) -> HttpResponse:
    """Revoke the scorekeeper link; give the browser a new link, unless scoring is to be closed."""
    game_set = get_table(request, code)
    # A repeated request gets the same link: the first answer, which may have been lost, had the
    # only copy of the secret.
    form = Tap(request.POST)
    # The new key follows from the old key, or from the account: no key has a space.
    old = access.keys(request).get(code) or f"account {request.user.pk}"
    key = access.key_for(form.cleaned_data["tap_id"], code, old) if form.is_valid() else ""
    if not access.opens(key, game_set):
        require_scorer(request, game_set)
        if not form.is_valid():
            raise Refused(first_error(form))
        if "close" in request.POST:
            commands.change_key(game_set, None)
            return redirect("watch", code)
        commands.change_key(game_set, key)
    response = redirect("links", code)
    access.hand_over(request, response, code, key)
    return response


@takes_posts(links_page)
def seat_link(request: Request, code: str) -> HttpResponseBase:
    """Give a seat a new link and show it, or revoke it. A repeated tap shows the same link."""
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    form = SeatLinkForm(request.POST, names=game_set.names)
    if not form.is_valid() or game_set.is_trial:
        return redirect("links", game_set.code)
    number = form.cleaned_data["seat"]
    if "revoke" in request.POST:
        commands.change_seat_key(game_set, number, None)
        return redirect("links", code)
    key, name = seat_key(game_set, form.cleaned_data["tap_id"], number), game_set.names[number]
    if "new" in request.POST:
        commands.change_seat_key(game_set, number, key)
    else:
        try:
            commands.take_seat(game_set, number, key, "")
        except Refused:
            why = f"{name} got a link meanwhile, which “New link” would end."
            raise Refused(why) from None
    return render_qr(
        request,
        title=f"{name}’s own phone",
        note=f"Whoever opens this link sits at {name}’s seat, and can’t keep score. "
        "It is shown only now: a new link replaces it.",
        address=_address(request, game_set, key),
        back=reverse("links", args=[code]),
    )


@takes_posts(show_refusal)
def hand_out(request: Request, code: str) -> HttpResponse:
    """Give each seat without a link its link, and show them; a repeated tap shows the same."""
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    form = Tap(request.POST)
    if not form.is_valid() or game_set.is_trial:
        return redirect("links", game_set.code)
    tap = form.cleaned_data["tap_id"]
    keys = {number: seat_key(game_set, tap, number) for number in game_set.names}
    given = commands.hand_out_links(game_set, keys)
    seats = []
    for number, key in keys.items():
        # The site has no addresses of links that it gave out before.
        address = _address(request, game_set, key) if number in given else ""
        seats.append((who(game_set, number), address, qr_code(address) if address else ""))
    done = additions.on_own_phones(game_set)
    shown = {"game_set": game_set, "code": game_set.code, "seats": seats, "done": done}
    return render(request, "tables/seat_links.html", shown)


def seat_key(game_set: GameSet, tap_id: UUID, seat: int) -> str:
    return access.key_for(tap_id, game_set.code, "seat", str(seat))


def _address(request: Request, game_set: GameSet, key: str) -> str:
    return request.build_absolute_uri(reverse("take_seat_key", args=[game_set.code, key]))
