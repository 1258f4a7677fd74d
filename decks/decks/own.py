"""The visitor's own decks: begun, listed, added to, and taken into an account."""

from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, is_inside

from .. import access, queries
from ..models import NAME_MAX, Deck
from ..rules.rulesets import OF_CARDS, RULESETS
from . import building, commands
from . import views as decks
from .forms import AddCardForm, NewDeckForm
from .planned import judged_decks

SHOWN = 50  # decks on a page


@require_safe
@never_cache
def my_decks(request: Request) -> HttpResponse:
    page = Paginator(access.own_decks(request), SHOWN).get_page(request.GET.get("page"))
    shown = {
        "rows": judged_decks(list(page.object_list), timezone.localdate()),
        "page": page,
        "messages": messages.get_messages(request),
    }
    return render(request, "decks/mine.html", shown)


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


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited("save")
def new_deck(request: Request) -> HttpResponse:
    problem = ""
    if request.method == "POST":
        try:
            data = cleaned_data(NewDeckForm(request.POST))
            name, key = data["name"], key_for(data["tap_id"], data["name"], data["ruleset"])
            ruleset, owner = RULESETS[data["ruleset"]], request.user.pk
            deck = commands.begin_deck(name, ruleset, key=key, owner=owner)
            to = _adding(deck.code, data["card"]) if data["card"] else decks.address(deck)
            response = redirect(to)
            if owner is None:
                access.hand_over(request, response, deck.code, key)
            access.take_in_hand(request, response, deck)
            return response
        except Refused as refused:
            problem = str(refused)
    asked = request.POST if request.method == "POST" else request.GET
    shown = {
        "card": asked.get("card", "")[:NAME_MAX],  # for which the deck is begun, "" for none
        "problem": problem,
        "typed": request.POST,
        "rulesets": [(ruleset.key, ruleset.title) for ruleset in OF_CARDS.values()],
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
        data = cleaned_data(AddCardForm(sent))
        card = building.known_card(data["card"])
        edit = commands.edit_deck(deck, partial(building.add, **data | {"card": card}))
    except Refused as refused:
        return _adding_page(request, sent, refused)
    if request.htmx:
        has = building.copies_in_words(edit.revision, card)
        return render(request, "decks/_added.html", {"deck": deck, "has": has})
    response = redirect(_adding(deck.code, card.name, sent.get("back", "")))
    access.take_in_hand(request, response, deck)
    return response


def _adding_page(
    request: Request, asked: QueryDict, refused: Refused | None = None
) -> HttpResponse:
    status = 422 if refused else 200
    if request.htmx:
        return render(request, "decks/_not_added.html", {"refused": refused}, status=status)
    own = access.own_decks(request)
    name, back = asked.get("card", "").strip(), asked.get("back", "")
    # The deck that was asked for, else that in hand, else the newest.
    by_code = {deck.code: deck for deck in own}
    codes = (asked.get("deck", ""), request.COOKIES.get(access.IN_HAND, ""), *by_code)
    deck = next((by_code[code] for code in codes if code in by_code), None)
    try:
        card = building.known_card(name) if name and not refused else None
    except Refused as unknown:
        card, refused = None, unknown
    revision = deck.revisions.latest("number") if deck else None
    shown = {
        "decks": [(one.code, one.name) for one in own],
        "deck": deck,
        "name": card.name if card else name[:NAME_MAX],
        "places": building.places_of(revision.ruleset) if revision else (),
        "place": asked.get("place", ""),
        "count": asked.get("count") or 1,
        "has": building.copies_in_words(revision, card) if revision and card else "",
        "back": back if is_inside(back) else "",
        "refused": refused,
    }
    return render(request, "decks/add.html", shown, status=status)
