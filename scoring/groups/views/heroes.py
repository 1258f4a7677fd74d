"""How heroes and coalition types do in a playgroup."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request
from decks.pictures.heroes import art

from ...models import Playgroup
from .. import statistics
from ..forms.board import NameForm, page_number
from ..pages.bases import group_page, live_tables
from .decorators import group_view


@require_safe
@group_view
def heroes(request: Request, group: Playgroup) -> HttpResponse:
    """Show all decks, and the heroes and types that they had, the most played first."""
    heroes, types = statistics.heroes_and_types(statistics.results_of(group))
    return group_page(
        request,
        "groups/heroes.html",
        group,
        playing=live_tables(group),
        heroes=heroes,
        types=types,
        decks=statistics.decks(group),
        most=statistics.ROWS_MAX,
    )


@require_safe
@group_view
def hero(request: Request, group: Playgroup) -> HttpResponse:
    return _totals(request, group, "Hero", field="hero")


@require_safe
@group_view
def coalition_type(request: Request, group: Playgroup) -> HttpResponse:
    return _totals(request, group, "Coalition type", field="coalition_type")


def _totals(request: Request, group: Playgroup, what: str, *, field: str) -> HttpResponse:
    """Show the totals of a hero or type, with the types or heroes it was played with."""
    form = NameForm(request.GET)
    if not form.is_valid():
        return _nobody(request, group)
    name, number = form.cleaned_data["name"], page_number(request)
    results = statistics.results_of(group).filter(**{field: name})
    page = statistics.page(results, number)
    if not page.results:
        return _nobody(request, group)
    heroes, types = statistics.heroes_and_types(results)
    return group_page(
        request,
        "groups/hero.html",
        group,
        playing=live_tables(group),
        what=what,
        name=name,
        line=statistics.totals(results),
        players=statistics.totals_by_player(results),
        others=types if field == "hero" else heroes,
        page=page,
        art=art([name]).get(name) if field == "hero" else None,
    )


def _nobody(request: Request, group: Playgroup) -> HttpResponse:
    playing = live_tables(group)
    return group_page(request, "groups/nobody.html", group, status=404, playing=playing)
