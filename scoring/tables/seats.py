"""Who sits at a table: names, heroes, and decks as they were judged on their day."""

from collections.abc import Iterable, Sequence

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from coalition_site.lib.texts import name_key
from decks import access as deck_access
from decks import queries as deck_queries
from decks.catalogue import heroes, memory
from decks.catalogue.heroes import Hero
from decks.decks.legality import format_of
from decks.decks.views import locked
from decks.models import BanList, Deck

from .. import access
from ..models import GameSet, Seat
from ..models.record import CARD_MAX
from ..record import commands, queries, sideboards
from ..record.seating import given_names
from ..rules.errors import SetIsFinished
from . import seat_rows
from .board import who
from .common import get_table, require_scorer, shows_form, takes_posts
from .forms import NamesForm, SeatDeckForm, SeatHeroForm, SwapForm, edited, untyped
from .seat import require_seat, seat_page

KNOWN_MAX = 16


def own_tables(request: Request) -> list[GameSet]:
    sets = queries.sets_of(access.keys(request)).filter(trial_until=None)
    return [game_set for game_set in sets if access.may_score(request, game_set)]


def known_names(tables: Iterable[GameSet]) -> list[str]:
    """Return who sat at tables, each name once, as it was written last."""
    seated = [
        name
        for game_set in tables
        for seat, name in game_set.names.items()
        if seat not in game_set.unnamed
    ]
    names = {name_key(name): name for name in seated[::-1]}
    return [names[name] for name in dict.fromkeys(map(name_key, seated))]


def _names(request: Request, code: str, refused: Refused | None = None) -> HttpResponse:
    game_set = get_table(request, code)
    names = given_names(game_set)
    typed = edited(request.POST, names)
    ticked = untyped(request.POST.getlist("known"), typed.values())
    seats = [
        (who(game_set, seat), names[seat], name or next(ticked, "")) for seat, name in typed.items()
    ]
    problem = refused.message(game_set.names) if refused else ""
    known = known_names(own_tables(request))
    shown = {
        "game_set": game_set,
        "code": game_set.code,
        "seats": seats,
        "problem": problem,
        "known": known[:KNOWN_MAX],
        "more": known[KNOWN_MAX:],
        "asked": request.GET.get("seat"),
    }
    return render(request, "tables/names.html", shown, status=422 if refused else 200)


