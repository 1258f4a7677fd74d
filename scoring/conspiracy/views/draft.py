"""The tables of a draft: drawn, seated, undone, played again; and the list of cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from coalition_site.lib.forms import Tap
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.qr import QUIET, qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request, View
from decks.rules.rulesets import CONSPIRACY

from ... import access
from ...models import Game, GameSet
from ...play import commands, queries
from ...rules.splitting import tables_of
from ...rules.state import GameState
from ...views.score import show_refusal
from ...views.tables import scorekeeper_view, viewer_view
from .. import drafts, pools, splits
from ..cards import AIDS, CARDS
from ..draft_forms import DrawForm, SplitForm
from ..drafting import ACTING
from ..naming import Texts
from ..splits import Drawn

BUILDING = 30  # minutes that it usually takes to build a deck


def _draft_view(view: View) -> View:
    @scorekeeper_view
    @wraps(view)
    def handle(request: Request, game_set: GameSet, **rest: Any) -> HttpResponseBase:
        if not game_set.rules.splits_into:
            raise Http404("No tables come from this.")
        return view(request, game_set, **rest)

    return handle


@require_safe
@never_cache
@_draft_view
def tables(request: Request, game_set: GameSet) -> HttpResponse:
    return _page(request, game_set)


def _page(
    request: Request, game_set: GameSet, *, refused: Refused | None = None, **_: Any
) -> HttpResponse:
    game = queries.find_game(game_set, 1)
    if game is None or not game.current_state.is_over:
        return show_refusal(request, game_set, refused=refused or splits.StillDrafting())
    seated = queries.tables_of(game_set)
    visible = [
        each
        for each in seated
        if access.is_open_to_all_of(each[0], game_set) or access.may_score(request, each[0])
    ]
    is_playing = not all(table.finished_at for table, _ in seated)
    shows_keys = "keys" in request.GET
    shown = {
        "code": game_set.code,
        "games": drafts.drafted_games(game_set, game.current_state, visible),
        "links": {table.code: _link(request, table, shows_keys) for table, _ in visible},
        "preview": None if is_playing else _preview(request, game_set, game.current_state, seated),
        "shows_keys": shows_keys,
        "may_undo": bool(seated) and not any(played for _, played in splits.latest(seated)),
        "is_playing": is_playing,
        "problem": refused.message(game_set.names) if refused else "",
    }
    return render(request, "scoring/draft_tables.html", shown, status=422 if refused else 200)


def _link(request: Request, table: GameSet, shows_keys: bool) -> dict[str, Any] | None:
    if table.finished_at:
        return None
    key = access.keys(request).get(table.code, "")
    is_secret = shows_keys and access.opens(key, table)
    path = reverse("take_key", args=[table.code, key]) if is_secret else None
    address = request.build_absolute_uri(path or reverse("watch", args=[table.code]))
    return {"address": address, "qr": qr_code(address, QUIET), "is_secret": is_secret}


def _preview(
    request: Request,
    draft: GameSet,
    state: GameState,
    seated: Sequence[tuple[GameSet, list[Game]]],
) -> dict[str, Any]:
    number = 1 + max(splits.of_games(seated), default=0)
    data = request.POST if request.method == "POST" else request.GET
    drawn = DrawForm(data, draft=draft).drawn(number)
    possible = splits.possible_sizes(draft, state, drawn)
    if drawn.sizes not in possible:
        drawn = replace(drawn, sizes=possible[0] if possible else ())
    order = splits.order(draft, state, drawn)
    return {
        "game": number,
        "times": drawn.times,
        "may_draw_again": drawn.times < splits.DRAWS_MAX,
        "rolls": drafts.shown_rolls(draft, order, drawn),
        "tables": tables_of(order, drawn.sizes) if possible else (),
        "sizes": possible,
        "chosen": drawn.sizes,
        "names": draft.names,
        "stayed": state.in_game,
        "playing": drawn.playing or state.in_game,
        "problem": "" if possible else "A table takes three to five players: fewer are chosen.",
    }


@require_POST
@_draft_view
@shows_refusals(_page)
def split(request: Request, game_set: GameSet) -> HttpResponse:
    data, drawn = _chosen(request, game_set, 1)
    key = _keys(data, game_set.code)
    return _open(request, game_set, splits.split(game_set, key, drawn), key)


@require_POST
@_draft_view
@shows_refusals(_page)
def split_again(request: Request, game_set: GameSet) -> HttpResponse:
    number = 1 + max(splits.of_games(queries.tables_of(game_set)), default=0)
    data, drawn = _chosen(request, game_set, number)
    key = _keys(data, game_set.code)
    seated = splits.split_again(game_set, key, None if data["same"] else drawn)
    return _open(request, game_set, seated, key)


def _chosen(request: Request, draft: GameSet, game: int) -> tuple[Mapping[str, Any], Drawn]:
    form = SplitForm(request.POST, draft=draft)
    return cleaned_data(form), form.drawn(game)


def _keys(data: Mapping[str, Any], code: str) -> Callable[[int], str]:
    return lambda number: access.key_for(data["tap_id"], code, str(number))


def _open(
    request: Request, draft: GameSet, seated: Sequence[GameSet], key: Callable[[int], str]
) -> HttpResponse:
    response = redirect(f"{reverse('draft_tables', args=[draft.code])}?keys")
    for number, table in enumerate(seated, 1):
        if access.opens(key(number), table):  # not if another tap has seated them
            access.hand_over(request, response, table.code, key(number))
    return response


@require_POST
@_draft_view
@shows_refusals(_page)
def undo_split(request: Request, game_set: GameSet) -> HttpResponse:
    splits.undo(game_set)
    return redirect("draft_tables", game_set.code)


@require_POST
@scorekeeper_view
@shows_refusals(show_refusal)
def table_again(request: Request, game_set: GameSet) -> HttpResponse:
    if game_set.draft is None:
        raise Http404("This table comes from no draft.")
    key = access.key_for(cleaned_data(Tap(request.POST))["tap_id"], "again", game_set.code)
    table = splits.table_again(game_set, key)
    commands.begin(table)
    response = redirect("score", table.code)
    access.hand_over(request, response, table.code, key)
    return response


@require_safe
@viewer_view
def show_pools(request: Request, game_set: GameSet) -> HttpResponse:
    game = queries.find_game(game_set, 1) if game_set.rules.splits_into else None
    if game is None:
        raise Http404("No decks are built here.")
    since = game.ended_at
    shown = {
        "code": game_set.code,
        "pools": pools.pools(game_set, game),
        "since": since,  # None while the draft goes on
        "until": since + timedelta(minutes=BUILDING) if since else None,
        "minutes": BUILDING,
        "at_least": CONSPIRACY.main_min,
    }
    return render(request, "scoring/pools.html", shown)


@require_safe
def cards(request: Request) -> HttpResponse:
    acting = tuple(ACTING.values())
    shown = {"cards": CARDS, "aids": AIDS, "acting": acting, "texts": Texts(ACTING)}
    return render(request, "scoring/conspiracy_cards.html", shown)
