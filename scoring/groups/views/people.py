"""The people of a playgroup: its players, whose accounts they are, and who is who."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coalition_site.lib.forms import first_error
from coalition_site.lib.limits import limited
from coalition_site.lib.requests import Request

from ... import access
from ...models import Claim, Player, Playgroup
from ...models.people import Role
from ...play import seating
from ...play.errors import GroupRefused
from .. import merging, players, queries
from ..forms.people import MergeForm, PlayerForm
from .rooms import View, belonging, page, run, seen


def of_player(view: View) -> View:
    """Hand the view a player of the playgroup."""

    @wraps(view)
    def handle(request: Request, group: Playgroup, key: int) -> HttpResponse:
        player = queries.find_player(group, key)
        if player is None:
            raise Http404("There is no such player in this playgroup.")
        return view(request, group, player)

    return handle


def people_page(request: Request, group: Playgroup, problem: str = "") -> HttpResponse:
    """Show who plays here and who belongs to the playgroup, as much as the visitor may know."""
    belongs, runs = access.belongs(request, group), access.may_run(request, group)
    found, claims = queries.people(group), queries.claims(group) if belongs else []
    context: dict[str, Any] = {
        "people": [one for one in found if not one.player.is_guest],
        "guests": [one for one in found if one.player.is_guest],
        "belongs": belongs,
        "members": queries.members(group) if belongs else [],
        "roles": Role.choices,
        "claims": claims if runs else [],
        "claimed": [one.player_id for one in claims if one.user_id == request.user.pk],
        "open_invitations": runs and queries.has_open_invitations(group),
        "has_player": any(one.account == request.user for one in found if one.account),
        "typed": request.POST,
    }
    return page(request, group, "people.html", context, problem)


@require_safe
@seen
def people(request: Request, group: Playgroup) -> HttpResponse:
    """Show the people of a playgroup."""
    return people_page(request, group)


@require_POST
@run
def add(request: Request, group: Playgroup) -> HttpResponse:
    """Add a player without an account."""
    form = PlayerForm(request.POST)
    if not form.is_valid():
        return people_page(request, group, first_error(form))
    said = form.cleaned_data
    return _do(
        request, group, lambda: seating.add_player(group, said["name"], is_guest=said["is_guest"])
    )


@require_POST
@limited("claim")
@belonging
@of_player
def claim(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Say that a player is oneself; an owner need not confirm that to himself."""
    is_owner = access.may_run(request, group)
    return _do(request, group, lambda: players.claim(player, request.user, confirmed=is_owner))


@require_POST
@run
def answer(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Confirm or decline a claim; one that was answered already stays so."""
    claimed = get_object_or_404(
        Claim.objects.select_related("player__playgroup", "user"), pk=key, player__playgroup=group
    )
    do = players.confirm if "confirm" in request.POST else players.decline
    return _do(request, group, lambda: do(claimed))


def _do(request: Request, group: Playgroup, do: Callable[[], object]) -> HttpResponse:
    """Do it and show the people, or say why not."""
    try:
        do()
    except GroupRefused as refusal:
        return people_page(request, group, str(refusal))
    return redirect("people", group.code)


@require_http_methods(["GET", "HEAD", "POST"])
@run
@of_player
def edit(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Show what can be changed about a player, and change name and guest."""
    if request.method != "POST":
        return _player_page(request, group, player)
    form = PlayerForm(request.POST)
    if not form.is_valid():
        return _player_page(request, group, player, first_error(form))
    said = form.cleaned_data
    try:
        players.change_player(player, said["name"], is_guest=said["is_guest"])
    except GroupRefused as refusal:
        return _player_page(request, group, player, str(refusal))
    return redirect("people", group.code)


def _player_page(
    request: Request, group: Playgroup, player: Player, problem: str = ""
) -> HttpResponse:
    found = queries.people(group)
    context = {
        "player": player,
        "person": next((one for one in found if one.player == player), None),
        "into": player.merged_into,
        "others": [one.player for one in found if one.player != player],
        "typed": request.POST,
    }
    return page(request, group, "player_edit.html", context, problem)


@require_POST
@run
@of_player
def release(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Take the account off a player."""
    players.release(player)
    return redirect("edit_player", group.code, player.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@run
@of_player
def merge(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Show what a merge would do, and do it."""
    is_post = request.method == "POST"
    form = MergeForm(request.POST if is_post else request.GET, player=player)
    if not form.is_valid():
        return _player_page(request, group, player, first_error(form))
    into = form.cleaned_data["into"]
    try:
        if is_post:
            merging.merge(player, into)
            return redirect("edit_player", group.code, into.pk)
        planned = merging.preview(player, into)
    except GroupRefused as refusal:
        return _player_page(request, group, player, str(refusal))
    return page(request, group, "merge.html", {"merging": planned})


@require_POST
@run
@of_player
def separate(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Take a merge back."""
    try:
        merging.separate(player)
    except GroupRefused as refusal:
        return _player_page(request, group, player, str(refusal))
    return redirect("edit_player", group.code, player.pk)
