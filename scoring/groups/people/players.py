"""A playgroup's players: their names, and whose account each of them is."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from coalition_site.lib.texts import name_key

from ...models import AccountChoices, Claim, Membership, Player, Playgroup
from ...record import counting, seating
from ...record.errors import GroupRefused
from .merging import person_of


@transaction.atomic
def add_players(group: Playgroup, names: Sequence[str], *, is_guest: bool) -> list[str]:
    """Return the names of those who are here already; it is refused if all are."""
    counting.lock_group(group.pk)
    here = []
    for name in names:
        if seating.find_player(group, name):
            here.append(name)
        else:
            seating.add_player(group, name, is_guest=is_guest)
    if here == names:
        raise seating.name_taken(here[0])
    return here


def change_player(player: Player, name: str, *, is_guest: bool) -> None:
    try:
        with transaction.atomic():
            counting.lock_group(player.playgroup_id)
            Player.objects.filter(pk=player.pk).update(
                name=name, key=name_key(name), is_guest=is_guest
            )
    except IntegrityError as error:  # the database decides which names are the same
        raise seating.name_taken(name) from error


@transaction.atomic
def claim(player: Player, user: User, *, confirmed: bool = False) -> bool:
    """Claim a player for an account; return whether the account has the player now."""
    # It has with ``confirmed``, and once after joining by an invitation, if nobody else claims the
    # player. An account has at most one claim in a playgroup: a new claim replaces any other.
    counting.lock_group(player.playgroup_id)
    _check_unclaimed(player, user)
    others = Claim.objects.filter(player__playgroup=player.playgroup_id, user=user)
    others.exclude(player=player).delete()
    Claim.objects.get_or_create(player=player, user=user, defaults={"claimed_at": timezone.now()})
    # An invitation is an owner's consent, once, to what nobody else claims.
    own = Membership.objects.filter(playgroup=player.playgroup_id, user=user, may_choose=True)
    is_invited = own.update(may_choose=False)
    same = Q(player=player) | Q(player__merged_into=player)
    is_disputed = Claim.objects.filter(same).exclude(user=user).exists()
    is_given = confirmed or bool(is_invited and not is_disputed)
    if is_given:
        _give_account(player, user)
    return is_given


def _check_unclaimed(player: Player, user: User) -> None:
    same = person_of(player)
    owned = Player.objects.filter(pk__in=same).exclude(user=None).first()
    if owned and owned.user_id != user.pk:
        raise GroupRefused(
            f"{player.name} is somebody else’s already. An owner can remove that account first."
        )
    own = Player.objects.filter(playgroup=player.playgroup_id, user=user).first()
    if own and own.pk in same:
        raise GroupRefused(f"{player.name} is {user} already.")
    if own:
        raise GroupRefused(
            f"{user} is {own.name} here. If {player.name} is the same person, merge the two."
        )


def _give_account(player: Player, user: User) -> None:
    Player.objects.filter(pk=player.pk).update(user=user)
    Claim.objects.filter(player=player).delete()


@transaction.atomic
def confirm(claimed: Claim) -> None:
    counting.lock_group(claimed.player.playgroup_id)
    if not Claim.objects.filter(pk=claimed.pk).exists():
        raise GroupRefused("That claim is not there any more. Reload the page.")
    _check_unclaimed(claimed.player, claimed.user)
    _give_account(claimed.player, claimed.user)


@transaction.atomic
def release(player: Player) -> None:
    counting.lock_group(player.playgroup_id)
    Player.objects.filter(pk__in=person_of(player)).update(user=None)


def show_playgroups(user: User, shows: bool) -> None:
    AccountChoices.objects.update_or_create(user=user, defaults={"shows_playgroups": shows})
