"""How teams and pairs of teammates do in a playgroup."""

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ...models import Playgroup, Season
from .. import queries
from .. import teams as group_teams
from ..leaderboard import LISTED
from ..pages.bases import group_page, live_tables
from .decorators import group_view


@require_safe
@group_view
def teams(request: Request, group: Playgroup) -> HttpResponse:
    seasons = queries.seasons(group)
    season = _season(seasons, request.GET.get("season", ""))
    return group_page(
        request,
        "groups/teams.html",
        group,
        playing=live_tables(group),
        teams=group_teams.teams(group, season),
        seasons=seasons,
        season=season,
        listed=LISTED,
        names=" and ".join(ruleset.title for ruleset in group_teams.PLAYED_IN_TEAMS),
    )


def _season(seasons: Sequence[Season], key: str) -> Season | None:
    """Return the season of a key; without a key none: all days count."""
    if not key:
        return None
    for season in seasons:
        if key == str(season.pk):
            return season
    raise Http404("There is no such season.")
