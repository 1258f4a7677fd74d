"""The home page: what a visitor is likely to want, and a table to try."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap
from coalition_site.lib.limits import limited
from coalition_site.lib.requests import Request

from ... import access
from ...models import Game, GameSet, Playgroup
from ...pages import guides, standings
from ...play import queries, trial
from .. import queries as group_queries
from ..pages.bases import LiveTable, live_table

Played = tuple[GameSet, list[Game]]


@require_safe
def home(request: Request) -> HttpResponse:
    """Show the tables of this browser and the playgroups of its account."""
    own = [
        (game_set, played)
        for game_set, played in queries.tables(access.keys(request))
        if _is_offered(request, game_set)
    ]
    finished = [(game_set, played) for game_set, played in own if game_set.finished_at]
    open_tables = [(game_set, played) for game_set, played in own if not game_set.finished_at]
    groups = group_queries.groups_of(request.user.pk) if request.user.is_authenticated else []
    last = _last([pair for pair in finished if not pair[0].is_trial], groups)
    is_draft = bool(last and last[0].rules.splits_into)
    context = {
        "open": _summaries(open_tables),
        "groups": _groups(request, groups, {game_set.code for game_set, _ in open_tables}),
        "last": standings.summary(*last) if last else None,
        "may_play_again": last and not is_draft and access.may_play_again(request, last[0]),
        # Whoever may seat the players of a draft gets its tables instead.
        "may_seat": last and is_draft and access.may_score(request, last[0]),
        "earlier": _summaries([pair for pair in finished if not last or pair[0] != last[0]]),
        "guides": guides.GUIDES,
    }
    return render(request, "scoring/home.html", context)


def _is_offered(request: Request, game_set: GameSet) -> bool:
    is_old = game_set.trial_until is not None and game_set.trial_until < timezone.now()
    return access.may_score(request, game_set) and not is_old


def _summaries(tables: Sequence[Played]) -> list[standings.Summary]:
    return [standings.summary(game_set, played) for game_set, played in tables]


def _last(finished: Sequence[Played], groups: Sequence[Playgroup]) -> Played | None:
    """Return the set that ended last, of this browser's and of the playgroups'."""
    of_groups = group_queries.last_finished(groups) if groups else None
    known = {game_set.code for game_set, _ in finished}
    others = [of_groups] if of_groups and of_groups.code not in known else []
    return max(
        chain(finished, queries.with_games(others) if others else ()),
        key=lambda pair: (pair[0].finished_at, pair[0].pk),
        default=None,
    )


def _groups(
    request: Request, groups: Sequence[Playgroup], shown: set[str]
) -> list[tuple[Playgroup, bool, list[LiveTable]]]:
    """Return playgroups, whether the visitor may keep score there, and what is played.

    Tables that are ``shown`` already are left out.
    """
    playing: dict[int | None, list[LiveTable]] = {group.pk: [] for group in groups}
    for game_set in group_queries.live_sets_of(groups) if groups else ():
        if game_set.code not in shown:
            playing[game_set.playgroup_id].append(live_table(game_set))
    return [(group, access.may_score_for(request, group), playing[group.pk]) for group in groups]


@require_POST
@limited("start")
def try_out(request: Request) -> HttpResponse:
    """Open this browser's table to try; without one of today create it."""
    trials = queries.sets_of(access.keys(request)).exclude(trial_until=None)
    existing = next((game_set for game_set in trials if _is_offered(request, game_set)), None)
    if existing:
        return redirect("score", existing.code)
    form = Tap(request.POST)
    if not form.is_valid():
        return redirect("home")
    key = access.key_for(form.cleaned_data["tap_id"], "trial")
    game_set = trial.create_trial(key)
    response = redirect("score", game_set.code)
    access.hand_over(request, response, game_set.code, key)
    return response
