"""What becomes of playgroups when an account is deleted: results stay, under a neutral name."""

from __future__ import annotations

from itertools import chain, count

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, QuerySet

from ..models import GameSet, Membership, Player, Playgroup, Seat
from ..models.people import Role

NEUTRAL = "Former player"


def handed_over(user: User) -> list[tuple[Playgroup, Membership | None]]:
    """Return the playgroups that only this account owns, each with who is to own it.

    That is the scorekeeper of longest standing, else the member; None where nobody is left. Who
    can't sign in runs nothing.
    """
    others = Membership.objects.filter(
        playgroup=OuterRef("pk"), role=Role.OWNER, user__is_active=True
    )
    alone = Playgroup.objects.filter(
        ~Exists(others.exclude(user=user)),
        memberships__user=user,
        memberships__role=Role.OWNER,
    )
    return [(group, _heir(group, user)) for group in alone.order_by("name", "pk")]


def _heir(group: Playgroup, user: User) -> Membership | None:
    others = group.memberships.filter(user__is_active=True).exclude(user=user)
    ranked = {Role.SCOREKEEPER: 0, Role.MEMBER: 1}
    by_standing = sorted(
        others.select_related("user"), key=lambda one: (ranked[one.role], one.joined_at, one.pk)
    )
    return by_standing[0] if by_standing else None


@transaction.atomic
def leave(user: User) -> None:
    """Hand over what the account alone owns, and take its name from its players and seats."""
    players = _players(user)
    seats = Seat.objects.filter(player__in=players)
    # In the order of everybody who writes: sets before playgroups.
    sets = list(_held(GameSet).filter(pk__in=seats.values("game_set")).order_by("pk"))
    groups = {player.playgroup_id for player in players}
    groups.update(user.memberships.values_list("playgroup", flat=True))
    list(_held(Playgroup).filter(pk__in=groups).order_by("pk"))
    for _, heir in handed_over(user):
        if heir:
            heir.role = Role.OWNER
            heir.save(update_fields=["role"])
    for player in players:
        player.name = _neutral_name(player)
        player.save(update_fields=["name"])
        seats.filter(player=player).update(name=player.name)
    _seat_anew(sets, dict(seats.values_list("pk", "name")))


def _held(model: type[Model]) -> QuerySet:
    """Rows that others may not change before this transaction ends; they may refer to them."""
    return model.objects.select_for_update(no_key=True)


def _players(user: User) -> list[Player]:
    """Return the account's players, and those that turned out to be the same person."""
    found = list(Player.objects.filter(user=user).order_by("pk"))
    for player in found:  # and those that are merged into the ones that this adds
        known = [one.pk for one in found]
        found += Player.objects.filter(merged_into=player).exclude(pk__in=known).order_by("pk")
    return found


def _neutral_name(player: Player) -> str:
    """Return a name that nobody has in the playgroup, nor at its tables."""
    group, said = player.playgroup_id, {"name__istartswith": NEUTRAL}
    players = Player.objects.filter(playgroup=group, **said).values_list("name")
    seats = Seat.objects.filter(game_set__playgroup=group, **said).values_list("name")
    taken = {name.lower() for (name,) in players.union(seats)}
    names = (f"{NEUTRAL} {number}" for number in count(2))
    return next(name for name in chain([NEUTRAL], names) if name.lower() not in taken)


def _seat_anew(sets: list[GameSet], names: dict[int, str]) -> None:
    """Bring the kept seating of sets up to date with seats' new names."""
    for game_set in sets:
        game_set.seating = [[seat, names.get(seat, name)] for seat, name in game_set.seating]
    GameSet.objects.bulk_update(sets, ["seating"], batch_size=500)
