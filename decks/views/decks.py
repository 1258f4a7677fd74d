"""A deck's own page, and changing a deck."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import reswap, retarget

from coalition_site.lib.limits import limited
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access, commands, queries, record
from ..bans.since import barred
from ..building import taps
from ..building.builds import Opened
from ..building.taps import Add, Mending, Tap, UnknownCard
from ..catalogue import memory
from ..checking import legality
from ..checking.legality import ResolvedList
from ..forms import HouseForm
from ..models import BanList, Deck, DeckRevision
from ..pages.deck import (
    ComparePage,
    DeckPage,
    EditorPart,
    IllegalSince,
    LockedPage,
    Shown,
    TapAnswer,
    exports,
    illegal_since,
)
from ..pages.groups import CardGroup, by_kind, changed
from ..pages.report import judged_list
from ..rules.building import Build
from ..rules.comparing import Difference, difference
from ..rules.deck import Report
from ..rules.rulesets import RULESETS, DeckRuleset
from . import check

SHOWN_MAX = 100  # revisions that are remembered, of 200 kB each at most
CHANGED_ELSEWHERE = (
    "This deck was changed in another browser meanwhile: both changes are in the list."
)


@require_safe
@never_cache
def deck(request: Request, code: str) -> HttpResponse:
    """Show the latest revision of a deck, or the requested revision."""
    deck = get_object_or_404(Deck, code=code)
    commands.note_visit(deck)
    response = deck_page(request, deck)
    if access.may_change(request, deck):
        access.take_in_hand(request, response, deck)
    return response


def deck_page(request: Request, deck: Deck, refused: Refused | None = None) -> HttpResponse:
    """Show a deck, and what was refused; htmx gets what a tap may change."""
    revisions = queries.revisions(deck)
    revision = _numbered(deck, request.GET.get("revision"), revisions[0])
    kind = EditorPart if request.htmx and request.method == "POST" else DeckPage
    page = kind(
        **_facts(request, deck, revision, revisions),
        problem=str(refused or ""),
        closest=refused.closest if isinstance(refused, UnknownCard) else (),
        messages=messages.get_messages(request),
    )
    if not page.can_edit:
        page.shown.drawn = page.shown.drawn or page.draw(request)
    return page.respond(request, status=422 if page.form.errors or refused else 200)


def _facts(
    request: Request, deck: Deck, revision: DeckRevision, revisions: Sequence[DeckRevision]
) -> dict[str, Any]:
    """Return what a deck's page shows."""
    form, houses = _houses(request, RULESETS[revision.ruleset].format)
    house = form.cleaned_data["house"] if form.is_valid() else None
    secret = _secret(request, deck)
    return {
        "deck": deck,
        "revision": revision,
        "is_latest": revision.number == revisions[0].number,
        "revisions": revisions,
        "results": record.results(request, deck),
        "address": request.build_absolute_uri(address(deck)),
        "secret": secret,
        "secret_qr": qr_code(secret) if secret else "",
        "form": form,
        "house": house,
        "houses": [*houses, house] if house and house not in houses else houses,
        # What a tap has just made is not remembered yet.
        "shown": (_of_revision if request.method == "POST" else _shown)(revision, house),
        "places": taps.places_of(revision.ruleset),
        "may_change": access.may_change(request, deck),
        "may_take_in": access.may_take_in(request, deck),
        "is_own": deck.owner_id is not None,
    }


def _shown(revision: DeckRevision, house: BanList | None) -> Shown:
    """Return what all see of a revision, worked out once until the cards, bans or day change."""
    remembered, today = memory.CATALOGUE.now().shown, timezone.localdate()
    house_key = house.pk if house else None
    key = (revision.pk, revision.state, house_key, today, memory.BAN_LISTS.now())
    if key not in remembered:
        if len(remembered) >= SHOWN_MAX:
            remembered.clear()
        remembered[key] = _of_revision(revision, house)
    shown: Shown = remembered[key]
    return shown


def _of_revision(revision: DeckRevision, house: BanList | None) -> Shown:
    resolved, legalities = _judged(revision, house)
    report = next(report for ruleset, report in legalities if ruleset.key == revision.ruleset)
    return Shown(
        judged=judged_list(resolved, report),
        legalities=legalities,
        since=_illegal_since(resolved, report, revision, house),
        groups=by_kind(resolved, report),
        copies=exports(resolved, report),
        mends=taps.mends_of(resolved, RULESETS[revision.ruleset], report, revision.coalition_type),
    )


@dataclass
class Before:
    """A deck before a tap changed it: its list, and what the tap is to do."""

    state: str = ""
    groups: Sequence[CardGroup] = ()
    words: str = ""


def house_in(request: Request, deck: Deck) -> BanList | None:
    """Return the house list that a deck's page was judged by, as a tap on it sends it."""
    form, _ = _houses(request, RULESETS[deck.revisions.latest("number").ruleset].format)
    return form.cleaned_data["house"] if form.is_valid() else None


