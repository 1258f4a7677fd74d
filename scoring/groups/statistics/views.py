"""Players, heroes and types, teams, head to head, and boards without a card."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request
from coalition_site.lib.texts import by_name
from decks.catalogue import memory
from decks.catalogue.heroes import art
from decks.models import NAME_MAX

from ... import access
from ...models import Player, Playgroup, Seat, SetResult
from ...models.record import CARD_MAX
from ...pictures import answers, charts
from ...record import counting, ratings
from ...rules.formats import keys_of, scores
from ...tables.wording import format_name
from .. import pictures, queries
from ..bases import group_page
from ..board.leaderboard import LISTED, Filters, Row, leaderboard, rank_without
from ..decorators import group_view, replay_view
from . import meetings
from . import results as statistics
from . import teams as group_teams

OPPONENTS_MAX = 5  # the best, and as many of the worst
PAGE_NUMBER = re.compile("[1-9][0-9]{0,4}")


def page_number(request: Request) -> int:
    number = request.GET.get("page", "1")
    if not PAGE_NUMBER.fullmatch(number):
        raise Http404("There is no such page.")
    return int(number)


def chosen_format(request: Request, group: Playgroup, played: Collection[str]) -> str:
    """Return the requested format, or the playgroup's; if that was not played, any that was."""
    wanted = (request.GET.get("format", ""), group.format, *played)
    return next((format for format in wanted if format in played), group.format)


# --- a player ---
def _find_player(request: Request, group: Playgroup, pk: int) -> Player:
    player = statistics.find_player(group, pk, request.user.pk)
    if player is None:
        raise Http404("There is no such player in this playgroup.")
    return player


def _chosen_row(
    request: Request, group: Playgroup, player: Player, rows: Mapping[str, Row]
) -> tuple[str, Row, list[statistics.PlayerRecord]]:
    format = chosen_format(request, group, rows)
    row = rows.get(format) or Row(player.pk, player.name)
    row.form, records = statistics.rating_chart(player, format)
    return format, row, records


