"""Taking sets into a playgroup, saying who sat there, and taking them out again."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from coalition_site.lib.forms import first_error
from coalition_site.lib.requests import Request

from ... import access
from ...models import Playgroup, Seat
from ...play.errors import GroupRefused
from ...play.queries import Table
from ...rules.errors import RuleError
from ...views.tables import scorekeeper_view, viewer_view
from .. import queries, set_membership
from ..forms.people import TakeForm

NOT_THERE = (
    "You can’t take it into that playgroup: you need to keep score for it, and to hold this "
    "table’s scorekeeper link."
)
NOT_FROM_THERE = (
    "Only an owner of its playgroup can move it, or say who sat there once it is finished."
)


@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_view
def take(request: Request, table: Table) -> HttpResponse:
    """Ask into which playgroup a set goes and who sat there, and take it in."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    groups = _groups(request, table)
    group = _chosen(request, table, groups)
    if request.method != "POST":
        return _page(request, table, groups, group)
    if group is None:
        problem = NOT_FROM_THERE if table.game_set.playgroup else NOT_THERE
        return _page(request, table, groups, group, problem=problem)
    form = TakeForm(request.POST, seats=queries.seats(table.game_set))
    if not form.is_valid():
        return _page(request, table, groups, group, problem=first_error(form))
    try:
        set_membership.take(table, group, form.names)
    except (GroupRefused, RuleError) as refusal:
        return _page(request, table, groups, group, problem=_told(refusal, table))
    return redirect("watch", table.game_set.code)


def _told(refusal: GroupRefused | RuleError, table: Table) -> str:
    return refusal.message(table.names) if isinstance(refusal, RuleError) else str(refusal)


def _groups(request: Request, table: Table) -> list[Playgroup]:
    """Return the playgroups that the visitor may take the set into, its own one first."""
    now = table.game_set.playgroup
    known = [one for one in queries.groups_of(request.user.pk) if one != now]
    found = [now, *known] if now else known
    return [one for one in found if access.may_take(request, table.game_set, one)]


def _chosen(request: Request, table: Table, groups: list[Playgroup]) -> Playgroup | None:
    """Return the playgroup that was asked for; without one the set's own, or the only one."""
    asked = request.POST.get("group") or request.GET.get("group")
    if asked:
        return next((one for one in groups if one.code == asked), None)
    is_clear = table.game_set.playgroup in groups or len(groups) == 1
    return groups[0] if groups and is_clear and request.method != "POST" else None


def _page(
    request: Request,
    table: Table,
    groups: list[Playgroup],
    group: Playgroup | None,
    problem: str = "",
) -> HttpResponse:
    now = table.game_set.playgroup
    seats = queries.seats(table.game_set)
    context = {
        "code": table.game_set.code,
        "now": now,
        "shown": access.group_shown(request, table.game_set),
        "groups": groups,
        "group": group,
        "seats": [(seat, _name(request, seat, is_own=now == group)) for seat in seats],
        "known": queries.known_names(group) if group else [],
        "may_take_out": now is not None and access.may_run(request, now),
        "problem": problem,
    }
    return render(request, "groups/take.html", context, status=422 if problem else 200)


def _name(request: Request, seat: Seat, *, is_own: bool) -> str:
    """Return who sat there: as typed, as it is known, or as at the table."""
    known = seat.player.name if is_own and seat.player else seat.name
    return request.POST.get(f"seat-{seat.number}", known)


@require_POST
@viewer_view
def take_out(request: Request, table: Table) -> HttpResponse:
    """Let a set be of no playgroup; its owners may, and once it is out it stays so."""
    group = access.group_shown(request, table.game_set)
    if group is None:
        return redirect("watch", table.game_set.code)
    if not access.may_run(request, group):
        context = {"group": group, "who": "its owners"}
        return render(request, "groups/locked.html", context, status=403)
    try:
        set_membership.take_out(table)
    except (GroupRefused, RuleError) as refusal:
        groups, problem = _groups(request, table), _told(refusal, table)
        return _page(request, table, groups, _chosen(request, table, groups), problem=problem)
    return redirect("watch", table.game_set.code)
