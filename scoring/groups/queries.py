"""Reading playgroups: who belongs to them, who plays in them, and their tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from coalition_site.lib.bidi import isolated
from coalition_site.lib.keys import key_hash
from decks.models import BanEntry

from ..models import (
    Claim,
    Game,
    GameSet,
    Invitation,
    Membership,
    Player,
    Playgroup,
    Season,
    Seat,
    SetResult,
)
from ..models.people import Visibility
from ..results.counting import root

LIVE_MAX = 20
FEED_MAX = 30
PUBLIC_MAX = 50


def today(group: Playgroup) -> date:
    """Return which day it is where the playgroup's days begin."""
    return timezone.localdate(timezone=ZoneInfo(group.zone))


def find_group(code: str, user_key: int | None) -> Playgroup | None:
    """Return a playgroup by its code, with its ban list. One query.

    ``visitors_role`` is the role that an account has in it, ``claims_waiting`` how many claims
    wait for an owner.
    """
    own = Membership.objects.filter(playgroup=OuterRef("pk"), user=user_key)
    claims = Claim.objects.filter(player__playgroup=OuterRef("pk")).order_by()
    counted = claims.values("player__playgroup").annotate(count=Count("pk")).values("count")
    found = Playgroup.objects.filter(code=code).select_related("house")
    return found.annotate(
        visitors_role=Subquery(own.values("role")[:1]),
        claims_waiting=Coalesce(Subquery(counted), 0),
    ).first()


def groups_of(user_key: int | None) -> list[Playgroup]:
    """Return the playgroups of an account by name. One query."""
    return list(Playgroup.objects.filter(memberships__user=user_key).order_by("name"))


def places(user_key: int | None) -> list[Membership]:
    """Return the places of an account in playgroups, by the playgroup's name. One query."""
    found = Membership.objects.filter(user=user_key).select_related("playgroup")
    return list(found.order_by("playgroup__name", "pk"))


def public_groups() -> list[Playgroup]:
    """Return the playgroups that anybody may come upon, by name. One query."""
    return list(
        Playgroup.objects.filter(visibility=Visibility.PUBLIC).order_by("name")[:PUBLIC_MAX]
    )


def names_met(user_key: int | None) -> set[str]:
    """Return the names, without capitals, of an account's playgroups and the public ones; for None
    of those without members and the public ones. One query."""
    own, public = Q(memberships__user=user_key), Q(visibility=Visibility.PUBLIC)
    names = Playgroup.objects.filter(own | public).values_list("name", flat=True)
    return {name.casefold() for name in names}


def seasons(group: Playgroup) -> list[Season]:
    """Return a playgroup's seasons, the latest first. One query."""
    return list(group.seasons.all())


def live(group: Playgroup) -> list[GameSet]:
    """Return the sets that are being played, the latest first. One query.

    Each has ``game``, the number of its latest game, and ``state``, as that is kept; None before
    the first one.
    """
    games = Game.objects.filter(game_set=OuterRef("pk"), taken_back=False).order_by("-number")
    found = group.sets.filter(finished_at=None).annotate(
        game=Subquery(games.values("number")[:1]), state=Subquery(games.values("state")[:1])
    )
    return list(found.order_by("-created_at")[:LIVE_MAX])


def finished(group: Playgroup) -> list[tuple[GameSet, str]]:
    """Return the latest finished sets, each with its result in words. Two queries."""
    found = group.sets.exclude(finished_at=None).order_by("-finished_at")
    results = SetResult.objects.select_related("player").order_by("rank", "pk")
    shown = found.prefetch_related(Prefetch("results", results))[:FEED_MAX]
    return [(one, told(one.results.all())) for one in shown]


def told(results: Iterable[SetResult]) -> str:
    """Return a finished set in words. No query, where results are read with their players."""
    return ", ".join(
        f"{isolated(one.player.name)} {one.stood}".rstrip() for one in results if one.player
    )


