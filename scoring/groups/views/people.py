"""The people of a playgroup: its players, their accounts, and who is the same person."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ... import access
from ...models import Claim, Player, Playgroup
from ...models.people import Role
from ...play import seating
from .. import merging, players, queries
from ..forms.people import MergeForm, PlayerForm
from ..pages.bases import group_page
from .decorators import group_view, member_view, owner_view, player_view


def people_page(
    request: Request, group: Playgroup, *_: Any, refused: Refused | None = None, **__: Any
) -> HttpResponse:
    """Show who plays here and who is a member, as much of it as the visitor may know.

    Further arguments are those of a view that refused something.
    """
    belongs, runs = access.belongs(request, group), access.may_run(request, group)
    people, claims = queries.people(group), queries.claims(group) if belongs else []
    return group_page(
        request,
        "groups/people.html",
        group,
        refused,
        people=[person for person in people if not person.player.is_guest],
        guests=[person for person in people if person.player.is_guest],
        belongs=belongs,
        members=queries.members(group) if belongs else [],
        claims=claims if runs else [],
        claimed=[claim.player_id for claim in claims if claim.user_id == request.user.pk],
        open_invitations=runs and queries.has_open_invitations(group),
        has_player=any(person.account == request.user for person in people if person.account),
        typed=request.POST,
        roles=Role.choices,
    )


@require_safe
@group_view
def people(request: Request, group: Playgroup) -> HttpResponse:
    """Show the people of a playgroup."""
    return people_page(request, group)


@require_POST
@owner_view
@shows_refusals(people_page)
def add(request: Request, group: Playgroup) -> HttpResponse:
    """Add a player without an account."""
    data = cleaned_data(PlayerForm(request.POST))
    seating.add_player(group, data["name"], is_guest=data["is_guest"])
    return redirect("people", group.code)


@require_POST
@limited("claim")
@member_view
@player_view
@shows_refusals(people_page)
def claim(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Claim a player for the visitor; an owner's claim needs no confirmation."""
    assert request.user.is_authenticated  # as a member
    players.claim(player, request.user, confirmed=access.may_run(request, group))
    return redirect("people", group.code)


@require_safe
@never_cache
@member_view
def choose(request: Request, group: Playgroup) -> HttpResponse:
    """Ask a member who has no player here which of the playgroup's players it is."""
    assert request.user.is_authenticated
    if group.players.filter(user=request.user).exists():
        return redirect("board", group.code)
    free = queries.claimable(group)
    if not free:
        return redirect("board", group.code)
    return group_page(
        request,
        "groups/choose.html",
        group,
        players=free,
        claimed=[
            claim.player_id for claim in queries.claims(group) if claim.user_id == request.user.pk
        ],
        is_invited=queries.is_invited(group, request.user.pk),
    )


@require_POST
@owner_view
@shows_refusals(people_page)
def answer(request: Request, group: Playgroup, key: int) -> HttpResponse:
    """Confirm or decline a claim."""
    claims = Claim.objects.select_related("player__playgroup", "user")
    claim = get_object_or_404(claims, pk=key, player__playgroup=group)
    if "confirm" in request.POST:
        players.confirm(claim)
    else:
        players.decline(claim)
    return redirect("people", group.code)


def player_page(
    request: Request, group: Playgroup, player: Player, refused: Refused | None = None
) -> HttpResponse:
    """Show what owners can change about a player."""
    people = queries.people(group)
    return group_page(
        request,
        "groups/player_edit.html",
        group,
        refused,
        player=player,
        person=next((person for person in people if person.player == player), None),
        into=player.merged_into,
        others=[person.player for person in people if person.player != player],
        typed=request.POST,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@owner_view
@player_view
@shows_refusals(player_page)
def edit(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Show what can be changed about a player; change the name, and whether it is a guest."""
    if request.method != "POST":
        return player_page(request, group, player)
    data = cleaned_data(PlayerForm(request.POST))
    players.change_player(player, data["name"], is_guest=data["is_guest"])
    return redirect("people", group.code)


@require_POST
@owner_view
@player_view
def release(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Remove the account from a player."""
    players.release(player)
    return redirect("edit_player", group.code, player.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@owner_view
@player_view
@shows_refusals(player_page)
def merge(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Show what a merge would do, and do it."""
    is_post = request.method == "POST"
    into = cleaned_data(MergeForm(request.POST if is_post else request.GET, player=player))["into"]
    if is_post:
        merging.merge(player, into)
        return redirect("edit_player", group.code, into.pk)
    shown = merging.preview(player, into)
    return group_page(request, "groups/merge.html", group, merging=shown)


@require_POST
@owner_view
@player_view
@shows_refusals(player_page)
def separate(request: Request, group: Playgroup, player: Player) -> HttpResponse:
    """Undo a merge."""
    merging.separate(player)
    return redirect("edit_player", group.code, player.pk)
