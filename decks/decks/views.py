"""A deck's own page, and changing a deck."""

import re
from datetime import date, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import reswap, retarget
from markupsafe import Markup

from coalition_site.lib.forms import DAMAGED
from coalition_site.lib.keys import KEYS_MAX
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access, queries, record
from ..models import BanList, Deck, DeckRevision
from ..rules.comparing import difference
from ..rules.rulesets import RULESETS
from . import building, commands, legality
from .building import Tap
from .forms import AddCardForm, HouseForm
from .page import remembered_revision, show_revision
from .report import by_kind, changed

EDITOR = "decks/_editor.html"  # the deck itself: its verdict and its cards
EDITED = "decks/_edited.html"  # and what a tap changes elsewhere on its page
LOOK, LOOKS = "cards-as", ("lines", "pictures")  # a cookie: how the visitor looks at cards
TAP_MAX = 500  # characters of the button of a fix, which has two names of cards
CHANGED_MEANWHILE = (
    "This deck was changed in another browser meanwhile: both changes are in the list."
)


@require_safe
@never_cache
def deck(request: Request, code: str) -> HttpResponse:
    deck = get_object_or_404(Deck, code=code)
    commands.note_visit(deck)
    response = deck_page(request, deck)
    if request.GET.get("cards") in LOOKS:
        response.set_cookie(LOOK, request.GET["cards"], max_age=timedelta(days=365), samesite="Lax")
    if access.may_change(request, deck):
        access.take_in_hand(request, response, deck)
    return response


def deck_page(request: Request, deck: Deck, refused: Refused | None = None) -> HttpResponse:
    facts = _facts(request, deck)
    facts |= {"refused": refused, "messages": messages.get_messages(request)}
    if not facts["can_edit"]:
        # All readers see one of a few: each is drawn once, and remembered with the rest.
        drawn, seen = facts["drawn"], (facts["by_picture"], facts["is_latest"])
        if seen not in drawn:
            drawn[seen] = Markup(render_to_string(EDITOR, facts, request))
        facts["drawn"] = drawn[seen]
    template = EDITED if request.htmx and request.method == "POST" else "decks/deck.html"
    status = 422 if refused or facts["form"].errors else 200
    return render(request, template, facts, status=status)


def _facts(request: Request, deck: Deck, made: DeckRevision | None = None) -> dict[str, Any]:
    """Return what a page shows of the revision that was asked for, or that a tap has ``made``.

    ``secret`` in it is the link to change the deck, "" if the visitor has no key of it.
    """
    revisions = queries.revisions(deck)
    revision = made or numbered(deck, request.GET.get("revision"), revisions[0])
    form, house, on = _house(request, revision.ruleset)
    format = RULESETS[revision.ruleset].format
    houses = [one for one in access.house_lists(request) if one.format == format]
    may_change, secret = access.may_change(request, deck), ""
    is_latest, is_today = revision.number == revisions[0].number, on == timezone.localdate()
    if may_change and deck.owner_id is None:
        key = access.browser_keys(request)[deck.code]
        path = reverse("take_deck_key", args=[deck.code, key])
        secret = request.build_absolute_uri(path)
    look = request.GET.get("cards") or request.COOKIES.get(LOOK)
    # What a tap has just made is not remembered yet.
    show = show_revision if request.method == "POST" else remembered_revision
    shown = show(revision, house, on)
    return shown | {
        "shown": shown,
        "deck": deck,
        "revision": revision,
        "is_latest": is_latest,
        "revisions": revisions,
        "results": record.results(request, deck),
        "address": request.build_absolute_uri(address(deck)),
        "secret": secret,
        "secret_qr": qr_code(secret) if secret else "",
        "keys_max": KEYS_MAX,
        "form": form,
        "house": house,
        "on": None if is_today else on,
        "houses": [*houses, house] if house and house not in houses else houses,
        "by_picture": look == "pictures" and settings.CARD_PICTURES != "none",
        "may_change": may_change,
        "can_edit": may_change and is_latest and is_today,
        "may_take_in": access.may_take_in(request, deck),
    }


def _house(request: Request, ruleset: str) -> tuple[HouseForm, BanList | None, date]:
    """Return by which list and day to judge, or today's of the format if that can't be said."""
    sent = request.POST if request.method == "POST" else request.GET
    asked = {name: sent.get(name, "") for name in ("house", "on")}
    form = HouseForm(request, {"ruleset": ruleset, **asked})
    if form.is_valid():
        return form, form.cleaned_data["house"], form.cleaned_data["on"]
    return form, None, timezone.localdate()


