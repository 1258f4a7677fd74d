"""Changing what was planned: an evening's name and time, its rounds, tables and minutes."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect

from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ...models import Evening, GameSet, Playgroup
from ...record import news
from ..bases import group_page
from ..decorators import scorekeepers_view, takes_form
from . import clock, commands
from .views import EveningForm, find, plan_of


@transaction.atomic
def edit_evening(evening: Evening, *, rounds: int, starts_at: datetime | None, **plan: Any) -> None:
    """The clocks of rounds that are played follow; without ``starts_at`` it starts as planned."""
    playing = GameSet.objects.filter(round_table__round__evening=evening, finished_at=None)
    commands.lock_tables(playing, evening)
    commands.check_usual_size(evening.rules, plan["usual_size"])
    is_other = plan["minutes"] != evening.minutes
    plan |= {"rounds_planned": rounds, "starts_at": starts_at or evening.starts_at}
    for name, value in plan.items():
        setattr(evening, name, value)
    evening.save(update_fields=list(plan))
    if evening.ended_at is None:
        news.remind(evening)
    if is_other:
        for round in evening.rounds.exclude(begun_at=None):
            clock.follow(round)


def edit_page(
    request: Request, group: Playgroup, number: int, refused: Refused | None = None
) -> HttpResponse:
    evening = find(group, number)
    form = EveningForm(request.POST if refused else None, initial=plan_of(evening))
    return group_page(
        request, "groups/evening_edit.html", group, refused, evening=evening, form=form
    )


@takes_form(scorekeepers_view, edit_page)
def edit(request: Request, group: Playgroup, number: int) -> HttpResponse:
    edit_evening(find(group, number), **cleaned_data(EveningForm(request.POST)))
    return redirect("evening", group.code, number)
