"""The decks at a table: who brought which, and how it was judged on that day."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error
from decks import access as deck_access
from decks import queries as deck_queries
from decks.models import BanList

from ..forms.tables import SeatDeckForm
from ..pages import seats as show
from ..play import commands, queries
from ..play.queries import Table
from ..rules.errors import RuleError
from .tables import Request, scorekeeper_view


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
def seat_decks(request: Request, table: Table) -> HttpResponse:
    """Show the seats with their decks, and change the deck of a seat."""
    if not table.deck_format:
        raise Http404("This format has no deck rules.")
    if request.method != "POST":
        return _page(request, table)
    form = SeatDeckForm(
        request.POST,
        names=table.names,
        format=table.deck_format,
        own=deck_access.browser_keys(request),
        sees=lambda house: house in _houses(request, table),
    )
    if not form.is_valid():
        return _refused(request, table, first_error(form))
    data = form.cleaned_data
    try:
        if "house" in request.POST:
            commands.use_ban_list(table, data["house"])
        else:
            commands.bring_deck(table, data["seat"], data["deck"])
    except RuleError as refusal:
        return _refused(request, table, refusal.message(table.names))
    return redirect("seat_decks", table.game_set.code)


def _refused(request: Request, table: Table, problem: str) -> HttpResponse:
    """Show the page again with what was typed, and the problem next to its seat."""
    seat = request.POST.get("seat", "")
    is_of_seat = "house" not in request.POST and seat in map(str, table.names)
    return _page(
        request,
        table,
        problem=problem,
        problem_seat=int(seat) if is_of_seat else None,
        typed=request.POST.get("deck", ""),
    )


def _houses(request: Request, table: Table) -> list[BanList]:
    """Return the playgroups' ban lists to choose from, the table's current list among them."""
    current = table.game_set.house
    houses = [
        house for house in deck_access.house_lists(request) if house.format == table.deck_format
    ]
    return houses if current is None or current in houses else [current, *houses]


def _page(request: Request, table: Table, **refused: Any) -> HttpResponse:
    context = refused | {
        "code": table.game_set.code,
        "seats": show.seats(table, queries.seats_with_decks(table)),
        "mine": deck_queries.decks_by_code(deck_access.browser_keys(request)),
        "houses": _houses(request, table),
        "house": table.game_set.house_id,
    }
    return render(request, "scoring/seats.html", context, status=422 if refused else 200)
