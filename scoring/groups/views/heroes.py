"""How heroes and coalition types do in a playgroup."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request
from decks.pictures.heroes import art

from ...models import Playgroup
from .. import statistics
from ..forms.board import NameForm
from ..pages.statistics import HeroesPage, HeroPage, NobodyPage
from .decorators import group_view
from .paging import page_number


@require_safe
@group_view
def heroes(request: Request, group: Playgroup) -> HttpResponse:
    """Show all decks, and the heroes and types that they had, the most played first."""
    tallies = statistics.hero_tallies(group)
    return HeroesPage(
        group=group,
        heroes=statistics.totals_by(tallies, "hero"),
        types=statistics.totals_by(tallies, "coalition_type"),
        decks=statistics.decks(group),
    ).respond(request)


@require_safe
@group_view
def hero(request: Request, group: Playgroup) -> HttpResponse:
    """Show how a hero does."""
    return _totals(request, group, "Hero", field="hero", other_field="coalition_type")


@require_safe
@group_view
def coalition_type(request: Request, group: Playgroup) -> HttpResponse:
    """Show how a coalition type does."""
    return _totals(request, group, "Coalition type", field="coalition_type", other_field="hero")


def _totals(
    request: Request, group: Playgroup, what: str, *, field: str, other_field: str
) -> HttpResponse:
    """Show the totals of a hero or type, with the types or heroes it was played with."""
    form = NameForm(request.GET)
    if not form.is_valid():
        return _nobody(request, group)
    name, number = form.cleaned_data["name"], page_number(request)
    tallies = statistics.hero_tallies(group).filter(**{field: name})
    page = statistics.page(statistics.results_with(tallies, number, **{field: name}), number)
    if not page.results:
        return _nobody(request, group)
    return HeroPage(
        group=group,
        what=what,
        name=name,
        line=statistics.totals(tallies),
        players=statistics.totals_by_player(tallies),
        others=statistics.totals_by(tallies, other_field),
        page=page,
        art=art([name]).get(name) if field == "hero" else None,
    ).respond(request)


def _nobody(request: Request, group: Playgroup) -> HttpResponse:
    return NobodyPage(group=group).respond(request, status=404)
