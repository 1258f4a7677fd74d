"""The links of a set: the public link, and the scorekeeper's secret link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap, first_error
from coalition_site.lib.pages import Page
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..models import GameSet
from ..play import commands, queries
from .score import show_refusal
from .tables import locked, scorekeeper_view, viewer_view


@dataclass(kw_only=True)
class LinksPage(Page):
    """Both links with their QR codes; there is no ``secret`` if the browser lacks it."""

    template: ClassVar[str] = "scoring/links.html"
    deck_format: str
    code: str
    public: str
    public_qr: str
    members_only: bool
    secret: str = ""
    secret_qr: str = ""


def public_address(request: Request, game_set: GameSet) -> str:
    """Return the public link."""
    return request.build_absolute_uri(reverse("watch", args=[game_set.code]))


@require_safe
@never_cache
@scorekeeper_view
def links(request: Request, game_set: GameSet) -> HttpResponse:
    """Show both links with their QR codes.

    A scorekeeper of the playgroup may lack the secret, and can then only make a new link.
    """
    code, key = game_set.code, access.keys(request).get(game_set.code, "")
    public = public_address(request, game_set)
    page = LinksPage(
        deck_format=queries.deck_format(game_set),
        code=code,
        public=public,
        public_qr=qr_code(public),
        members_only=access.is_for_members(game_set),
    )
    if access.opens(key, game_set):
        page.secret = request.build_absolute_uri(reverse("take_key", args=[code, key]))
        page.secret_qr = qr_code(page.secret)
    return page.respond(request)


@require_safe
@never_cache
def take_key(request: Request, code: str, key: str) -> HttpResponseBase:
    """Open a scorekeeper link: store its secret in a cookie, and take it out of the address bar."""
    game_set = queries.find_set(code)
    if game_set is None or not access.opens(key, game_set):
        return viewer_view(locked)(request, code=code)
    response = redirect("score", code)
    access.hand_over(request, response, code, key)
    return response


@require_POST
@viewer_view
def change_key(request: Request, game_set: GameSet) -> HttpResponse:
    """Revoke the scorekeeper link; give the browser a new link, unless scoring is to be closed.

    A repeated request gets the same link: the first answer, which may have been lost, had the
    only copy of the secret.
    """
    form = Tap(request.POST)
    code = game_set.code
    # The new key follows from the old key, or from the account: no key has a space.
    old = access.keys(request).get(code) or f"account {request.user.pk}"
    key = access.key_for(form.cleaned_data["tap_id"], code, old) if form.is_valid() else ""
    if not access.opens(key, game_set):
        if not access.may_score(request, game_set):
            return locked(request, game_set)
        if not form.is_valid():
            return show_refusal(request, game_set, refused=Refused(first_error(form)))
        if "close" in request.POST:
            commands.change_key(game_set, None)
            return redirect("watch", code)
        commands.change_key(game_set, key)
    response = redirect("links", code)
    access.hand_over(request, response, code, key)
    return response
