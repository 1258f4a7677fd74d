"""What people do with playgroups: who belongs to them, and which sets are theirs."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from coalition_site.keys import new_code

from .. import recording
from ..models import Membership, Player, Playgroup, Seat
from ..models.people import Role
from ..queries import Table
from . import counting


@transaction.atomic
def found(
    name: str, owner: User | None, *, visibility: str, ruleset: str, zone: str = "UTC"
) -> Playgroup:
    """Make a playgroup with its owner; without one, only superusers can change it."""
    now = timezone.now()
    group = Playgroup.objects.create(
        code=new_code(),
        name=name,
        visibility=visibility,
        ruleset=ruleset,
        zone=zone,
        created_at=now,
    )
    if owner:
        Membership.objects.create(playgroup=group, user=owner, role=Role.OWNER, joined_at=now)
    return group


def player_called(group: Playgroup, name: str) -> Player:
    """Return the player of a name, whom there is from now on if there was none."""
    player, _ = Player.objects.get_or_create(
        playgroup=group, name__iexact=name, defaults={"name": name}
    )
    return player


def take(table: Table, group: Playgroup, names: Mapping[int, str] | None = None) -> None:
    """Take a set into a playgroup; each seat is the player of its name, or of that in ``names``.

    A set that is in a playgroup already moves from there with its results.
    """
    with recording.held(table):
        counting.replace(table.game_set, [])
        counting.hold(group.pk)
        for seat in Seat.objects.filter(game_set=table.game_set):
            seat.player = player_called(group, (names or {}).get(seat.number) or seat.name)
            seat.save(update_fields=["player"])
        table.game_set.playgroup, table.game_set.house = group, group.house
        table.game_set.save(update_fields=["playgroup", "house"])
        recording.settle(table)
