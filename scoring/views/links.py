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
from ..play import commands, queries
from ..play.queries import Table
from .score import show_refusal
from .tables import locked, scorekeeper_view, viewer_view


@dataclass(kw_only=True)
class LinksPage(Page):
    """Both links with their QR codes; there is no ``secret`` if the browser lacks it."""

    template: ClassVar[str] = "scoring/links.html"
    table: Table
    code: str
    public: str
    public_qr: str
    members_only: bool
    secret: str = ""
    secret_qr: str = ""


def public_address(request: Request, table: Table) -> str:
    """Return the public link."""
    return request.build_absolute_uri(reverse("watch", args=[table.game_set.code]))


@require_safe
@never_cache
@scorekeeper_view
def links(request: Request, table: Table) -> HttpResponse:
    """Show both links with their QR codes.

    A scorekeeper of the playgroup may lack the secret, and can then only make a new one.
    """
    code, key = table.game_set.code, access.keys(request).get(table.game_set.code, "")
    public = public_address(request, table)
    page = LinksPage(
        table=table,
        code=code,
        public=public,
        public_qr=qr_code(public),
        members_only=access.is_for_members(table.game_set),
    )
    if access.opens(key, table.game_set):
        page.secret = request.build_absolute_uri(reverse("take_key", args=[code, key]))
        page.secret_qr = qr_code(page.secret)
    return page.respond(request)


@require_safe
@never_cache
def take_key(request: Request, code: str, key: str) -> HttpResponseBase:
    """Open a scorekeeper link: store its secret in a cookie, and take it out of the address bar."""
    table = queries.find_table(code)
    if table is None or not access.opens(key, table.game_set):
        return viewer_view(locked)(request, code=code)
    response = redirect("score", code)
    access.hand_over(request, response, code, key)
    return response


@require_POST
@viewer_view
def change_key(request: Request, table: Table) -> HttpResponse:
    """Revoke the scorekeeper link; give the browser a new one, unless scoring is to be closed.

    A repeated request gets the same link: the first answer, which may have been lost, had the
    only copy of the secret.
    """
    form = Tap(request.POST)
    code = table.game_set.code
    # The new key follows from the old one, or from the account: no key has a space.
    old = access.keys(request).get(code) or f"account {request.user.pk}"
    key = access.key_for(form.cleaned_data["tap_id"], code, old) if form.is_valid() else ""
    if not access.opens(key, table.game_set):
        if not access.may_score(request, table.game_set):
            return locked(request, table)
        if not form.is_valid():
            return show_refusal(request, table, refused=Refused(first_error(form)))
        if "close" in request.POST:
            commands.change_key(table, None)
            return redirect("watch", code)
        commands.change_key(table, key)
    response = redirect("links", code)
    access.hand_over(request, response, code, key)
    return response
