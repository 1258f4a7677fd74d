"""How teams and pairs of teammates do in a playgroup."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup
from .. import teams as group_teams
from ..pages.statistics import TeamsPage
from .decorators import group_view


@require_safe
@group_view
def teams(request: Request, group: Playgroup) -> HttpResponse:
    """Show all teams and pairs, ranked by the share of games that they won."""
    return TeamsPage(group=group, teams=group_teams.teams(group)).respond(request)