def tapped(request: Request, deck: Deck, tap: Tap, house: BanList | None) -> HttpResponse:
    """Change a deck by a tap, and show what it changed.

    :raises Refused: if it can't be done.
    """
    before = Before()

    def change(latest: DeckRevision, opened: Opened) -> Build:
        before.state = latest.state
        if isinstance(tap, Mending):
            mend = tap.mend(opened)
            before.words = mend.words
            return mend.change(opened.build)
        if isinstance(tap, Add):
            before.words = tap.words
        elif request.htmx:
            report = taps.judge(opened, house)
            before.groups = by_kind(opened.resolved, report)
        return tap.change(opened)

    revision = commands.edit_deck(deck, change)
    if not request.htmx:
        query = f"?house={quote(house.key)}" if house else ""
        return redirect(f"{address(deck)}{query}#cards")
    return _answer(request, deck, revision, before)


def _answer(request: Request, deck: Deck, revision: DeckRevision, before: Before) -> HttpResponse:
    """Show the row and the figures that a tap has changed, or else all of the deck.

    A row's buttons stay where they are, so that the next tap meets them.
    """
    facts = _facts(request, deck, revision, queries.revisions(deck))
    is_alone = request.POST.get("state", before.state) == before.state
    part = changed(before.groups, facts["shown"].groups) if is_alone else None
    if part is None or before.words:
        words = before.words and f"Done: {before.words[0].lower()}{before.words[1:]}."
        done = " ".join(filter(None, [words, "" if is_alone else CHANGED_ELSEWHERE]))
        response = EditorPart(**facts, done=done).respond(request)
        return retarget(reswap(response, "outerHTML"), "#deck")
    return reswap(TapAnswer(**facts, changed=part).respond(request), "none")


def _houses(request: Request, format: str) -> tuple[HouseForm, Sequence[BanList]]:
    """Return the form with the house list in the address, and the lists to choose from."""
    data = request.POST if request.method == "POST" else request.GET
    form = HouseForm(data, format=format, may_see=partial(access.may_see_list, request))
    return form, [house for house in access.house_lists(request) if house.format == format]


def _secret(request: Request, deck: Deck) -> str:
    """Return the link to change a deck on another device, "" if the visitor has no key of it."""
    if deck.owner_id is not None or not access.may_change(request, deck):
        return ""
    path = reverse("take_deck_key", args=[deck.code, access.browser_keys(request)[deck.code]])
    return request.build_absolute_uri(path)


@require_safe
@never_cache
def take_key(request: Request, code: str, key: str) -> HttpResponse:
    """Open a deck's change link: store the key in the browser, and take it out of the address."""
    deck = get_object_or_404(Deck, code=code)
    if not access.opens(key, deck):
        return locked(request, deck)
    response = redirect("deck", code)
    access.hand_over(request, response, code, key)
    return response


def address(deck: Deck) -> str:
    return reverse("deck", args=[deck.code])


def locked(request: Request, deck: Deck) -> HttpResponse:
    return LockedPage(deck=deck).respond(request, status=403)


def _judged(
    revision: DeckRevision, house: BanList | None
) -> tuple[ResolvedList, list[tuple[DeckRuleset, Report]]]:
    """Return a revision's list, and its reports under all rulesets of its format."""
    own = RULESETS[revision.ruleset]
    resolved = legality.read_saved(revision.text, own)
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


@require_safe
@never_cache
def compare(request: Request, code: str) -> HttpResponse:
    """Show what differs between two revisions of a deck."""
    deck = get_object_or_404(Deck, code=code)
    revisions = queries.revisions(deck)
    new = _numbered(deck, request.GET.get("to"), revisions[0])
    before = next((row for row in revisions if row.number < new.number), revisions[-1])
    old = _numbered(deck, request.GET.get("from"), before)
    page = ComparePage(
        deck=deck,
        revisions=revisions,
        old=old,
        new=new,
        difference=difference(*queries.places(deck, [old.number, new.number]))
        if old != new
        else Difference(),
    )
    return page.respond(request)


def _numbered(deck: Deck, number: str | None, otherwise: DeckRevision) -> DeckRevision:
    """Return the revision with the number in an address, or another if it has none."""
    if number is None:
        return otherwise
    is_number = re.fullmatch(r"\d{1,9}", number, re.ASCII)
    revision = deck.revisions.filter(number=number).first() if is_number else None
    if revision is None:
        raise Http404("This deck has no such revision.")
    return revision


@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def change(request: Request, code: str) -> HttpResponse:
    """Show and save a deck's next revision, for whoever has its key."""
    deck = get_object_or_404(Deck, code=code)
    if not access.may_change(request, deck):
        return locked(request, deck)
    commands.note_visit(deck)
    if request.method != "POST":
        values = check.latest_values(deck) | {"house": request.GET.get("house", "")}
        return check.page(request, form=check.check_form(request, values), deck=deck)
    if "save" in request.POST:
        return check.save(request, deck)
    return check.checked(request, deck)
