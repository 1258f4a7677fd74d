"""What happens to playgroups when an account is deleted: results stay, under a neutral name."""

from itertools import chain, count

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef

from ...models import Delivery, GameSet, Membership, Player, Playgroup, Seat
from ...models.people import Role
from ...record import chaining
from .merging import person_of

NEUTRAL = "Former player"


def handovers(user: User) -> list[tuple[Playgroup, Membership | None]]:
    """Return the playgroups that only this account owns, each with its next owner."""
    # That is whoever has been a scorekeeper for longest, else a member; None where nobody is left.
    # Accounts that can't sign in don't count.
    others = Membership.objects.filter(
        playgroup=OuterRef("pk"), role=Role.OWNER, user__is_active=True
    )
    owned_alone = Playgroup.objects.filter(
        ~Exists(others.exclude(user=user)),
        memberships__user=user,
        memberships__role=Role.OWNER,
    )
    # Scorekeepers before members, by the names of their roles.
    members = Membership.objects.filter(user__is_active=True).order_by("-role", "joined_at", "pk")
    heirs = members.exclude(user=user).select_related("user")
    return [
        (group, heirs.filter(playgroup=group).first())
        for group in owned_alone.order_by("name", "pk")
    ]


def leave_groups(user: User) -> None:
    """Hand over what only this account owns, and remove its name from players and seats."""
    while not _leave_unless_changed(user):
        pass


@transaction.atomic
def _leave_unless_changed(user: User) -> bool:
    before = players, keys, groups = _concerned(user)
    seats = Seat.objects.filter(player__in=players)
    # Others may refer to these rows meanwhile, but not change them. Sets before playgroups, as
    # everywhere: two locks in two orders deadlock.
    locked_sets = GameSet.objects.select_for_update(no_key=True)
    sets = list(locked_sets.filter(pk__in=keys).order_by("pk"))
    list(Playgroup.objects.select_for_update(no_key=True).filter(pk__in=groups).order_by("pk"))
    if _concerned(user) != before:  # a round was begun, say, or a claim confirmed
        transaction.set_rollback(True)  # which unlocks these, as more sets are to be locked
        return False
    # What waits is written anew, without the name; what is done needs none.
    Delivery.objects.filter(webhook__playgroup__in=groups).update(body="")
    for _, heir in handovers(user):
        if heir:
            heir.role = Role.OWNER
            heir.save(update_fields=["role"])
    for player in players:
        player.name = _neutral_name(player)
        player.save(update_fields=["name", "key"])
        seats.filter(player=player).update(name=player.name)
    names = dict(seats.values_list("pk", "name"))
    for game_set in sets:  # the seating that is stored with each
        with chaining.sealing(game_set):
            game_set.seating = [[seat, names.get(seat, name)] for seat, name in game_set.seating]
    GameSet.objects.bulk_update(sets, ["seating", "seal"], batch_size=500)
    return True


def _concerned(user: User) -> tuple[list[Player], list[int], set[int]]:
    """Return whoever is this account, and the keys of their sets and playgroups."""
    own = [key for player in Player.objects.filter(user=user) for key in person_of(player)]
    players = list(Player.objects.filter(pk__in=own).order_by("pk"))
    sets = GameSet.objects.filter(seats__player__in=players).order_by("pk").distinct()
    groups = {player.playgroup_id for player in players}
    groups.update(user.memberships.values_list("playgroup", flat=True))
    return players, list(sets.values_list("pk", flat=True)), groups


def _neutral_name(player: Player) -> str:
    group, similar = player.playgroup_id, {"name__istartswith": NEUTRAL}
    players = Player.objects.filter(playgroup=group, **similar).values_list("name")
    seats = Seat.objects.filter(game_set__playgroup=group, **similar).values_list("name")
    taken = {name.lower() for (name,) in players.union(seats)}
    names = (f"{NEUTRAL} {number}" for number in count(2))
    return next(name for name in chain([NEUTRAL], names) if name.lower() not in taken)
