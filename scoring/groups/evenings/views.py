"""Evenings: the list, the page of an evening, and what whoever runs it does there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import combinations
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from coalition_site.lib.forms import Tap
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from coalition_site.lib.texts import sort_key
from decks import access as deck_access
from decks.decks.planned import judged_decks
from decks.rules.rulesets import RULESETS as DECK_RULES

from ... import access
from ...models import Evening, GameSet, Player, Playgroup
from ...models.evenings import MINUTES_MAX, ROUNDS_MAX
from ...pictures import answers
from ...record import seating
from ...rules.formats import RULESETS
from .. import pictures
from ..bases import group_page
from ..board import highlights
from ..decorators import group_view, scorekeepers_view, takes_posts
from ..fields import RULESET_CHOICES, MomentField, NameField, NamesField, any_error
from ..statistics.records import best_of
from . import commands, queries
from .clock import clock_of, offered
from .queries import BYE, EveningRows
from .reseating import moved_last
from .standings import seat_scores, standings

DECKS_SHOWN = 20
WEEK = timedelta(days=7)


class EveningForm(forms.Form):
    name = NameField("Give the evening a name.")
    rounds = forms.IntegerField(
        min_value=1,
        max_value=ROUNDS_MAX,
        error_messages=any_error(f"Plan 1 to {ROUNDS_MAX} rounds."),
    )
    usual_size = forms.TypedChoiceField(
        coerce=int,
        choices=[(size, str(size)) for size in range(2, 9)],
        error_messages=any_error("Choose how many sit at a table."),
    )
    minutes = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MINUTES_MAX,
        error_messages=any_error(
            f"Give the time of a round in minutes, 1 to {MINUTES_MAX}, or leave it empty."
        ),
    )
    starts_at = MomentField(
        required=False,
        input_formats=["%Y-%m-%dT%H:%M"],
        error_messages={"invalid": "The start is not a time: write it like 2026-03-09T19:30."},
    )


class PlanForm(EveningForm, Tap):
    ruleset = forms.TypedChoiceField(
        coerce=RULESETS.get,
        choices=RULESET_CHOICES,
        error_messages=any_error("Choose a ruleset."),
    )


class ArrivalForm(forms.Form):
    names = NamesField("Type a name.")
    as_guests = forms.BooleanField(required=False)


class ChipForm(forms.Form):
    come = forms.IntegerField(required=False)
    leave = forms.IntegerField(required=False)


class CancelForm(forms.Form):
    # The evening, by key: its number may be another's once it is cancelled.

    evening = forms.IntegerField(error_messages=any_error("Reload the page, and cancel it there."))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round, or its byes; people come with VP, or games won where there are none."""

    number: int
    people: list[tuple[Player, int | None]]
    game_set: GameSet | None
    is_open: bool  # whether others may still sit down there

    @property
    def name(self) -> str:
        return f"Table {self.number}" if self.number else "Bye"

    @property
    def is_playing(self) -> bool:
        return self.game_set is not None and self.game_set.finished_at is None

    @property
    def is_finished(self) -> bool:
        return self.game_set is not None and self.game_set.finished_at is not None


def tables_by_round(rows: EveningRows) -> dict[int, list[Table]]:
    scores = rows.evening.rules.cap is not None
    points = {
        (one.game_set, rows.person(one.player).pk): score.points if scores else score.won
        for one, score in zip(rows.seated_players, seat_scores(rows), strict=True)
    }
    tables: dict[int, list[Table]] = {}
    for round in rows.rounds:
        of_round, sitting, tables[round.pk] = rows.tables_of(round), rows.sitting(round), []
        for number in sorted(sitting, key=lambda number: (number == BYE, number)):
            table = of_round.get(number)
            game_set, is_open = None, True
            if table:
                game_set, is_open = table.game_set, rows.is_untouched(table)
            key = game_set.pk if game_set else 0
            people = [(one, points.get((key, one.pk))) for one in sitting[number]]
            tables[round.pk].append(Table(number, people, game_set, is_open))
    return tables


