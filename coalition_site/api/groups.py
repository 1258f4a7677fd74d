"""Playgroups: their players, boards, seasons, records and evenings."""

from collections.abc import Mapping

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest

from decks.decks.legality import format_of
from scoring import access
from scoring.groups import queries
from scoring.groups.board.columns import BoardForm
from scoring.groups.board.leaderboard import Row, leaderboard
from scoring.groups.data.serializing import Json, fields, serialize_evening, serialize_standing
from scoring.groups.evenings import queries as evening_queries
from scoring.groups.evenings.queries import BYE, EveningRows
from scoring.groups.evenings.standings import standings
from scoring.groups.seasons import closing
from scoring.groups.seasons import rows as season_rows
from scoring.groups.statistics import records
from scoring.groups.statistics import results as statistics
from scoring.groups.statistics.records import FinishedSet
from scoring.models import Evening, Membership, Player, Playgroup, Round, Season
from scoring.models.people import Visibility
from scoring.rules.formats import scores

from ..lib.forms import first_error
from ..lib.texts import by_name
from .door import WITH_TOKEN, Problem, link, or_404, page

UNSEEN = f"There is no playgroup here that you can see. If it is private, {WITH_TOKEN}"
NO_PLAYER = "There is no such player in this playgroup. Its players have their ids."
NO_SEASON = "There is no such season in this playgroup. Its seasons have their ids."
NO_EVENING = "There is no such evening in this playgroup. Its evenings have their numbers."
UNITS = {"highest": "VP", "streak": "sets", "best_turn": "VP", "margin": "VP", "minutes": "minutes"}
SUMS = ("sets", "sets_won", "games", "games_won", "victory_points", "per_game")
RATED = (*SUMS, "rating", "uncertainty")
DAYS = ("season", "first", "last", "format")  # parameters of which results count


def visible_group(request: HttpRequest, code: str) -> Playgroup:
    group = queries.find_group(code, request.user.pk)
    return or_404(group if group and access.may_see(request, group) else None, UNSEEN)


def playgroups(request: HttpRequest) -> Json:
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
        "seasons": [_season_days(season) for season in queries.seasons(group)],
        "role": access.role(request, group),
    }


def _season_days(season: Season) -> Json:
    return fields(season, "name", "starts_on", "ends_on", id="pk")


# --- players ---
def players(request: HttpRequest, code: str) -> Json:
    group = visible_group(request, code)
    everybody = by_name(group.players.order_by("pk"))
    return page(request, everybody, lambda player: _player(request, group, player))


def _player(request: HttpRequest, group: Playgroup, player: Player) -> Json:
    shown = fields(player, "name", "is_guest", id="pk", merged_into="merged_into_id")
    return shown | {"url": link(request, "player", group.code, player.pk)}


def find_player(group: Playgroup, key: int) -> Player:
    return or_404(statistics.find_player(group, key, visitor=None), NO_PLAYER)


def player(request: HttpRequest, code: str, player: int) -> Json:
    group = visible_group(request, code)
    chosen = find_player(group, player)
    formats = []
    for format, row in statistics.sums_by_format(chosen).items():
        row.form, best = statistics.rating_chart(chosen, format)
        most = [fields(one, "kind", "value", set="code", on="day") for one in best]
        formats.append({"format": format, **_rated(row), "records": most})
    return _player(request, group, chosen) | {"formats": formats}


def _rated(row: Row) -> Json:
    streak = row.form[-1].streak if row.form else None
    return fields(row, *RATED, "is_rated") | {"streak": streak}


# --- boards ---
def board(request: HttpRequest, code: str) -> Json:
    group = visible_group(request, code)
    form = _board_form(request, group, *DAYS, "ruleset", "size")
    board = leaderboard(group, form.filters)
    return _counted(form) | {
        "ranked_by": "per_game" if form.filters.scores else "games_won",
        "sets": board.sets,
        "rows": [
            fields(row, "rank", "name", player="player_id") | _rated(row) for row in board.rows
        ],
    }


def _board_form(request: HttpRequest, group: Playgroup, *names: str) -> BoardForm:
    asked = {name: request.GET.get(name, "") for name in names}
    seasons, today = queries.seasons(group), queries.today(group)
    form = BoardForm(asked, seasons=seasons, today=today, format=group.format)
    if not form.is_valid():
        raise Problem(422, first_error(form))
    return form


