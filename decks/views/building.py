"""Building a deck card by card: beginning it, adding cards to it, and tapping on its page."""

from urllib.parse import urlencode

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, is_inside

from .. import access, building, commands, queries
from ..building import UnknownCard
from ..catalogue.known import KnownCard
from ..forms import AddCardForm, BuildForm, NewDeckForm
from ..models import NAME_MAX, Deck
from ..rules.rulesets import OF_CARDS, RULESETS
from . import decks


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited("save")
def new_deck(request: Request) -> HttpResponse:
    if request.method != "POST":
        return _new_deck_page(request, card=request.GET.get("card", ""))
    form = NewDeckForm(request.POST)
    try:
        data = cleaned_data(form)
    except Refused as refused:
        return _new_deck_page(request, card=request.POST.get("card", ""), problem=str(refused))
    key = key_for(data["tap_id"], data["name"], data["ruleset"])
    owner = request.user.pk
    deck = commands.begin_deck(data["name"], RULESETS[data["ruleset"]], key=key, owner=owner)
    response = redirect(_adding(deck.code, data["card"]) if data["card"] else decks.address(deck))
    if owner is None:
        access.hand_over(request, response, deck.code, key)
    access.take_in_hand(request, response, deck)
    return response


def _new_deck_page(request: Request, card: str, problem: str = "") -> HttpResponse:
    shown = {
        "card": card[:NAME_MAX],  # for which the deck is begun, "" for none
        "problem": problem,
        "typed": request.POST,
        "rulesets": OF_CARDS.values(),
        "is_signed_in": request.user.is_authenticated,
    }
    return render(request, "decks/new.html", shown, status=422 if problem else 200)


def _adding(code: str, card: str, back: str = "") -> str:
    asked = {"deck": code, "card": card} | ({"back": back} if is_inside(back) else {})
    return f"{reverse('add_card')}?{urlencode(asked)}"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited("edit")
def add_card(request: Request) -> HttpResponse:
    """Add a card to a deck; GET asks to which of the visitor's decks, and where in it."""
    if request.method != "POST":
        return _adding_page(request, request.GET)
    deck = queries.deck_with_ruleset(request.POST.get("deck", ""))
    if deck is None:
        raise Http404("There is no such deck.")
    if not access.may_change(request, deck):
        return decks.locked(request, deck)
    sent = request.POST.copy()
    if "add" in sent:  # the buttons beside a card send the place and the card in one field
        sent["place"], _, sent["card"] = request.POST["add"].partition(":")
    try:
        card, place, count = _added(sent)
        tap = building.add(card, place, count)
        revision = commands.edit_deck(deck, lambda _, opened: tap(opened)[0])
    except Refused as refused:
        return _adding_page(request, sent, refused)
    if request.htmx:
        has = building.copies_in_words(revision, card)
        return render(request, "decks/_added.html", {"deck": deck, "has": has})
    response = redirect(_adding(deck.code, card.name, sent.get("back", "")))
    access.take_in_hand(request, response, deck)
    return response


def _added(sent: QueryDict) -> tuple[KnownCard, str, int]:
    """Return what is to be added, where, and how many copies.

    :raises Refused: if the form has an error, or there is no such card.
    """
    data = cleaned_data(AddCardForm(sent))
    return building.known_card(data["card"]), data["place"], data["count"] or 1


def _adding_page(
    request: Request, asked: QueryDict, refused: Refused | None = None
) -> HttpResponse:
    """Show where a card can be added; htmx gets the refusal alone."""
    status = 422 if refused else 200
    if request.htmx:
        problem = {"problem": str(refused or "")}
        return render(request, "decks/_not_added.html", problem, status=status)
    own = access.own_decks(request)
    name, back = asked.get("card", "").strip(), asked.get("back", "")
    # The deck that was asked for, else that in hand, else the newest.
    by_code = {deck.code: deck for deck in own}
    wanted = by_code.get(asked.get("deck", "")) or by_code.get(
        request.COOKIES.get(access.IN_HAND, "")
    )
    deck = wanted or next(iter(own), None)
    try:
        card = building.known_card(name) if name and not refused else None
    except UnknownCard as unknown:
        card, refused = None, unknown
    revision = deck.revisions.latest("number") if deck else None
    shown = {
        "decks": own,
        "deck": deck,
        "name": card.name if card else name[:NAME_MAX],
        "places": building.places_of(revision.ruleset) if revision else (),
        "place": asked.get("place", ""),
        "has": building.copies_in_words(revision, card) if revision and card else "",
        "back": back if is_inside(back) else "",
        "problem": str(refused or ""),
        "closest": refused.closest if isinstance(refused, UnknownCard) else (),
    }
    return render(request, "decks/add.html", shown, status=status)


@require_POST
@limited("edit")
def build(request: Request, code: str) -> HttpResponse:
    deck = get_object_or_404(Deck, code=code)
    if not access.may_change(request, deck):
        return decks.locked(request, deck)
    house = decks.house_in(request, deck)
    try:
        if "card" in request.POST:
            tap = building.add(*_added(request.POST))
        else:
            data = cleaned_data(BuildForm(request.POST))
            what, of = data["what"], data["of"]
            tap = building.fix(of, house) if what == "mend" else building.step(what, of)
        return decks.tapped(request, deck, tap, house)
    except Refused as refused:
        return decks.deck_page(request, deck, refused)
