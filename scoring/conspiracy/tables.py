"""The tables of a draft: drawn, seated, undone and played again."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from coalition_site.lib.forms import Tap, any_error
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.qr import QUIET, qr_code
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..models import GameSet
from ..record import commands, queries
from ..record.queries import Played
from ..rules.formats.conspiracy_draft import DRAWS_MAX, DrawTables, StillDrafting
from ..rules.formats.conspiracy_draft.state import draft_of
from ..rules.splitting import sizes_of, tables_of
from ..rules.state import GameState
from ..tables.common import get_table, record_entry, require_scorer, takes_posts
from ..tables.score import show_refusal
from ..tables.taps import seat_choices
from . import drafts, splits
from .splits import Drawn


class DrawForm(forms.Form):
    draw = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=DRAWS_MAX,
        error_messages=any_error(f"It can be drawn {DRAWS_MAX} times at most."),
    )
    sizes = forms.RegexField(
        r"^[3-5](-[3-5])*\Z", required=False, error_messages={"invalid": "Choose the sizes again."}
    )

    def __init__(self, data: Any, *, draft: GameSet) -> None:
        super().__init__(data)
        self.fields["who"] = forms.TypedMultipleChoiceField(
            coerce=int,
            required=False,
            choices=seat_choices(draft.names),
            error_messages=any_error("Choose who plays again."),
        )

    def drawn(self, game: int) -> Drawn:
        """Return what was chosen, the usual for what can't be."""
        self.full_clean()
        data = self.cleaned_data
        sizes = tuple(int(size) for size in (data.get("sizes") or "").split("-") if size)
        return Drawn(game, data.get("draw") or 1, sizes, tuple(data.get("who") or ()))


class SplitForm(Tap, DrawForm):
    """Seats the tables as drawn, or with ``same`` as in the game before."""

    same = forms.BooleanField(required=False)


def _get_draft(request: Request, code: str) -> GameSet:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if not game_set.rules.splits_into:
        raise Http404("No tables come from this.")
    return game_set


@require_safe
@never_cache
def tables(request: Request, code: str) -> HttpResponse:
    _get_draft(request, code)
    return _page(request, code)


def _page(request: Request, code: str, refused: Refused | None = None) -> HttpResponse:
    game_set = get_table(request, code)
    game = queries.find_game(game_set, 1)
    if game is None or not game.current_state.is_over:
        return show_refusal(request, code, refused=refused or StillDrafting())
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
    return render(request, "conspiracy/draft_tables.html", shown, status=422 if refused else 200)


def _link(request: Request, table: GameSet, shows_keys: bool) -> dict[str, Any] | None:
    if table.finished_at:
        return None
    key = access.keys(request).get(table.code, "")
    is_secret = shows_keys and access.opens(key, table)
    path = reverse("take_key", args=[table.code, key]) if is_secret else None
    address = request.build_absolute_uri(path or reverse("watch", args=[table.code]))
    return {"address": address, "qr": qr_code(address, QUIET), "is_secret": is_secret}


def _preview(
    request: Request, draft: GameSet, state: GameState, seated: Sequence[Played]
) -> dict[str, Any]:
    number = splits.next_game(seated)
    data = request.POST if request.method == "POST" else request.GET
    drawn = DrawForm(data, draft=draft).drawn(number)
    drawn = drawn._replace(times=draft_of(state).times_drawn(number))
    order = splits.order(draft, state, drawn)
    possible = sizes_of(len(order))
    if drawn.sizes not in possible:
        drawn = drawn._replace(sizes=possible[0] if possible else ())
    return {
        "game": number,
        "times": drawn.times,
        "may_draw_again": drawn.times < DRAWS_MAX,
        "rolls": drafts.shown_rolls(draft, order, drawn),
        "tables": tables_of(order, drawn.sizes) if possible else (),
        "sizes": possible,
        "chosen": drawn.sizes,
        "names": draft.names,
        "stayed": state.in_game,
        "playing": drawn.playing or state.in_game,
        "problem": "" if possible else "A table takes three to five players: fewer are chosen.",
    }


@takes_posts(_page)
def draw_again(request: Request, code: str) -> HttpResponse:
    game_set = _get_draft(request, code)
    game = splits.next_game(queries.tables_of(game_set))
    data, drawn, _ = _chosen(request, game_set, game)
    record_entry(request, game_set, 1, DrawTables(game, drawn.times), data["tap_id"])
    chosen = urlencode({"sizes": request.POST.get("sizes", ""), "who": drawn.playing}, doseq=True)
    return redirect(f"{reverse('draft_tables', args=[game_set.code])}?{chosen}")


@takes_posts(_page)
def split(request: Request, code: str) -> HttpResponse:
    game_set = _get_draft(request, code)
    _, drawn, key = _chosen(request, game_set, 1)
    return _open(request, game_set, splits.split(game_set, key, drawn), key)


@takes_posts(_page)
def split_again(request: Request, code: str) -> HttpResponse:
    game_set = _get_draft(request, code)
    game = splits.next_game(queries.tables_of(game_set))
    data, drawn, key = _chosen(request, game_set, game)
    seated = splits.split_again(game_set, key, None if data["same"] else drawn)
    return _open(request, game_set, seated, key)


def _chosen(
    request: Request, draft: GameSet, game: int
) -> tuple[Mapping[str, Any], Drawn, splits.Key]:
    form = SplitForm(request.POST, draft=draft)
    data = cleaned_data(form)
    tap_id, code = data["tap_id"], draft.code
    return data, form.drawn(game), lambda number: access.key_for(tap_id, code, str(number))


def _open(
    request: Request, draft: GameSet, seated: Sequence[GameSet], key: splits.Key
) -> HttpResponse:
    response = redirect(f"{reverse('draft_tables', args=[draft.code])}?keys")
    for number, table in enumerate(seated, 1):
        if access.opens(key(number), table):  # not if another tap has seated them
            access.hand_over(request, response, table.code, key(number))
    return response


@takes_posts(_page)
def undo_split(request: Request, code: str) -> HttpResponse:
    game_set = _get_draft(request, code)
    splits.undo(game_set)
    return redirect("draft_tables", game_set.code)


@takes_posts(show_refusal)
def table_again(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if game_set.draft is None:
        raise Http404("This table comes from no draft.")
    key = access.key_for(cleaned_data(Tap(request.POST))["tap_id"], "again", game_set.code)
    table = splits.table_again(game_set, key)
    commands.begin(table)
    response = redirect("score", table.code)
    access.hand_over(request, response, table.code, key)
    return response
