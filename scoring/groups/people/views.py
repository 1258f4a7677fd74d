"""The people of a playgroup: its players, their accounts, who is the same person, and members."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from ... import access
from ...models import Claim, Playgroup
from ...models.people import Role
from .. import queries
from ..bases import group_page
from ..decorators import group_view, member_view, owner_view, takes_form, takes_posts
from ..fields import NameField, NamesField, any_error
from ..settings import commands as settings
from . import merging, players

NOBODY = "Choose a player of this playgroup."


class PlayerForm(forms.Form):
    name = NameField("Give the player a name.")
    is_guest = forms.BooleanField(required=False)


class NewPlayersForm(forms.Form):
    names = NamesField("Give the player a name.")
    is_guest = forms.BooleanField(required=False)


class MergeForm(forms.Form):
    into = forms.IntegerField(error_messages=any_error(NOBODY))


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices, error_messages=any_error("Choose a role."))


def people_page(
    request: Request, group: Playgroup, *_: Any, refused: Refused | None = None, **__: Any
) -> HttpResponse:
    belongs, runs = access.belongs(request, group), access.may_run(request, group)
    people, claims = queries.people(group), queries.claims(group) if belongs else []
    members = group.memberships.select_related("user")
    return group_page(
        request,
        "groups/people.html",
        group,
        refused,
        people=[person for person in people if not person.player.is_guest],
        guests=[person for person in people if person.player.is_guest],
        belongs=belongs,
        members=members.order_by("joined_at", "pk") if belongs else [],
        claims=claims if runs else [],
        claimed=[claim.player_id for claim in claims if claim.user_id == request.user.pk],
        open_invitations=runs and queries.open_invitations().filter(playgroup=group).exists(),
        has_player=any(person.account == request.user for person in people if person.account),
        roles=Role.choices,
    )


people = require_safe(group_view(people_page))


@takes_posts(owner_view, people_page)
def add(request: Request, group: Playgroup) -> HttpResponse:
    data = cleaned_data(NewPlayersForm(request.POST))
    here = players.add_players(group, data["names"], is_guest=data["is_guest"])
    if here:
        messages.success(request, f"Added. Already here: {', '.join(here)}.")
    return redirect("people", group.code)


@limited("claim")
@takes_posts(member_view, people_page)
def claim(request: Request, group: Playgroup, key: int) -> HttpResponse:
    player = get_object_or_404(group.players, pk=key)
    assert request.user.is_authenticated  # as a member
    players.claim(player, request.user, confirmed=access.may_run(request, group))
    return redirect("people", group.code)


@require_safe
@never_cache
@member_view
def choose(request: Request, group: Playgroup) -> HttpResponse:
    assert request.user.is_authenticated
    has_player = group.players.filter(user=request.user).exists()
    free = [] if has_player else queries.claimable(group)
    if not free:
        return redirect("board", group.code)
    return group_page(
        request,
        "groups/choose.html",
        group,
        players=free,
        claimed=request.user.claims.values_list("player", flat=True),
        is_invited=group.memberships.filter(user=request.user, may_choose=True).exists(),
    )


@takes_posts(owner_view, people_page)
def answer(request: Request, group: Playgroup, key: int) -> HttpResponse:
    claims = Claim.objects.select_related("player__playgroup", "user")
    claim = get_object_or_404(claims, pk=key, player__playgroup=group)
    if "confirm" in request.POST:
        players.confirm(claim)
    else:
        claim.delete()
    return redirect("people", group.code)


# --- one player, for owners ---
def player_page(
    request: Request, group: Playgroup, key: int, refused: Refused | None = None
) -> HttpResponse:
    player, people = get_object_or_404(group.players, pk=key), queries.people(group)
    return group_page(
        request,
        "groups/player_edit.html",
        group,
        refused,
        player=player,
        person=next((person for person in people if person.player == player), None),
        into=player.merged_into,
        others=[person.player for person in people if person.player != player],
    )


@takes_form(owner_view, player_page)
def edit(request: Request, group: Playgroup, key: int) -> HttpResponse:
    player = get_object_or_404(group.players, pk=key)
    data = cleaned_data(PlayerForm(request.POST))
    players.change_player(player, data["name"], is_guest=data["is_guest"])
    return redirect("people", group.code)


@require_POST
@owner_view
def release(request: Request, group: Playgroup, key: int) -> HttpResponse:
    player = get_object_or_404(group.players, pk=key)
    players.release(player)
    return redirect("edit_player", group.code, player.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@owner_view
@shows_refusals(player_page)
def merge(request: Request, group: Playgroup, key: int) -> HttpResponse:
    player = get_object_or_404(group.players, pk=key)
    data = cleaned_data(MergeForm(request.POST or request.GET))
    into = group.players.filter(pk=data["into"]).first()
    if into is None:
        raise Refused(NOBODY)
    if request.method == "POST":
        merging.merge(player, into)
        return redirect("edit_player", group.code, into.pk)
    shown = merging.preview(player, into)
    return group_page(request, "groups/merge.html", group, player=player, into=into, **shown)


@takes_posts(owner_view, player_page)
def separate(request: Request, group: Playgroup, key: int) -> HttpResponse:
    player = get_object_or_404(group.players, pk=key)
    merging.separate(player)
    return redirect("edit_player", group.code, player.pk)


# --- members ---
@takes_posts(owner_view, people_page)
def change_member(request: Request, group: Playgroup, key: int) -> HttpResponse:
    member = get_object_or_404(group.memberships, pk=key)
    if "remove" in request.POST:
        settings.remove(member)
    else:
        settings.change_role(member, cleaned_data(RoleForm(request.POST))["role"])
    return redirect("people", group.code)


@takes_posts(member_view, people_page)
def leave(request: Request, group: Playgroup) -> HttpResponse:
    # End the visitor's membership, if any: superusers belong without.
    member = group.memberships.filter(user=request.user.pk).first()
    if member:
        settings.leave(member)
    return redirect("groups")