@shows_form(_names)
def seat_names(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if game_set.playgroup_id:
        return redirect("take_set", game_set.code)
    if request.method != "POST":
        return _names(request, code)
    data = cleaned_data(NamesForm(request.POST, now=given_names(game_set)))
    commands.name_seats(game_set, data["names"])
    return redirect("score", game_set.code)


TYPED = ("hero", "out", "deck")  # the fields of a seat, each of a form of its own


def seats_page(
    request: Request, code: str, refused: Refused | None = None, offers: Sequence[Hero] = ()
) -> HttpResponse:
    game_set = get_table(request, code)
    seat = request.POST.get("seat", "")
    is_of_seat = "house" not in request.POST and seat in map(str, game_set.names)
    game = sideboards.next_game(game_set)
    rows = [row for row in sideboards.of_set(game_set) if row.game == game]
    problem_of = next((of for of in TYPED if of in request.POST), "deck")
    page = {
        "game_set": game_set,
        "code": game_set.code,
        "ruleset": game_set.rules.key,
        "seats": seat_rows.seats(game_set, queries.seats_with_decks(game_set)),
        "has_heroes": game_set.rules.has_heroes,
        "has_cards": deck_queries.has_cards(),
        "game": game if game and game > 1 else None,
        "swaps": {row.seat.number: seat_rows.change(game_set, row) for row in rows if row.swap},
        # Those who have hidden theirs until the end.
        "waiting": {row.seat.number for row in rows if row.box},
        "mine": deck_access.own_decks(request),
        "houses": _houses(request, game_set),
        "house": game_set.house_id,
        "problem": refused.message(game_set.names) if refused else "",
        "problem_seat": int(seat) if is_of_seat else None,
        "problem_of": problem_of,
        "typed": request.POST.get(problem_of, ""),
        "typed_into": request.POST.get("into", ""),
        "offers": offers,
    }
    return render(request, "tables/seats.html", page, status=422 if refused else 200)


@shows_form(seats_page)
def seat_decks(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if not queries.deck_format(game_set):
        raise Http404("This format has no deck rules.")
    if request.method != "POST":
        return seats_page(request, code)
    form = SeatDeckForm(
        request.POST,
        names=game_set.names,
        own=[deck.code for deck in deck_access.own_decks(request)],
        sees=lambda house: house in _houses(request, game_set),
    )
    data = cleaned_data(form)
    if "house" in request.POST:
        commands.use_ban_list(game_set, data["house"])
    else:
        commands.bring_deck(game_set, data["seat"], data["deck"])
    return redirect("seat_decks", game_set.code)


@shows_form(seats_page)
def seat_hero(request: Request, code: str) -> HttpResponse:
    """Set the hero of a seat; htmx gets the heroes that may be meant while one is typed."""
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if not game_set.rules.has_heroes:
        raise Http404("This format has no heroes.")
    if request.method != "POST":
        text, seat = request.GET.get("hero", "").strip()[:CARD_MAX], request.GET.get("seat", "")
        if not request.htmx or seat not in map(str, game_set.names):
            return redirect("seat_decks", game_set.code)
        offers = heroes.offers(text, memory.CATALOGUE.now()) if text else ()
        shown = {"code": game_set.code, "seat": int(seat), "offers": offers}
        return render(request, "tables/_heroes.html", shown)
    form = SeatHeroForm(request.POST, names=game_set.names)
    if not form.is_valid():
        return seats_page(request, code, Refused(first_error(form)), form.offers)
    commands.name_hero(game_set, form.cleaned_data["seat"], form.cleaned_data["played"])
    return redirect("seat_decks", game_set.code)


@takes_posts(seat_page)
def bring_own(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    seat = require_seat(request, game_set)
    data = request.POST.copy()
    data["seat"] = str(seat.number)
    if "deck" in data:
        if not queries.deck_format(game_set):
            raise Http404("This format has no deck rules.")
        own = [deck.code for deck in deck_access.own_decks(request)]
        form = SeatDeckForm(data, names=game_set.names, own=own, sees=lambda house: False)
        commands.bring_deck(game_set, seat.number, cleaned_data(form)["deck"])
        return redirect("seat", game_set.code)
    if not game_set.rules.has_heroes:
        raise Http404("This format has no heroes.")
    if game_set.finished_at:
        raise SetIsFinished()
    heroes = SeatHeroForm(data, names=game_set.names)
    if not heroes.is_valid():
        meant = [f"{hero.name} ({', '.join(hero.types)})" for hero in heroes.offers]
        raise Refused(" ".join([first_error(heroes), "; ".join(meant)]).rstrip())
    commands.name_hero(game_set, seat.number, heroes.cleaned_data["played"])
    return redirect("seat", game_set.code)


@takes_posts(seats_page)
def seat_swap(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if not queries.deck_format(game_set):
        raise Http404("This format has no deck rules.")
    data = cleaned_data(SwapForm(request.POST, names=game_set.names))
    game = sideboards.next_game(game_set)
    if game is None or game == 1:
        raise Refused("Swaps are noted between games: the next one has not been reached.")
    seat = queries.seats_with_decks(game_set)[data["seat"] - 1]
    sideboards.note_swap(game_set, seat, game, data["out"], data["into"])
    return redirect("seat_decks", game_set.code)


def _houses(request: Request, game_set: GameSet) -> list[BanList]:
    current, format = game_set.house, queries.deck_format(game_set)
    houses = [house for house in deck_access.house_lists(request) if house.format == format]
    return houses if current is None or current in houses else [current, *houses]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited("edit")
def bring_deck(request: Request, code: str) -> HttpResponse:
    deck = get_object_or_404(Deck, code=code)
    if not deck_access.may_change(request, deck):
        return locked(request, deck)
    revision = deck.revisions.latest("number")
    format = format_of(revision.ruleset)
    seats = queries.open_seats(request.user.pk, access.tables_in_browser(request), format)
    seats = [seat for seat in seats if access.may_bring(request, seat)]
    if request.method != "POST":
        return _bring(request, deck, seats)
    seat = next((seat for seat in seats if str(seat.pk) == request.POST.get("seat")), None)
    if seat is None:
        return _bring(request, deck, seats, "That seat is not open to this deck. Choose another.")
    try:
        commands.bring_deck(seat.game_set, seat.number, revision)
    except Refused as refused:
        return _bring(request, deck, seats, refused.message(seat.game_set.names))
    return redirect("watch", seat.game_set.code)


def _bring(request: Request, deck: Deck, seats: list[Seat], problem: str = "") -> HttpResponse:
    shown = {"deck": deck, "seats": seats, "problem": problem}
    return render(request, "tables/bring.html", shown, status=422 if problem else 200)
