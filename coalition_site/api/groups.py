"""Playgroups, their players and their boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest

from decks.checking.legality import format_of
from scoring import access
from scoring.groups import leaderboard, queries, statistics
from scoring.groups.forms.board import BoardForm
from scoring.groups.leaderboard import Row, Wanted
from scoring.models import Membership, Player, Playgroup, Season
from scoring.models.people import Visibility

from ..lib.forms import first_error
from ..lib.texts import by_name
from .asked import fields, link, page
from .door import Json, Problem

if TYPE_CHECKING:
    from scoring.groups.statistics import FoundPlayer

UNSEEN = (
    "There is no playgroup here that you can see. If it is private, send the token of an account "
    "that belongs to it."
)
NO_PLAYER = "There is no such player in this playgroup. Its players have their ids."
SUMS = ("sets", "sets_won", "games", "games_won", "victory_points", "per_game")
RATED = (*SUMS, "rating", "uncertainty")
DAYS = ("season", "first", "last", "format")  # parameters of which results count


def visible_group(request: HttpRequest, code: str) -> queries.VisitedGroup:
    """Return a playgroup that the visitor may see. One query.

    :raises Problem: in the same words, whether it doesn't exist or isn't for this visitor.
    """
    group = queries.find_group(code, request.user.pk)
    if group is None or not access.may_see(request, group):
        raise Problem(404, UNSEEN)
    return group


def playgroups(request: HttpRequest) -> Json:
    """Send public playgroups, and those of the token's account, by name.

    An unlisted playgroup is not listed, but whoever has its code can read it.
    """
    own = Exists(Membership.objects.filter(playgroup=OuterRef("pk"), user=request.user.pk))
    groups = Playgroup.objects.filter(Q(visibility=Visibility.PUBLIC) | own)
    return page(request, groups.order_by("name", "pk"), lambda group: _group(request, group))


def _group(request: HttpRequest, group: Playgroup) -> Json:
    shown = fields(group, "code", "name", "visibility", "format", "ruleset", "zone", "created_at")
    return shown | {"url": link(request, "board", group.code)}


def playgroup(request: HttpRequest, code: str) -> Json:
    group = visible_group(request, code)
    return _group(request, group) | {
        "house_rules": group.house_rules,
        "ban_list": group.house.key if group.house else format_of(group.ruleset) or None,
        "seasons": [season_days(season) for season in queries.seasons(group)],
        "role": access.role(request, group),
    }


def season_days(season: Season) -> Json:
    return {"id": season.pk, **fields(season, "name", "starts_on", "ends_on")}


# --- players ---
def players(request: HttpRequest, code: str) -> Json:
    """Send a playgroup's players by name, with guests and those merged into others."""
    group = visible_group(request, code)
    everybody = by_name(group.players.order_by("pk"))
    return page(request, everybody, lambda player: _player(request, group, player))


def _player(request: HttpRequest, group: Playgroup, player: Player) -> Json:
    return {
        "id": player.pk,
        **fields(player, "name", "is_guest"),
        "merged_into": player.merged_into_id,
        "url": link(request, "player", group.code, player.pk),
    }


def find_player(group: Playgroup, key: int) -> FoundPlayer:
    player = statistics.find_player(group, key, visitor=None)
    if player is None:
        raise Problem(404, NO_PLAYER)
    return player


def player(request: HttpRequest, code: str, player: int) -> Json:
    """Send a player with the sums of all sets, and the rating, by format.

    Somebody merged into another player has no sums: the other has them.
    """
    group = visible_group(request, code)
    found = find_player(group, player)
    formats = []
    for format, row in statistics.sums_by_format(found).items():
        row.form, best = statistics.rating_chart(found, format)
        records = [
            {"kind": one.kind, "value": one.value, "set": one.code, "on": one.day} for one in best
        ]
        formats.append({"format": format, **_rated(row), "records": records})
    return _player(request, group, found) | {"formats": formats}


def _rated(row: Row) -> Json:
    streak = row.form[-1].streak if row.form else None
    return fields(row, *RATED, "is_rated") | {"streak": streak}


# --- boards ---
def board(request: HttpRequest, code: str) -> Json:
    """Send a playgroup's leaderboard: everybody with results, in the order of ranks."""
    group = visible_group(request, code)
    form = board_form(request, group, *DAYS, "ruleset", "size")
    board = leaderboard.board(group, form.wanted)
    return counted(form) | {
        "ranked_by": ranked_by(form.wanted),
        "sets": board.sets,
        "rows": [
            {"rank": row.rank, "player": row.player_id, "name": row.name, **_rated(row)}
            for row in board.rows
        ],
    }


def board_form(request: HttpRequest, group: Playgroup, *names: str) -> BoardForm:
    """Return the valid form of which results count, by these parameters. One query."""
    asked = {name: request.GET.get(name, "") for name in names}
    seasons, today = queries.seasons(group), queries.today(group)
    form = BoardForm(asked, seasons=seasons, today=today, format=group.format)
    if not form.is_valid():
        raise Problem(422, first_error(form))
    return form


def counted(form: BoardForm) -> Json:
    """Return which results count, by a valid form."""
    season = form.cleaned_data["season"]
    return fields(form.wanted, "format", "first", "last") | {
        "season": season.pk if season else None
    }


def ranked_by(wanted: Wanted) -> str:
    """Return which field ranks the players of a format."""
    return "per_game" if wanted.scores else "games_won"
