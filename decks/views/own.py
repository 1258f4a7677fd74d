"""The visitor's own decks, in an account or by the keys of the browser."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.requests import Request

from .. import access, commands
from ..models import Deck
from ..pages.own import MyDecksPage, own_rows
from . import decks

SHOWN = 50  # decks on a page


@require_safe
@never_cache
def my_decks(request: Request) -> HttpResponse:
    """List the decks that the visitor may change, each judged by today's ban list."""
    own = access.own_decks(request)
    text = request.GET.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 1
    pages = max(1, -(-len(own) // SHOWN))
    number = max(1, min(number, pages))
    shown = own[(number - 1) * SHOWN : number * SHOWN]
    page = MyDecksPage(
        rows=own_rows(shown, timezone.localdate()),
        number=number,
        pages=pages,
        is_signed_in=request.user.is_authenticated,
        messages=messages.get_messages(request),
    )
    return page.respond(request)


@require_POST
def take_in(request: Request, code: str) -> HttpResponse:
    """Take a deck into the visitor's account; from then on no key changes it."""
    deck = get_object_or_404(Deck, code=code)
    if not access.may_change(request, deck):
        return decks.locked(request, deck)
    if not request.user.is_authenticated:
        return redirect_to_login(decks.address(deck))
    response = redirect("my_decks")
    if access.may_take_in(request, deck) and commands.take_in(deck, request.user.pk):
        messages.success(request, f"{deck.name} belongs to your account now.")
        response.delete_cookie(access.COOKIE + deck.code, samesite="Lax")
    return response