def listed(group: Playgroup) -> list[Player]:
    """Return the players who stand in lists, by name: no guests, nobody merged. One query."""
    return list(group.players.filter(is_guest=False, merged_into=None).order_by("name"))


# --- people ---
@dataclass
class Person:
    """A player with who is merged into it, and the account and finished sets of them all."""

    player: Player
    merged: list[Player] = field(default_factory=list)
    account: User | None = None
    sets: int = 0


def people(group: Playgroup) -> list[Person]:
    """Return who plays in a playgroup, by name. One query."""
    found = group.players.select_related("user").annotate(finished=Count("results"))
    players = found.order_by("name")
    merged = {one.pk: one.merged_into_id for one in players}
    persons = {one.pk: Person(one) for one in players if root(one.pk, merged) == one.pk}
    for one in players:
        person = persons[root(one.pk, merged)]
        person.sets += one.finished
        person.account = person.account or one.user
        if one != person.player:
            person.merged.append(one)
    return list(persons.values())


def find_player(group: Playgroup, key: int) -> Player | None:
    """Return a player of a playgroup. One query."""
    return group.players.select_related("playgroup").filter(pk=key).first()


def known_names(group: Playgroup) -> list[str]:
    """Return the names to offer for a seat: of all players but guests and merged ones."""
    return [one.name for one in listed(group)]


def members(group: Playgroup) -> list[Membership]:
    """Return a playgroup's members by when they joined. One query."""
    return list(group.memberships.select_related("user").order_by("joined_at", "pk"))


def claims(group: Playgroup) -> list[Claim]:
    """Return the claims that wait for an owner, the oldest first. One query."""
    found = Claim.objects.filter(player__playgroup=group)
    return list(found.select_related("player__playgroup", "user").order_by("claimed_at", "pk"))


def may_claim(player: Player, user_key: int | None) -> bool:
    """Say whether neither a player has an account nor an account a player there. One query."""
    same = Q(pk=player.pk) | Q(merged_into=player.pk)
    met = Q(user=user_key) | same & ~Q(user=None)
    return not Player.objects.filter(met, playgroup=player.playgroup_id).exists()


def has_claimed(player: Player, user_key: int | None) -> bool:
    """Say whether an account's claim of a player waits for an owner. One query."""
    return player.claims.filter(user=user_key).exists()


# --- what owners see ---
def invitations(group: Playgroup) -> list[Invitation]:
    """Return a playgroup's invitations, the latest first. One query."""
    return list(group.invitations.order_by("-created_at", "-pk"))


def has_open_invitations(group: Playgroup) -> bool:
    """Say whether somebody can still join by an invitation. One query."""
    return group.invitations.filter(revoked_at=None, expires_at__gt=timezone.now()).exists()


def find_invitation(key: str) -> Invitation | None:
    """Return an invitation by its secret. One query."""
    found = Invitation.objects.select_related("playgroup").filter(key_hash=key_hash(key))
    return found.first()


def house_bans(group: Playgroup) -> list[BanEntry]:
    """Return all that a playgroup's own list says or ever said, the latest first. One query."""
    found = BanEntry.objects.filter(ban_list=group.house_id, ban_list__isnull=False)
    return list(found.select_related("card", "ban_list").order_by("-starts_on", "-pk"))


# --- sets ---
def last_set(group: Playgroup) -> GameSet | None:
    """Return the set that was started last in a playgroup. One query."""
    return group.sets.order_by("-created_at", "-pk").first()


def names_at(game_set: GameSet) -> list[str]:
    """Return who sat at a set, in order, by the names that they have now. One query."""
    return [seat.player.name if seat.player else seat.name for seat in seats(game_set)]


def seats(game_set: GameSet) -> list[Seat]:
    """Return a set's seats with their players, in order. One query."""
    return list(game_set.seats.select_related("player").order_by("number"))
