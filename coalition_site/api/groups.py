"""Playgroups, their players and their boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router

from decks.checking.legality import format_of
from scoring import access
from scoring.groups import leaderboard, queries, statistics
from scoring.groups.forms.board import BoardForm
from scoring.groups.leaderboard import Wanted
from scoring.models import Membership, Player, Playgroup, Season
from scoring.models.people import Visibility

from ..lib.forms import first_error
from ..lib.texts import by_name
from . import shapes
from .paging import PageNumber, page, page_of
from .problems import Problem

if TYPE_CHECKING:
    from scoring.groups.statistics import FoundPlayer

router = Router(tags=["Playgroups"])

UNSEEN = (
    "There is no playgroup here that you can see. If it is private, send the token of an account "
    "that belongs to it."
)
RECORD_KINDS = {what: kind for kind, what in statistics.RECORDS.items()}
NO_PLAYER = "There is no such player in this playgroup. Its players have their ids."


def visible_group(request: HttpRequest, code: str) -> queries.VisitedGroup:
    """Return a playgroup that the visitor may see. One query.

    :raises Problem: in the same words, whether it doesn't exist or isn't for this visitor.
    """
    group = queries.find_group(code, request.user.pk)
    if group is None or not access.may_see(request, group):
        raise Problem(404, UNSEEN)
    return group


def _link(request: HttpRequest, name: str, *args: object) -> str:
    return request.build_absolute_uri(reverse(name, args=args))


@router.get("/playgroups", response=shapes.Listed[shapes.Playgroup], url_name="api_playgroups")
def playgroups(request: HttpRequest, number: PageNumber = 1) -> dict[str, Any]:
    """Public playgroups, and those of the token’s account, by name.

    An unlisted playgroup is not listed, but whoever has its code can read it.
    """
    own = Exists(Membership.objects.filter(playgroup=OuterRef("pk"), user=request.user.pk))
    groups = Playgroup.objects.filter(Q(visibility=Visibility.PUBLIC) | own)
    return page(request, groups.order_by("name", "pk"), number, lambda g: _group(request, g))


def _group(request: HttpRequest, group: Playgroup) -> dict[str, Any]:
    return {
        "code": group.code,
        "name": group.name,
        "visibility": group.visibility,
        "format": group.format,
        "ruleset": group.ruleset,
        "zone": group.zone,
        "created_at": group.created_at,
        "url": _link(request, "board", group.code),
    }


@router.get("/playgroups/{slug:code}", response=shapes.WholePlaygroup, url_name="api_playgroup")
def playgroup(request: HttpRequest, code: str) -> dict[str, Any]:
    """A playgroup with its seasons."""
    group = visible_group(request, code)
    return _group(request, group) | {
        "house_rules": group.house_rules,
        "ban_list": group.house.key if group.house else format_of(group.ruleset) or None,
        "seasons": [season_days(season) for season in queries.seasons(group)],
        "role": access.role(request, group),
    }


def season_days(season: Season) -> dict[str, Any]:
    """Return what a season is."""
    days = {"starts_on": season.starts_on, "ends_on": season.ends_on}
    return {"id": season.pk, "name": season.name, **days}


# --- players ---
@router.get(
    "/playgroups/{slug:code}/players",
    response=shapes.Listed[shapes.Player],
    url_name="api_players",
)
def players(request: HttpRequest, code: str, number: PageNumber = 1) -> dict[str, Any]:
    """A playgroup’s players by name, with guests and those merged into others."""
    group = visible_group(request, code)
    everybody = by_name(group.players.order_by("pk"))
    return page_of(request, everybody, number, lambda one: _player(request, group, one))


def _player(request: HttpRequest, group: Playgroup, player: Player) -> dict[str, Any]:
    return {
        "id": player.pk,
        "name": player.name,
        "is_guest": player.is_guest,
        "merged_into": player.merged_into_id,
        "url": _link(request, "player", group.code, player.pk),
    }


@router.get(
    "/playgroups/{slug:code}/players/{int:player}",
    response=shapes.WholePlayer,
    url_name="api_player",
)
def player(request: HttpRequest, code: str, player: int) -> dict[str, Any]:
    """A player with the sums of all sets, and the rating, by format.

    Somebody merged into another player has no sums: the other has them.
    """
    group = visible_group(request, code)
    return _whole_player(request, group, find_player(group, player))


def find_player(group: Playgroup, key: int) -> FoundPlayer:
    """Return a player of a playgroup. One query.

    :raises Problem: if there is no such player.
    """
    player = statistics.find_player(group, key, visitor=None)
    if player is None:
        raise Problem(404, NO_PLAYER)
    return player


def _whole_player(request: HttpRequest, group: Playgroup, player: FoundPlayer) -> dict[str, Any]:
    rows = statistics.sums_by_format(player)
    best: dict[str, list[statistics.Record]] = {}
    for format, row in rows.items():
        row.form, best[format] = statistics.course(player, format)
    formats = [
        {"format": format, **_rated(row), "records": [_record(one) for one in best[format]]}
        for format, row in rows.items()
    ]
    return _player(request, group, player) | {"formats": formats}


def _record(record: statistics.Record) -> dict[str, Any]:
    kind = RECORD_KINDS[record.what]
    return {"kind": kind, "value": record.value, "set": record.code, "on": record.day}


def _rated(row: leaderboard.Row) -> dict[str, Any]:
    return {
        "sets": row.sets,
        "sets_won": row.sets_won,
        "games": row.games,
        "games_won": row.games_won,
        "victory_points": row.victory_points,
        "per_game": row.per_game,
        "rating": row.rating,
        "uncertainty": row.uncertainty,
        "is_rated": row.is_rated,
        "streak": row.form[-1].streak if row.form else None,
    }


# --- boards ---
SEASON = "The id of a season, or “all”; without it the season of today, if there is one."
SeasonChoice = Annotated[str, Query(description=SEASON)]
First = Annotated[str, Query(description="A day like 2026-03-09.")]
Last = Annotated[str, Query(description="A day; both days count.")]
Format = Annotated[str, Query(description="Without it, the playgroup’s.")]


@router.get("/playgroups/{slug:code}/board", response=shapes.Board, url_name="api_board")
def board(
    request: HttpRequest,
    code: str,
    season: SeasonChoice = "",
    first: First = "",
    last: Last = "",
    format: Format = "",
    ruleset: Annotated[str, Query(description="Without it, all of the format.")] = "",
    size: Annotated[str, Query(description="How many sat at the table.")] = "",
) -> dict[str, Any]:
    """A playgroup’s leaderboard: everybody with results, in the order of ranks."""
    group = visible_group(request, code)
    asked = {"season": season, "first": first, "last": last}
    asked |= {"format": format, "ruleset": ruleset, "size": size}
    return _board(group, board_form(group, asked))


def board_form(group: Playgroup, asked: dict[str, str]) -> BoardForm:
    """Return the valid form of which results count. One query.

    :raises Problem: if something in it is wrong.
    """
    seasons = queries.seasons(group)
    form = BoardForm(asked, seasons=seasons, today=queries.today(group), format=group.format)
    if not form.is_valid():
        raise Problem(422, first_error(form))
    return form


def _board(group: Playgroup, form: BoardForm) -> dict[str, Any]:
    wanted, season = form.wanted, form.cleaned_data["season"]
    board = leaderboard.board(group, wanted)
    return {
        "format": wanted.format,
        "ranked_by": ranked_by(wanted),
        "season": season.pk if season else None,
        "first": wanted.first,
        "last": wanted.last,
        "sets": board.sets,
        "rows": [_row(row) for row in board.rows],
    }


def ranked_by(wanted: Wanted) -> str:
    """Return which field ranks the players of a format."""
    return "per_game" if wanted.scores else "games_won"


def _row(row: leaderboard.Row) -> dict[str, Any]:
    return {"rank": row.rank, "player": row.player_id, "name": row.name, **_rated(row)}
