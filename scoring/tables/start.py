"""The way in: the home page, a table to try, and starting a table."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coalition_site.lib.forms import Tap
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access
from ..groups import queries as group_queries
from ..groups.bases import live_table
from ..groups.decorators import scorekeepers_view
from ..models import GameSet, Playgroup
from ..models.record import SEATS_MAX
from ..record import commands, queries, seating, trial
from ..record.errors import GroupRefused
from ..rules.formats import FORMATS, RULESETS
from . import board, guides, standings
from .common import get_table, locked
from .forms import StartForm
from .guides import guide_of
from .seats import KNOWN_MAX, known_names, own_tables


@require_safe
def home(request: Request) -> HttpResponse:
    scored = queries.with_games(queries.sets_of(access.keys(request)))
    own = [pair for pair in scored if _is_offered(request, pair[0])]
    finished = [pair for pair in own if pair[0].finished_at]
    open_tables = [pair for pair in own if not pair[0].finished_at]
    groups = group_queries.groups_of(request.user.pk) if request.user.is_authenticated else []
    # What is played in them, without the tables that are among the open ones already.
    playing: dict[int | None, list[dict[str, Any]]] = {group.pk: [] for group in groups}
    shown = {game_set.code for game_set, _ in open_tables}
    for game_set in group_queries.live(GameSet.objects.filter(playgroup__in=groups)):
        if game_set.code not in shown:
            playing[game_set.playgroup_id].append(live_table(game_set))
    # The last set of this browser, or of the visitor's playgroups.
    sets = GameSet.objects.filter(playgroup__in=groups, finished_at__isnull=False)
    latest = sets.select_related("playgroup").order_by("-finished_at", "-pk")[:1]
    known = {game_set.code for game_set, _ in finished}
    others = [game_set for game_set in latest if game_set.code not in known]
    last = max(
        chain(
            (pair for pair in finished if not pair[0].is_trial),
            queries.with_games(others) if others else (),
        ),
        key=lambda pair: (pair[0].finished_at, pair[0].pk),
        default=None,
    )
    is_draft = bool(last and last[0].rules.splits_into)
    may_play_again = last and not is_draft and access.may_play_again(request, last[0])
    again = last[0] if last and may_play_again else None
    used = next((game_set for game_set, _ in own if not game_set.is_trial), last and last[0])
    ruleset = used.rules if used else next(iter(RULESETS.values()))
    context = {
        "ruleset": ruleset,
        "guide": guide_of(ruleset.format),
        "sizes": [size for size in range(SEATS_MAX + 1) if ruleset.allows(size)],
        "open": [standings.summary(*pair) for pair in open_tables],
        "groups": [
            (group, access.may_score_for(request, group), playing[group.pk]) for group in groups
        ],
        "last": standings.summary(*last) if last else None,
        "again": again.code if again else None,
        "sat": _seated_again(again) if again else (),
        # Whoever may seat the players of a draft gets its tables instead.
        "may_seat": last and is_draft and access.may_score(request, last[0]),
        "earlier": [
            standings.summary(*pair) for pair in finished if not last or pair[0] != last[0]
        ],
        "guides": guides.GUIDES,
    }
    return render(request, "tables/home.html", context)


def _seated_again(game_set: GameSet) -> list[str]:
    return seating.seat_names(game_set.rules, [*seating.seats_for_rematch(game_set).values()])


def _is_offered(request: Request, game_set: GameSet) -> bool:
    is_old = game_set.trial_until is not None and game_set.trial_until < timezone.now()
    return access.may_score(request, game_set) and not is_old


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
    return open_pad(request, trial.create_trial(key), key)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("start")
def start(request: Request) -> HttpResponseBase:
    # The first game starts at once, unless the players choose who begins or announce heroes first.
    code = request.POST.get("group") or request.GET.get("group")
    if code:
        return scorekeepers_view(_start)(request, code=code.replace("\0", ""))
    return _start(request)


def _start(request: Request, group: Playgroup | None = None) -> HttpResponse:
    if request.method != "POST":
        return _page(request, group, StartForm())
    form = StartForm(request.POST)
    if "switch" in request.POST:  # to another format: the names that were typed stay
        return _page(request, group, StartForm(), form.names, unfolds=True)
    if not form.is_valid():
        return _page(request, group, form, form.names)
    ruleset, names = RULESETS[form.cleaned_data["ruleset"]], form.cleaned_data["names"]
    place = [group.code] if group else []
    key = access.key_for(form.cleaned_data["tap_id"], ruleset.key, *names, *place)
    try:
        game_set = commands.create_set(ruleset, names, key=key, playgroup=group)
    except GroupRefused as refused:
        return _page(request, group, form, form.names, problem=str(refused))
    if not (ruleset.has_turns and form.cleaned_data["starter"]):
        commands.begin(game_set)
    return open_pad(request, game_set, key)


def open_pad(request: Request, game_set: GameSet, key: str) -> HttpResponse:
    response = redirect("score", game_set.code)
    access.hand_over(request, response, game_set.code, key)
    return response


def _refuse_again(request: Request, code: str, refused: Refused) -> HttpResponse:
    game_set = get_table(request, code)
    form, names = StartForm(initial={"ruleset": game_set.ruleset}), [*game_set.names.values()]
    return _page(request, game_set.playgroup, form, names, problem=str(refused))


@require_POST
@limited("start")
@shows_refusals(_refuse_again)
def play_again(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    if game_set.draft_id is not None:
        raise Refused(
            "This table comes from a draft: use “Play again with these decks” on its page."
        )
    if not access.may_play_again(request, game_set):
        return locked(request, game_set)
    tap_id, draws = cleaned_data(Tap(request.POST))["tap_id"], bool(request.POST.get("draw"))
    key = access.key_for(tap_id, "again", game_set.code, str(draws))
    table = commands.seat_again(game_set, key=key, shuffles=draws)
    commands.begin(table)
    return open_pad(request, table, key)


def _page(
    request: Request,
    group: Playgroup | None,
    form: StartForm,
    names: Sequence[str] = (),
    *,
    problem: str = "",
    unfolds: bool = False,
) -> HttpResponse:
    usual = RULESETS[group.ruleset] if group else next(iter(RULESETS.values()))
    named = RULESETS.get((form.data or form.initial or request.GET).get("ruleset", ""))
    format = named.format if named else request.GET.get("format", "")
    rulesets = FORMATS.get(format) or FORMATS[usual.format]
    chosen = named or (usual if usual in rulesets else rulesets[0])
    places = max(ruleset.players_max for ruleset in rulesets)
    if group:
        sets = group.sets.select_related("playgroup").order_by("-created_at", "-pk")
        last, known = sets.first(), group_queries.names_by_play(group)
    else:
        own = own_tables(request)
        last = next((game_set for game_set in own if game_set.playgroup is None), None)
        known = known_names(own)
    again = last if last and last.draft_id is None and not any(names) else None
    status = 422 if form.errors or problem else 200
    context = {
        "form": form,
        "problem": problem,
        "group": group,
        "sizes": [size for size in range(SEATS_MAX + 1) if any(of.allows(size) for of in rulesets)],
        "size": form.data.get("seats") or str(chosen.players_min),
        "known": known[:KNOWN_MAX],
        "more": known[KNOWN_MAX:],
        "again": again,
        "sat": _seated_again(again) if again else (),
        "seats": [
            (number, board.ARMS[number], name)
            for number, name in enumerate([*names, *[""] * places][:places], 1)
        ],
        "guides": guides.GUIDES,
        "guide": guide_of(chosen.format),
        "format": chosen.format,
        "rulesets": rulesets,
        "usual": usual.key,
        "chosen": chosen,
        "unfolds": unfolds or "ruleset" in form.errors,
        "starter": form.data.get("starter", ""),
    }
    return render(request, "tables/start.html", context, status=status)
