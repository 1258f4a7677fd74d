"""The links of a set: the public one, and the scorekeeper's secret one."""

from __future__ import annotations

import segno
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from .. import access, commands
from ..queries import Table
from .tables import Request, locked, scored, watched


def public_address(request: Request, table: Table) -> str:
    """Return the link that anybody may have."""
    return request.build_absolute_uri(reverse("watch", args=[table.game_set.code]))


def qr_code(address: str) -> SafeString:
    """Return an address as a QR code in SVG, dark on light in any theme."""
    drawn = segno.make(address, micro=False).svg_inline(
        svgclass="qr", lineclass=None, omitsize=True, border=2, title="QR code of the link"
    )
    return mark_safe(drawn)


@require_safe
@never_cache
@scored
def links(request: Request, table: Table) -> HttpResponse:
    """Show both links with their QR codes."""
    code, key = table.game_set.code, access.keys(request)[table.game_set.code]
    secret = request.build_absolute_uri(reverse("take_key", args=[code, key]))
    public = public_address(request, table)
    context = {
        "code": code,
        "public": public,
        "public_qr": qr_code(public),
        "secret": secret,
        "secret_qr": qr_code(secret),
    }
    return render(request, "scoring/links.html", context)


@require_safe
@never_cache
@watched
def take_key(request: Request, table: Table, key: str) -> HttpResponse:
    """Open a scorekeeper link: the browser keeps its secret, the address bar does not."""
    if not access.opens(key, table.game_set):
        return locked(request, table)
    response = redirect("score", table.game_set.code)
    access.hand_over(request, response, table.game_set.code, key)
    return response


@require_POST
@scored
def change_key(request: Request, table: Table) -> HttpResponse:
    """Revoke the scorekeeper link; whoever asked for that gets the new one, if one is wanted."""
    if "close" in request.POST:
        commands.change_key(table, None)
        return redirect("watch", table.game_set.code)
    key = access.new_key()
    commands.change_key(table, key)
    response = redirect("links", table.game_set.code)
    access.hand_over(request, response, table.game_set.code, key)
    return response
