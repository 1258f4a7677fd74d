"""Taking sets into a playgroup, naming who sat there, and taking them out again."""

from collections.abc import Iterable

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ... import access
from ...models import GameSet, Playgroup, Seat
from ...tables.common import get_table, require_scorer
from ...tables.forms import NamesForm, edited
from .. import queries
from ..bases import locked_page
from ..fields import NameField
from . import membership as set_membership

NOT_THERE = (
    "You can’t take it into that playgroup: you need to keep score for it, and to have this "
    "table’s scorekeeper link."
)
NOT_FROM_THERE = (
    "Only an owner of its playgroup can move it, or say who sat there once it is finished."
)


class TakeForm(NamesForm):
    def field_for(self, name: str) -> NameField:
        return NameField(f"Who is {name}? Type a name.")


def _called(seats: Iterable[Seat], group: Playgroup) -> dict[int, str]:
    return {seat.number: set_membership.called(seat, group) for seat in seats}


def take_page(request: Request, code: str, refused: Refused | None = None) -> HttpResponse:
    game_set = get_table(request, code)
    groups = _groups(request, game_set)
    group, now = _chosen(request, game_set, groups), game_set.playgroup
    seats = queries.seats(game_set) if group else []
    called = _called(seats, group) if group else {}
    typed = edited(request.POST, called)
    context = {
        "code": game_set.code,
        "now": now,
        "shown": access.visible_group(request, game_set),
        "groups": groups,
        "group": group,
        "seats": [(seat, called[seat.number], typed[seat.number]) for seat in seats],
        "known": queries.known_names(group) if group else [],
        "may_take_out": now is not None and access.may_run(request, now),
        "problem": refused.message(game_set.names) if refused else "",
    }
    return render(request, "groups/take.html", context, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("tap")
@shows_refusals(take_page)
def take(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    require_scorer(request, game_set)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method != "POST":
        return take_page(request, code)
    group = _chosen(request, game_set, _groups(request, game_set))
    if group is None:
        raise Refused(NOT_FROM_THERE if game_set.playgroup else NOT_THERE)
    called = _called(queries.seats(game_set), group)
    names = cleaned_data(TakeForm(request.POST, now=called))["names"]
    set_membership.take_set(game_set, group, names)
    return redirect("watch", game_set.code)


def _groups(request: Request, game_set: GameSet) -> list[Playgroup]:
    """Return the playgroups that the visitor may take the set into, the set's own first."""
    now = game_set.playgroup
    others = [group for group in queries.groups_of(request.user.pk) if group != now]
    groups = [now, *others] if now else others
    return [group for group in groups if access.may_take(request, game_set, group)]


def _chosen(request: Request, game_set: GameSet, groups: list[Playgroup]) -> Playgroup | None:
    """Return the requested playgroup; by default the set's own, or the only playgroup."""
    code = request.POST.get("group") or request.GET.get("group")
    if code:
        return next((group for group in groups if group.code == code), None)
    is_clear = game_set.playgroup in groups or len(groups) == 1
    return groups[0] if groups and is_clear and request.method != "POST" else None


@require_POST
@shows_refusals(take_page)
def take_out(request: Request, code: str) -> HttpResponse:
    game_set = get_table(request, code)
    group = access.visible_group(request, game_set)
    if group is None:  # it is out already, or the visitor can't see the playgroup
        return redirect("watch", game_set.code)
    if not access.may_run(request, group):
        return locked_page(request, group, "its owners")
    set_membership.take_out(game_set)
    return redirect("watch", game_set.code)