def _counted(form: BoardForm) -> Json:
    season = form.cleaned_data["season"]
    return fields(form.filters, "format", "first", "last") | {"season": season and season.pk}


# --- seasons and records ---
def seasons(request: HttpRequest, code: str) -> Json:
    group = visible_group(request, code)
    chosen = queries.seasons_with_tables(group)
    return page(request, chosen, lambda season: _season(request, group, season))


def _season(request: HttpRequest, group: Playgroup, season: Season) -> Json:
    table = closing.table_of(season)
    return _season_days(season) | {
        "closed_at": table.closed_at if table else None,
        "url": link(request, "season", group.code, season.pk),
    }


def season(request: HttpRequest, code: str, season: int) -> Json:
    group = visible_group(request, code)
    chosen = or_404(queries.seasons_with_tables(group).filter(pk=season).first(), NO_SEASON)
    table = closing.table_of(chosen)
    format = table.format if table else group.format
    now = season_rows.rows_now(chosen, format)
    rows = season_rows.kept_rows(table) if table else now
    return _season(request, group, chosen) | {
        "format": format,
        "ranked_by": "per_game" if scores(format) else "games_won",
        "is_corrected": season_rows.is_corrected(rows, now),
        "rows": [
            fields(row, "rank", "name", player="player_id")
            | fields(row, *RATED, "monarch_turns", rating_change="change")
            for row in rows
        ],
        "awards": [
            {
                "title": award["title"],
                "text": award["text"],
                "players": [fields(row, "name", player="player_id") for row in award["rows"]],
            }
            for award in season_rows.awards(rows, "set" if scores(format) else "game")
        ],
    }


def group_records(request: HttpRequest, code: str) -> Json:
    group = visible_group(request, code)
    form = _board_form(request, group, *DAYS)

    def written(best: Mapping[str, FinishedSet]) -> list[Json]:
        return [
            {
                "kind": kind,
                "value": getattr(one.facts, kind),
                "unit": unit,
                "players": [
                    fields(result, player="player_id", name="player.name")
                    for result in records.holders(one, kind)
                ],
                "set": one.game_set.code,
                "game": getattr(one.facts, f"{kind}_game", None),
                "on": one.facts.played_on,
            }
            for kind, unit in UNITS.items()
            if (one := best.get(kind)) and one.facts
        ]

    best = records.remarkable(group, form.filters)
    return _counted(form) | {"of_days": written(best.of_days), "of_all": written(best.of_all)}


# --- evenings ---
def evenings(request: HttpRequest, code: str) -> Json:
    group = visible_group(request, code)
    return page(request, group.evenings.all(), lambda one: _evening(request, group, one))


def _evening(request: HttpRequest, group: Playgroup, evening: Evening) -> Json:
    return {
        **serialize_evening(evening),
        **fields(evening, "starts_at", "ended_at", "rounds_planned", "minutes"),
        "url": link(request, "evening", group.code, evening.number),
    }


def evening(request: HttpRequest, code: str, number: int) -> Json:
    group = visible_group(request, code)
    evening = or_404(group.evenings.filter(number=number).first(), NO_EVENING)
    rows = evening_queries.read_evening(evening)
    has_points = evening.rules.cap is not None
    return _evening(request, group, evening) | {
        "rounds": [_round(rows, each) for each in rows.rounds],
        "ranked_by": "total",
        "standings": [
            serialize_standing(one, has_points)
            | fields(one, "is_playing", "byes", is_here="here")
            | fields(one.player, "name", "is_guest", player="pk")
            | {"total": float(one.total), "per_game": one.mean if has_points else None}
            for one in standings(rows)
        ],
    }


def _round(rows: EveningRows, round: Round) -> Json:
    def people(keys: list[int]) -> list[Json]:
        seated = [rows.person(key) for key in keys]
        return [fields(player, "name", player="pk") for player in seated]

    sets = {number: table.game_set.code for number, table in rows.tables_of(round).items()}
    return fields(round, "number", "begun_at", "repeats", fewest_repeats="fewest") | {
        "tables": [
            {"number": number, "set": sets.get(number), "players": people(keys)}
            for number, keys in rows.seated(round).items()
        ],
        "byes": people([place.player_id for place in rows.places_of(round) if place.table == BYE]),
    }
