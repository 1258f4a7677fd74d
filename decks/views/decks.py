"""A deck's own page, and its next revision."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from coalition_site.lib.keys import KEYS_MAX
from coalition_site.lib.limits import limited
from coalition_site.lib.qr import qr_code
from coalition_site.lib.requests import Request

from .. import access, commands, legality, pages, queries, record
from ..bans.since import barred
from ..forms import HouseForm
from ..models import BanList, Deck, DeckRevision
from ..rules.rulesets import RULESETS
from . import check


@require_safe
@never_cache
def deck(request: Request, code: str) -> HttpResponse:
    """Show a deck as it is now, or as an earlier revision had it."""
    found = get_object_or_404(Deck, code=code)
    commands.note_visit(found)
    revisions = queries.revisions(found)
    shown = _asked_for(request, found, revisions[0].number)
    form, houses = _houses(request, RULESETS[shown.ruleset].format)
    house = form.cleaned_data["house"] if form.is_valid() else None
    context = (
        _judged(shown, house)
        | _secret(request, found)
        | {
            "deck": found,
            "revision": shown,
            "is_latest": shown.number == revisions[0].number,
            "revisions": revisions,
            "changes": _changes(shown),
            "results": record.results(request, found),
            "address": request.build_absolute_uri(request.path),
            "form": form,
            "house": house,
            "houses": [*houses, house] if house and house not in houses else houses,
        }
    )
    return render(request, "decks/deck.html", context, status=422 if form.errors else 200)


def _houses(request: Request, format: str) -> tuple[HouseForm, list[BanList]]:
    """Return what the address says of a list to judge by, and the lists to choose from."""
    form = HouseForm(request.GET, format=format, sees=partial(access.may_see_list, request))
    return form, [one for one in access.houses(request) if one.format == format]


def _secret(request: Request, deck: Deck) -> dict[str, Any]:
    """Return the link to change a deck on another device, for who may change it."""
    if not access.may_change(request, deck):
        return {}
    path = reverse("take_deck_key", args=[deck.code, access.held(request)[deck.code]])
    secret = request.build_absolute_uri(path)
    return {"secret": secret, "secret_qr": qr_code(secret), "kept_max": KEYS_MAX}


@require_safe
@never_cache
def take_key(request: Request, code: str, key: str) -> HttpResponse:
    """Open a deck's change link: the browser keeps its secret, the address bar does not."""
    found = get_object_or_404(Deck, code=code)
    if not access.opens(key, found):
        return _locked(request, found)
    response = redirect("deck", code)
    access.hand_over(request, response, code, key)
    return response


def _locked(request: Request, deck: Deck) -> HttpResponse:
    return render(request, "decks/locked.html", {"deck": deck}, status=403)


def _asked_for(request: Request, deck: Deck, latest: int) -> DeckRevision:
    """Return the revision that the address names, the latest without one."""
    asked = request.GET.get("revision", str(latest))
    is_number = re.fullmatch(r"\d{1,9}", asked, re.ASCII)
    revision = deck.revisions.filter(number=asked).first() if is_number else None
    if revision is None:
        raise Http404("This deck has no such revision.")
    return revision


def _changes(revision: DeckRevision) -> list[str] | None:
    """Return what a revision changed of the one before it; None for the first.

    Only of the revision shown: to compare all of a long history takes seconds.
    """
    if revision.number == 1:
        return None
    numbers = (revision.number - 1, revision.number)
    return pages.changes(*queries.places(revision.deck, numbers))


def _judged(revision: DeckRevision, house: BanList | None) -> dict[str, Any]:
    today = timezone.localdate()
    ruleset = RULESETS[revision.ruleset]
    found = legality.read(revision.text, ruleset)
    bans = legality.read_bans(ruleset, today, house)
    asked = revision.coalition_type or None
    reports = {
        one.key: legality.judge(found, one, bans, coalition_type=asked)
        for one in RULESETS.values()
        if one.format == ruleset.format
    }
    report = reports[ruleset.key]
    return pages.judged(found, report) | {
        "today": today,
        "legalities": [(RULESETS[key], one) for key, one in reports.items()],
        "since": pages.illegal_since(report, barred(found, report, today, house), revision),
        "groups": pages.by_kind(found, report),
        "copies": pages.copies_out(found, report),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def change(request: Request, code: str) -> HttpResponse:
    """Let who holds a deck's key make its next revision."""
    found = get_object_or_404(Deck, code=code)
    if not access.may_change(request, found):
        return _locked(request, found)
    commands.note_visit(found)
    if request.method != "POST":
        said = check.kept(found) | {"house": request.GET.get("house", "")}
        return check.page(request, form=check.checked(request, said), deck=found)
    if "save" in request.POST:
        return check.save(request, found)
    form = check.checked(request, request.POST, request.FILES)
    return check.page(request, form=form, deck=found)
