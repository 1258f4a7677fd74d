"""A deck's own page, and changing a deck."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from coalition_site.lib.limits import limited
from coalition_site.lib.qr import qr_code
from coalition_site.lib.requests import Request

from .. import access, commands, legality, queries, record
from ..bans.since import barred
from ..forms import HouseForm
from ..legality import ResolvedList
from ..models import BanList, Deck, DeckRevision
from ..pages.deck import (
    DeckPage,
    IllegalSince,
    LockedPage,
    by_kind,
    changes,
    exports,
    illegal_since,
)
from ..pages.report import judged_list
from ..rules.deck import Report
from ..rules.rulesets import RULESETS, DeckRuleset
from . import check


@require_safe
@never_cache
def deck(request: Request, code: str) -> HttpResponse:
    """Show the latest revision of a deck, or the requested revision."""
    deck = get_object_or_404(Deck, code=code)
    commands.note_visit(deck)
    revisions = queries.revisions(deck)
    revision = _requested_revision(request, deck, revisions[0].number)
    form, houses = _houses(request, RULESETS[revision.ruleset].format)
    house = form.cleaned_data["house"] if form.is_valid() else None
    resolved, legalities = _judged(revision, house)
    report = next(report for ruleset, report in legalities if ruleset.key == revision.ruleset)
    secret = _secret(request, deck)
    page = DeckPage(
        deck=deck,
        revision=revision,
        is_latest=revision.number == revisions[0].number,
        revisions=revisions,
        changes=_changes(revision),
        results=record.results(request, deck),
        address=request.build_absolute_uri(request.path),
        secret=secret,
        secret_qr=qr_code(secret) if secret else "",
        form=form,
        house=house,
        houses=[*houses, house] if house and house not in houses else houses,
        judged=judged_list(resolved, report),
        legalities=legalities,
        since=_illegal_since(resolved, report, revision, house),
        groups=by_kind(resolved, report),
        copies=exports(resolved, report),
    )
    return page.respond(request, status=422 if form.errors else 200)


def _houses(request: Request, format: str) -> tuple[HouseForm, Sequence[BanList]]:
    """Return the form with the house list in the address, and the lists to choose from."""
    form = HouseForm(request.GET, format=format, may_see=partial(access.may_see_list, request))
    return form, [house for house in access.house_lists(request) if house.format == format]


def _secret(request: Request, deck: Deck) -> str:
    """Return the link to change a deck on another device, "" if the visitor may not change it."""
    if not access.may_change(request, deck):
        return ""
    path = reverse("take_deck_key", args=[deck.code, access.browser_keys(request)[deck.code]])
    return request.build_absolute_uri(path)


@require_safe
@never_cache
def take_key(request: Request, code: str, key: str) -> HttpResponse:
    """Open a deck's change link: store the key in the browser, and take it out of the address."""
    deck = get_object_or_404(Deck, code=code)
    if not access.opens(key, deck):
        return _locked(request, deck)
    response = redirect("deck", code)
    access.hand_over(request, response, code, key)
    return response


def _locked(request: Request, deck: Deck) -> HttpResponse:
    return LockedPage(deck=deck).respond(request, status=403)


def _requested_revision(request: Request, deck: Deck, latest: int) -> DeckRevision:
    """Return the revision in the address, or the latest if the address has none."""
    number = request.GET.get("revision", str(latest))
    is_number = re.fullmatch(r"\d{1,9}", number, re.ASCII)
    revision = deck.revisions.filter(number=number).first() if is_number else None
    if revision is None:
        raise Http404("This deck has no such revision.")
    return revision


def _changes(revision: DeckRevision) -> list[str] | None:
    """Return what changed since the previous revision; None for the first."""
    # Only for the revision on the page: comparing all of a long history takes seconds.
    if revision.number == 1:
        return None
    numbers = (revision.number - 1, revision.number)
    return changes(*queries.places(revision.deck, numbers))


def _judged(
    revision: DeckRevision, house: BanList | None
) -> tuple[ResolvedList, list[tuple[DeckRuleset, Report]]]:
    """Return a revision's list, and its reports under all rulesets of its format."""
    own = RULESETS[revision.ruleset]
    resolved = legality.read(revision.text, own)
    bans = legality.read_bans(own, timezone.localdate(), house)
    requested = revision.coalition_type or None
    return resolved, [
        (ruleset, legality.judge(resolved, ruleset, bans, coalition_type=requested))
        for ruleset in RULESETS.values()
        if ruleset.format == own.format
    ]


def _illegal_since(
    resolved: ResolvedList, report: Report, revision: DeckRevision, house: BanList | None
) -> IllegalSince | None:
    kept_out = barred(resolved, report, timezone.localdate(), house)
    return illegal_since(report, kept_out, revision)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def change(request: Request, code: str) -> HttpResponse:
    """Show and save a deck's next revision, for whoever has its key."""
    deck = get_object_or_404(Deck, code=code)
    if not access.may_change(request, deck):
        return _locked(request, deck)
    commands.note_visit(deck)
    if request.method != "POST":
        values = check.latest_values(deck) | {"house": request.GET.get("house", "")}
        return check.page(request, form=check.check_form(request, values), deck=deck)
    if "save" in request.POST:
        return check.save(request, deck)
    form = check.check_form(request, request.POST, request.FILES)
    return check.page(request, form=form, deck=deck)
