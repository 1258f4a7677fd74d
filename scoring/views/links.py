"""The links of a set: the public one, and the scorekeeper's secret one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap, first_error
from coalition_site.lib.qr import qr_code

from .. import access
from ..play import commands, queries
from ..play.queries import Table
from .score import refused
from .tables import Request, locked, scored, watched


def public_address(request: Request, table: Table) -> str:
    """Return the link that anybody may have."""
    return request.build_absolute_uri(reverse("watch", args=[table.game_set.code]))


@require_safe
@never_cache
@scored
def links(request: Request, table: Table) -> HttpResponse:
    """Show both links with their QR codes.

    Who keeps score for its playgroup need not hold the secret, and can only make a new one.
    """
    code, key = table.game_set.code, access.keys(request).get(table.game_set.code, "")
    public = public_address(request, table)
    context = {
        "table": table,
        "code": code,
        "public": public,
        "public_qr": qr_code(public),
        "members_only": access.is_for_members(table.game_set),
    }
    if access.opens(key, table.game_set):
        secret = request.build_absolute_uri(reverse("take_key", args=[code, key]))
        context |= {"secret": secret, "secret_qr": qr_code(secret)}
    return render(request, "scoring/links.html", context)


@require_safe
@never_cache
def take_key(request: Request, code: str, key: str) -> HttpResponse:
    """Open a scorekeeper link: the browser keeps its secret, the address bar does not."""
    table = queries.find_table(code)
    if table is None or not access.opens(key, table.game_set):
        return watched(locked)(request, code=code)
    response = redirect("score", code)
    access.hand_over(request, response, code, key)
    return response


@require_POST
@watched
def change_key(request: Request, table: Table) -> HttpResponse:
    """Revoke the scorekeeper link; whoever asked for that gets the new one, if one is wanted.

    Asked again it hands over the same one: the first answer may have been lost, and with it the
    only copy of the secret.
    """
    form = Tap(request.POST)
    code = table.game_set.code
    held = access.keys(request).get(code) or f"account {request.user.pk}"  # a space: no key
    key = access.key_for(form.cleaned_data["tap_id"], code, held) if form.is_valid() else ""
    if not access.opens(key, table.game_set):
        if not access.may_score(request, table.game_set):
            return locked(request, table)
        if not form.is_valid():
            return refused(request, table, first_error(form))
        if "close" in request.POST:
            commands.change_key(table, None)
            return redirect("watch", code)
        commands.change_key(table, key)
    response = redirect("links", code)
    access.hand_over(request, response, code, key)
    return response