@require_POST
@limited("edit")
def build(request: Request, code: str) -> HttpResponse:
    deck = get_object_or_404(Deck, code=code)
    if not access.may_change(request, deck):
        return locked(request, deck)
    # The house list that the page was judged by: a tap sends it.
    _, house, on = _house(request, deck.revisions.latest("number").ruleset)
    try:
        edit = commands.edit_deck(deck, _tap(request.POST, house, on))
    except Refused as refused:
        return deck_page(request, deck, refused)
    if not request.htmx:
        return redirect(f"{address(deck, house)}#cards")
    facts = _facts(request, deck, edit.revision)
    is_alone = request.POST.get("state", edit.state) == edit.state
    if is_alone and not edit.words:
        before = by_kind(edit.before.resolved, building.judge(edit.before, house, on))
        if part := changed(before, facts["groups"]):
            # A row's buttons stay where they are, so that the next tap meets them.
            return reswap(render(request, "decks/_tapped.html", facts | {"changed": part}), "none")
    done = edit.words and f"Done: {edit.words[0].lower()}{edit.words[1:]}."
    facts["done"] = " ".join(filter(None, [done, "" if is_alone else CHANGED_MEANWHILE]))
    return retarget(reswap(render(request, EDITED, facts), "outerHTML"), "#deck")


def _tap(sent: QueryDict, house: BanList | None, on: date) -> Tap:
    if "card" in sent:
        data = cleaned_data(AddCardForm(sent))
        data["card"] = building.known_card(data["card"])
        return partial(building.add, **data)
    # A button of a row, such as "more" with "main:Forest", or a fix by its key.
    names = ("more", "less", "move", "fix")
    taps = [(what, of) for what in names if (of := sent.get(what))]
    if len(taps) != 1 or len(taps[0][1]) > TAP_MAX:
        raise Refused(DAMAGED)
    what, of = taps[0]
    if what == "fix":
        return partial(building.fix, key=of, house=house, on=on)
    return building.step(what, of)


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


def address(deck: Deck, house: BanList | None = None) -> str:
    query = f"?{urlencode({'house': house.key})}" if house else ""
    return reverse("deck", args=[deck.code]) + query


def locked(request: Request, deck: Deck) -> HttpResponse:
    return render(request, "decks/locked.html", {"deck": deck}, status=403)


@require_safe
@never_cache
def compare(request: Request, code: str) -> HttpResponse:
    deck = get_object_or_404(Deck, code=code)
    asked, own = request.GET.get("with", "").strip(), access.own_decks(request)
    # Another deck is named by its link, by its code, or as one of the visitor's own.
    named = {one.name: one.code for one in own}
    wanted = named.get(asked) or asked.partition("/decks/")[2].partition("/")[0] or asked
    other = queries.deck_with_ruleset(wanted) or deck
    revisions, others = queries.revisions(deck), queries.revisions(other)
    new = numbered(other, request.GET.get("to"), others[0])
    earlier = next((row for row in revisions if row.number < new.number), revisions[-1])
    before = earlier if other == deck else revisions[0]
    old = numbered(deck, request.GET.get("from"), before)
    today = timezone.localdate()
    read = (legality.read_saved(one.text, RULESETS[one.ruleset]) for one in (old, new))
    facts = {
        "deck": deck,
        "other": other,
        "own": [one for one in own if one not in (deck, other)],
        "sides": [
            (one, revision, choices, remembered_revision(revision, None, today)["judged"])
            for one, revision, choices in ((deck, old, revisions), (other, new, others))
        ],
        "difference": difference(*legality.copies_by_place(*read)),
        "sections": building.PLACES,
        "asked": asked,
        "problem": asked and wanted != other.code,
    }
    return render(request, "decks/compare.html", facts, status=422 if facts["problem"] else 200)


def numbered(deck: Deck, number: str | None, otherwise: DeckRevision) -> DeckRevision:
    if number is None:
        return otherwise
    is_number = re.fullmatch(r"\d{1,9}", number, re.ASCII)
    revision = deck.revisions.filter(number=number).first() if is_number else None
    if revision is None:
        raise Http404("This deck has no such revision.")
    return revision