@require_safe
@group_view
def player(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    player = _find_player(request, group, pk)
    if player.merged_into_id:
        return redirect("player", group.code, player.merged_into_id)
    rows = statistics.sums_by_format(player)
    format, row, records = _chosen_row(request, group, player, rows)
    latest, opponents = row.form, meetings.opponents(player, format)
    own = SetResult.objects.filter(player=player)
    heroes, types = statistics.heroes_and_types(own)
    may_claim = request.user.is_authenticated and access.belongs(request, group)
    return group_page(
        request,
        "groups/player.html",
        group,
        player=player,
        row=row,
        formats=[(key, format_name(key)) for key in rows],
        format=format,
        scores=scores(format),
        curve=charts.curve(latest, in_points=scores(format)),
        mean_of=charts.MEAN_OF,
        records=records,
        honours=statistics.honours(player),
        streak=latest[-1].streak or 0 if latest else 0,
        chart=charts.rating_curve(latest),
        rated=ratings.PROVISIONAL,
        best=[one for one in opponents if one.difference > 0][:OPPONENTS_MAX],
        worst=[one for one in reversed(opponents) if one.difference < 0][:OPPONENTS_MAX],
        enough=meetings.ENOUGH,
        heroes=heroes,
        types=types,
        evenings=statistics.evenings(player),
        other_groups=statistics.other_groups(player, group, request.user.pk),
        page=statistics.page(own, page_number(request)),
        picture=pictures.of_player(group, player, row, format).versioned,
        may_claim=may_claim and not player.is_taken,
        claimed=may_claim and player.is_claimed,
    )


@require_safe
@group_view
def player_picture(request: Request, group: Playgroup, pk: int) -> HttpResponse:
    player = _find_player(request, group, pk)
    if player.merged_into_id:
        return redirect("player_picture", group.code, player.merged_into_id)
    format, row, _ = _chosen_row(request, group, player, statistics.sums_by_format(player))
    return answers.answer(request, pictures.of_player(group, player, row, format))


# --- heroes and coalition types ---
class NameForm(forms.Form):
    name = forms.CharField(max_length=CARD_MAX)


@require_safe
@group_view
def heroes(request: Request, group: Playgroup) -> HttpResponse:
    heroes, types = statistics.heroes_and_types(statistics.results_of(group))
    return group_page(
        request,
        "groups/heroes.html",
        group,
        heroes=heroes,
        types=types,
        decks=statistics.decks(group),
        most=statistics.ROWS_MAX,
    )


@require_safe
@group_view
def totals(request: Request, group: Playgroup, field: str) -> HttpResponse:
    form = NameForm(request.GET)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    results = statistics.results_of(group).filter(**{field: name})
    page = statistics.page(results, page_number(request)) if name else None
    if not page or not page["results"]:
        return group_page(request, "groups/nobody.html", group, status=404)
    heroes, types = statistics.heroes_and_types(results)
    is_hero = field == "hero"
    return group_page(
        request,
        "groups/hero.html",
        group,
        what="Hero" if is_hero else "Coalition type",
        name=name,
        line=statistics.Totals(**results.aggregate(**statistics.OF_TOTALS)),
        players=statistics.totals_by_player(results),
        others=types if is_hero else heroes,
        page=page,
        art=art([name]).get(name) if is_hero else None,
    )


# --- teams ---
@require_safe
@group_view
def teams(request: Request, group: Playgroup) -> HttpResponse:
    seasons, key = queries.seasons(group), request.GET.get("season", "")
    season = next((season for season in seasons if key == str(season.pk)), None)
    if key and season is None:
        raise Http404("There is no such season.")
    return group_page(
        request,
        "groups/teams.html",
        group,
        teams=group_teams.teams(group, season),
        seasons=seasons,
        season=season,
        listed=LISTED,
        names=" and ".join(ruleset.title for ruleset in group_teams.PLAYED_IN_TEAMS),
    )


# --- head to head ---
class VersusForm(forms.Form):
    a = forms.TypedChoiceField(error_messages={"invalid_choice": "Choose the first player again."})
    b = forms.TypedChoiceField(error_messages={"invalid_choice": "Choose the second player again."})

    def __init__(self, data: Mapping[str, Any], *, players: Sequence[Player]) -> None:
        # An address may name a guest, whom nobody can choose, or whoever was merged since.
        merged = {player.pk: player.merged_into_id for player in players}
        roots = {str(key): str(counting.root(key, merged)) for key in merged}
        named = {name: data.get(name, "") for name in self.base_fields}
        super().__init__({name: roots.get(key, key) for name, key in named.items()})
        self.players = {
            str(player.pk): player
            for player in players
            if not player.merged_into_id
            and (not player.is_guest or str(player.pk) in self.data.values())
        }
        names = [(key, player.name) for key, player in self.players.items()]
        for field in self.fields.values():
            assert isinstance(field, forms.TypedChoiceField)
            field.coerce, field.choices = self.players.get, [("", "Choose"), *names]

    @property
    def is_chosen(self) -> bool:
        """Whether both are named; a link may name the first, and leave the other to be chosen."""
        return all(self.data.get(name) for name in self.fields)

    def clean_b(self) -> Player:
        other: Player = self.cleaned_data["b"]
        if other == self.cleaned_data.get("a"):
            raise ValidationError("Choose two different players.")
        return other


@require_safe
@group_view
def versus(request: Request, group: Playgroup) -> HttpResponse:
    template = "groups/versus.html"
    form = VersusForm(request.GET, players=by_name(group.players.all()))
    shown: dict[str, Any] = {"form": form}
    if not form.is_chosen:
        formats = meetings.formats_met(group)
        shown["format"] = chosen_format(request, group, formats)
        shown["formats"] = [(key, format_name(key)) for key in formats]
        listed = [player for player in form.players.values() if not player.is_guest]
        grid = meetings.grid(group, listed, shown["format"])
        first = form.data.get("a")
        shown["chosen"] = next((row for row in grid if str(row["player"].pk) == first), None)
        shown |= {"grid": grid, "enough": meetings.ENOUGH}
        return group_page(request, template, group, **shown)
    if not form.is_valid():
        return group_page(request, template, group, status=422, **shown)
    one, other = form.cleaned_data["a"], form.cleaned_data["b"]
    met = meetings.against(one, other)
    shown["duel"] = meetings.duel(met)
    shown["page"] = statistics.page(met, page_number(request), players=(one, other))
    return group_page(request, template, group, one=one, other=other, **shown)


# --- for those who decide on bans ---
@require_safe
@replay_view
def without(request: Request, group: Playgroup) -> HttpResponse:
    template = "groups/without.html"
    name = request.GET.get("card", "")[:NAME_MAX].strip()
    if not name:
        return group_page(request, template, group, name="")
    catalogue = memory.CATALOGUE.now()
    card = catalogue.find([name]).get(name)
    if card is None:
        closest = catalogue.closest([name]).get(name, ())
        return group_page(request, template, group, status=404, name=name, closest=closest)
    format = group.format
    had_card = Seat.objects.filter(deck__lines__card=card.pk).values("game_set")
    results = statistics.results_of(group).filter(
        game_set__ruleset__in=keys_of(format), game_set__in=had_card
    )
    rows = leaderboard(group, Filters(format=format)).rows
    replayed = rank_without(format, rows, counting.by_player(results))
    others = {row.player_id: row for row in replayed}
    # Each player's row beside the other one, None where no set is left.
    return group_page(
        request,
        template,
        group,
        name=card.name,
        is_known=True,
        sets=results.values("game_set").distinct().count(),
        scores=scores(format),
        rows=[(row, others.get(row.player_id)) for row in rows],
    )