def reseats(rows: EveningRows, tables: Sequence[Table]) -> dict[str, Any] | None:
    free = [table for table in tables if table.number and table.is_open]
    allows = rows.evening.rules.allows
    if not free:
        return None
    sitting = {player for table in tables if table.number for player, _ in table.people}
    here = [rows.players[key] for key, is_here in rows.here.items() if is_here]
    sizes = {table.number: len(table.people) for table in free}
    return {
        "room": [table for table in free if allows(sizes[table.number] + 1)],
        "merges": [
            (table, into)
            for into, table in combinations(free, 2)
            if allows(sizes[table.number] + sizes[into.number])
        ],
        "splits": [table for table in free if allows(sizes[table.number] // 2)],
        "late": [player for player in here if player not in sitting],
        "gone": [
            (player, table)
            for table in free
            for player, _ in table.people
            if not rows.here.get(player.pk)
        ],
    }


def chips(rows: EveningRows, *, everybody: bool) -> list[tuple[Player, bool]]:
    chips = [
        (player, rows.here.get(key, False))
        for key, player in rows.players.items()
        if player.merged_into_id is None
        and (rows.here.get(key) or (everybody and (key in rows.here or not player.is_guest)))
    ]
    return sorted(chips, key=lambda chip: sort_key(chip[0].name))


def evenings_page(
    request: Request, group: Playgroup, refused: Refused | None = None
) -> HttpResponse:
    usual = {
        "name": day_name(timezone.localtime()),
        "ruleset": group.ruleset,
        "rounds": 2,
        "usual_size": 4,
    }
    return group_page(
        request,
        "groups/evenings.html",
        group,
        refused,
        evenings=group.evenings.all(),
        form=PlanForm(request.POST if refused else None, initial=usual | request.GET.dict()),
        now=timezone.now(),
        may_score_for=access.may_score_for(request, group),
    )


def day_name(at: datetime) -> str:
    return f"{at:%A}, {at.day} {at:%B}"


def plan_of(evening: Evening) -> dict[str, Any]:
    return {
        "name": evening.name,
        "rounds": evening.rounds_planned,
        "usual_size": evening.usual_size,
        "minutes": evening.minutes or "",
        "starts_at": f"{timezone.localtime(evening.starts_at):%Y-%m-%dT%H:%M}",
    }


def next_plan(evening: Evening) -> dict[str, Any]:
    start, now = timezone.localtime(evening.starts_at), timezone.localtime()
    at = start + WEEK * max((now - start) // WEEK + 1, 1)
    name = day_name(at) if evening.name == day_name(start) else evening.name
    plan = {"name": name, "ruleset": evening.ruleset, "starts_at": f"{at:%Y-%m-%dT%H:%M}"}
    return plan_of(evening) | plan


evenings = require_safe(group_view(evenings_page))


@limited("start")
@takes_posts(scorekeepers_view, evenings_page)
def plan(request: Request, group: Playgroup) -> HttpResponse:
    data = cleaned_data(PlanForm(request.POST))
    evening = commands.create_evening(group, data.pop("name"), data.pop("ruleset"), **data)
    return redirect("evening", group.code, evening.number)


def evening_page(
    request: Request,
    group: Playgroup,
    number: int,
    refused: Refused | None = None,
    **_: Any,
) -> HttpResponse:
    rows = queries.read_evening(find(group, number))
    evening, standing = rows.evening, standings(rows)
    if evening.ended_at:  # who left before the end was here, too
        played = {player.pk: True for each in rows.begun for player in rows.people(each)}
        rows = replace(rows, here={**rows.here, **played})
    may_score_for = access.may_score_for(request, group)
    may_change = may_score_for and not evening.ended_at
    sets = [table.game_set for table in rows.tables]
    is_started = any(rows.games.values()) or any(game_set.finished_at for game_set in sets)
    tables, latest = tables_by_round(rows), rows.rounds[-1] if rows.rounds else None
    # What the visitor may bring is judged by the bans of the evening's day.
    on, house = timezone.localdate(evening.starts_at), seating.house_of(group, evening.ruleset)
    key = access.coming_key(evening) if may_score_for else ""
    coming = request.build_absolute_uri(reverse("coming", args=[evening.pk, key])) if key else ""
    by = None if evening.ended_at or request.htmx else DECK_RULES.get(evening.ruleset)
    own = deck_access.own_decks(request) if by else []
    return group_page(
        request,
        "groups/_evening.html" if request.htmx else "groups/evening.html",
        group,
        refused,
        evening=evening,
        rounds=rows.rounds[::-1],
        tables=tables,
        reseats=reseats(rows, tables[latest.pk]) if may_change and latest else None,
        undo=moved_last(rows, latest) if may_change and latest else (),
        clock=partial(clock_of, evening),
        offered=offered,
        paired=rows.paired,
        standings=standing,
        records=highlights.records(best_of(sets)) if evening.ended_at else {},
        chips=chips(rows, everybody=may_change),
        count_here=sum(rows.here.values()),
        is_ahead=not rows.rounds and evening.starts_at > timezone.now(),
        coming=coming,
        qr=qr_code(coming) if coming else "",
        may_score_for=may_score_for,
        may_change=may_change,
        may_cancel=may_score_for and not is_started,
        next_plan=next_plan(evening) if may_score_for and evening.ended_at else None,
        unfinished=[game_set for game_set in sets if not game_set.finished_at],
        typed=request.POST.get("names", ""),
        picture=pictures.of_evening(evening, standing).versioned,
        on=on,
        house=house,
        own_decks=judged_decks(own[:DECKS_SHOWN], on, house, by) if own else (),
    )


def find(group: Playgroup, number: int) -> Evening:
    return get_object_or_404(group.evenings, number=number)


def find_player(group: Playgroup, key: int) -> Player:
    player = group.players.filter(pk=key).first()
    if player is None:
        raise Refused("There is no such player in this playgroup. Reload the page.")
    return player


def done(request: Request, group: Playgroup, number: int) -> HttpResponse:
    # Answer a change: with scripts the page then asks for what is new itself.
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("evening", group.code, number)


evening = require_safe(group_view(evening_page))


@takes_posts(scorekeepers_view, evening_page)
def people(request: Request, group: Playgroup, number: int) -> HttpResponse:
    evening, chip = find(group, number), cleaned_data(ChipForm(request.POST))
    if chip["come"] is not None:
        commands.come(evening, find_player(group, chip["come"]))
    elif chip["leave"] is not None:
        commands.leave(evening, find_player(group, chip["leave"]))
    else:
        typed = cleaned_data(ArrivalForm(request.POST))
        commands.arrive(evening, typed["names"], as_guests=typed["as_guests"])
    return done(request, group, number)


@takes_posts(scorekeepers_view, evening_page)
def end(request: Request, group: Playgroup, number: int) -> HttpResponse:
    evening = find(group, number)
    if "reopen" in request.POST:
        commands.reopen_evening(evening)
    else:
        commands.end_evening(evening, is_sure="sure" in request.POST)
    return redirect("evening", group.code, number)


@takes_posts(scorekeepers_view, evening_page)
def cancel(request: Request, group: Playgroup, number: int) -> HttpResponse:
    evening, form = find(group, number), cleaned_data(CancelForm(request.POST))
    if form["evening"] != evening.pk:
        raise Refused("Another evening has this number by now. Reload the page.")
    commands.cancel_evening(evening)
    messages.success(request, f"{evening.name} is cancelled.")
    return redirect("evenings", group.code)


@require_safe
@group_view
def picture(request: Request, group: Playgroup, number: int) -> HttpResponse:
    rows = queries.read_evening(find(group, number))
    return answers.answer(request, pictures.of_evening(rows.evening, standings(rows)))
