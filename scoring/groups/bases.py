"""What all pages of a playgroup show."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from coalition_site.lib.refusals import Refused

from ..models import GameSet, Playgroup
from ..rules.formats import RULESETS
from ..setlog.codec import read_state
from . import queries


def group_page(
    request: HttpRequest,
    template: str,
    group: Playgroup,
    refused: Refused | None = None,
    status: int = 200,
    **shown: Any,
) -> HttpResponse:
    context = {
        "group": group,
        "problem": str(refused or ""),
        "typed": request.POST,
        "messages": () if refused else messages.get_messages(request),
        "live_tables": partial(live_tables, group),  # which few pages ask for
    }
    return render(request, template, context | shown, status=422 if refused else status)


def locked_page(request: HttpRequest, group: Playgroup, who: str) -> HttpResponse:
    """Render a page for ``who`` only, as in "its owners", which the visitor is not."""
    return group_page(request, "groups/locked.html", group, status=403, who=who)


def live_table(game_set: GameSet) -> dict[str, Any]:
    state = read_state(game_set.state) if game_set.state else None
    ruleset = RULESETS[game_set.ruleset]
    names = [name for _, name in game_set.seating]
    points: list[int | None] = [None] * len(names)  # where the format gives no VP
    if ruleset.cap and state:
        points = [
            state.players[seat].points if seat in state.players else 0
            for seat in range(1, len(names) + 1)
        ]
    return {
        "code": game_set.code,
        "since": game_set.created_at,
        "game": game_set.game,
        "ruleset": ruleset,
        "players": list(zip(names, points, strict=True)),
    }


def live_tables(group: Playgroup) -> list[dict[str, Any]]:
    return [live_table(game_set) for game_set in queries.LIVE_SETS.all(group.pk)]
