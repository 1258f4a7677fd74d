"""The visitor's own decks, in an account or by the keys of the browser."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.requests import Request

from .. import access, commands, queries
from ..bans.history import BARS
from ..checking import legality
from ..models import Deck
from ..rules.rulesets import RULESETS
from . import decks

SHOWN = 50  # decks on a page


@require_safe
@never_cache
def my_decks(request: Request) -> HttpResponse:
    """List the decks that the visitor may change, each judged by today's ban list."""
    page = Paginator(access.own_decks(request), SHOWN).get_page(request.GET.get("page"))
    shown = {
        "rows": _judged(list(page.object_list), timezone.localdate()),
        "page": page,
        "is_signed_in": request.user.is_authenticated,
        "messages": messages.get_messages(request),
    }
    return render(request, "decks/mine.html", shown)


def _judged(decks: Sequence[Deck], on: date) -> list[dict[str, Any]]:
    """Return decks with their verdicts on a day, and what the ban list keeps out of each.

    The report is None for a list that can't be read. Five queries and those that a list judges by,
    however many decks there are.
    """
    latest = queries.latest_revisions(decks)
    read = dict(legality.read_all(latest.values()))
    rulesets = {RULESETS[revision.ruleset] for revision in latest.values()}
    bans = {ruleset.format: legality.read_bans(ruleset, on) for ruleset in rulesets}
    rows = []
    for deck in decks:
        revision, report = latest[deck.pk], None
        ruleset, chosen = RULESETS[revision.ruleset], revision.coalition_type or None
        if resolved := read.get(revision):
            entries = bans[ruleset.format]
            report = legality.judge(resolved, ruleset, entries, coalition_type=chosen)
        hits = [each.message for each in report.problems if each.code in BARS] if report else []
        row = {"deck": deck, "revision": revision, "ruleset": ruleset}
        rows.append(row | {"report": report, "hits": hits})
    return rows


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
