"""The addresses of the API. Unknown versions answer as JSON too."""

from collections.abc import Callable

from django.http import HttpRequest
from django.urls import URLPattern, path

from scoring.groups.data.serializing import Json

from . import cards, docs, groups, sets
from .door import Problem, door

GROUP = "playgroups/<slug:code>"
NOTHING = (
    "There is nothing here. Addresses begin with /api/v1/ and have no slash at their end; /api/ "
    "lists them."
)


def _version_1(where: str, view: Callable[..., Json], name: str) -> URLPattern:
    return path(f"v1/{where}", door(view), name=name)


def nothing(request: HttpRequest, rest: str) -> Json:
    raise Problem(404, NOTHING)


urlpatterns = [
    path("", docs.docs, name="api"),
    _version_1("openapi.json", lambda request: docs.document(), "api_openapi"),
    _version_1("playgroups", groups.playgroups, "api_playgroups"),
    _version_1(GROUP, groups.playgroup, "api_playgroup"),
    _version_1(f"{GROUP}/players", groups.players, "api_players"),
    _version_1(f"{GROUP}/players/<int:player>", groups.player, "api_player"),
    _version_1(f"{GROUP}/board", groups.board, "api_board"),
    _version_1(f"{GROUP}/seasons", groups.seasons, "api_seasons"),
    _version_1(f"{GROUP}/seasons/<int:season>", groups.season, "api_season"),
    _version_1(f"{GROUP}/records", groups.group_records, "api_records"),
    _version_1(f"{GROUP}/evenings", groups.evenings, "api_evenings"),
    _version_1(f"{GROUP}/evenings/<int:number>", groups.evening, "api_evening"),
    _version_1(f"{GROUP}/sets", sets.sets, "api_sets"),
    _version_1("sets/<slug:code>", sets.set_and_games, "api_set"),
    _version_1("sets/<slug:code>/log", sets.log, "api_log"),
    _version_1("ban-lists", cards.ban_lists, "api_ban_lists"),
    _version_1("ban-lists/<slug:key>", cards.ban_list, "api_ban_list"),
    _version_1("ban-lists/<slug:key>/announcements", cards.announcements, "api_announcements"),
    _version_1("verdicts", cards.card_verdicts, "api_verdicts"),
    path("<path:rest>", door(nothing), name="api_nothing"),
]
