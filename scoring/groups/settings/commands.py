"""What owners change: a playgroup's settings, members, invitations, seasons and house bans.

Whatever is refused has written nothing.
"""

from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from coalition_site.lib.dates import day
from coalition_site.lib.keys import key_hash, new_code
from coalition_site.lib.texts import name_key
from decks import queries
from decks.bans import commands
from decks.decks import legality
from decks.models import BanEntry, BanList, Card, Playing

from ...models import GameSet, Invitation, Membership, Playgroup, Season, SeasonTable, SeatLink
from ...models.people import Role, Visibility
from ...record import counting
from ...record.errors import GroupRefused
from ...rules.formats import RULESETS
from ..queries import today


# --- settings ---
def create_playgroup(
    name: str,
    owner: User | None,
    *,
    visibility: str = Visibility.UNLISTED,
    ruleset: str = next(iter(RULESETS)),
    zone: str = "UTC",
    code: str | None = None,
) -> Playgroup:
    """Create a playgroup with its owner; without an owner, only superusers can change it."""
    # If the owner already has a playgroup of that ``code``, it is returned: the form was sent
    # twice.
    now = timezone.now()
    try:
        with transaction.atomic():
            group = Playgroup.objects.create(
                code=code or new_code(),
                name=name,
                visibility=visibility,
                ruleset=ruleset,
                zone=zone,
                created_at=now,
            )
            if owner:
                group.memberships.create(user=owner, role=Role.OWNER, joined_at=now)
    except IntegrityError:  # the code is taken, most likely by this request sent before
        existing = Playgroup.objects.filter(code=code, memberships__user=owner).first()
        if code is None or owner is None or existing is None:
            raise
        return existing
    return group


@transaction.atomic
def change_settings(group: Playgroup, illegal_decks: str, **own: str) -> str:
    """Return what else changed with them, for the owner to read."""
    before = counting.lock_group(group.pk).zone
    for name, value in own.items():
        setattr(group, name, value)
    group.save(update_fields=list(own))
    if group.house or illegal_decks != Playing.WARN:
        house = house_list(group)
        house.name, house.illegal_decks = group.name, illegal_decks
        house.save(update_fields=["name", "illegal_decks"])
    if group.zone == before:
        return ""
    moved = counting.recount_days(group)
    tables = SeasonTable.objects.filter(season__playgroup=group).select_related("season")
    wrong = [
        table
        for table in tables.order_by("season__starts_on")
        if table.season.ends_on >= today(group)
        or any(table.season.covers(old) != table.season.covers(new) for old, new in moved)
    ]
    SeasonTable.objects.filter(pk__in=[table.pk for table in wrong]).delete()
    days = len({old for old, _ in moved})
    told = [f"Sets of {days} day{'s' if days != 1 else ''} moved to another day."] if moved else []
    told += [f"The final table of {table.season} is counted again." for table in wrong]
    return " ".join(told)


@transaction.atomic
def house_list(group: Playgroup, format: str = "") -> BanList:
    """Return its list; a new one is of this format, or else of what the playgroup plays."""
    counting.lock_group(group.pk)
    group.refresh_from_db(fields=["house"])
    if group.house:
        return group.house
    base = queries.find_list(format or legality.format_of(group.ruleset))
    if base is None:
        raise GroupRefused("The format has no ban list yet, so there is nothing to add to.")
    group.house = BanList.objects.create(
        key=f"group-{group.code}", name=group.name, format=base.format, base=base
    )
    group.save(update_fields=["house"])
    return group.house


# --- members ---
@transaction.atomic
def change_role(member: Membership, role: str) -> None:
    counting.lock_group(member.playgroup_id)
    if role != Role.OWNER:
        _check_not_last_owner(member)
    Membership.objects.filter(pk=member.pk).update(role=role)


@transaction.atomic
def leave(member: Membership) -> None:
    counting.lock_group(member.playgroup_id)
    _check_not_last_owner(member)
    Membership.objects.filter(pk=member.pk).delete()


@transaction.atomic
def remove(member: Membership) -> None:
    """End a membership, and revoke the links of scorekeepers and seats of the playgroup's sets."""
    # Nobody knows which browsers have a link, nor to whom it was shown. Finished sets are included,
    # since a correction may open them again.
    linked = GameSet.objects.filter(playgroup=member.playgroup_id).exclude(key_hash=None)
    # Sets before the playgroup, as everywhere: two locks in two orders deadlock.
    list(linked.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    leave(member)
    linked.update(key_hash=None)
    SeatLink.objects.filter(seat__game_set__playgroup=member.playgroup_id).delete()


def _check_not_last_owner(member: Membership) -> None:
    owners = Membership.objects.filter(playgroup=member.playgroup_id, role=Role.OWNER)
    others = owners.exclude(pk=member.pk).filter(user__is_active=True)  # others can't sign in
    if owners.filter(pk=member.pk).exists() and not others.exists():
        raise GroupRefused("A playgroup needs an owner. Make somebody else an owner first.")


# --- invitations ---
def invite(group: Playgroup, role: str, days: int, *, key: str) -> Invitation:
    """Create an invitation that a secret opens for some days; a repeated secret returns it."""
    now = timezone.now()
    made = {"role": role, "created_at": now, "expires_at": now + timedelta(days=days)}
    return group.invitations.get_or_create(key_hash=key_hash(key), defaults=made)[0]


def check_open(invitation: Invitation) -> None:
    if invitation.revoked_at:
        raise GroupRefused("This invitation was revoked. Ask for a new link.")
    if invitation.expires_at <= timezone.now():
        on = day(timezone.localdate(invitation.expires_at))
        raise GroupRefused(f"This invitation expired on {on}. Ask for a new link.")


@transaction.atomic
def join(invitation: Invitation, user: User) -> Membership:
    """Make an account a member with the role of an invitation; a member keeps the old role."""
    # A new member may choose its player, once, without an owner who confirms it.
    counting.lock_group(invitation.playgroup_id)
    invitation.refresh_from_db()  # it may have been closed since the page was shown
    check_open(invitation)
    group = invitation.playgroup
    made = {
        "role": invitation.role,
        "joined_at": timezone.now(),
        "may_choose": not group.players.filter(user=user).exists(),
    }
    return group.memberships.get_or_create(user=user, defaults=made)[0]


# --- seasons ---
def add_season(group: Playgroup, name: str, starts_on: date, ends_on: date) -> Season:
    return change_season(Season(playgroup=group), name, starts_on, ends_on)


@transaction.atomic
def change_season(season: Season, name: str, starts_on: date, ends_on: date) -> Season:
    """Set a season's name and days; on other days its final table is no longer true."""
    counting.lock_group(season.playgroup_id)
    moved = (season.starts_on, season.ends_on) != (starts_on, ends_on)
    season.name, season.starts_on, season.ends_on = name, starts_on, ends_on
    if ends_on < starts_on:
        raise GroupRefused("A season can’t end before it starts. Change one of its days.")
    others = Season.objects.filter(playgroup=season.playgroup_id).exclude(pk=season.pk)
    overlapped = others.filter(starts_on__lte=ends_on, ends_on__gte=starts_on).first()
    if overlapped:
        raise GroupRefused(
            f"It would overlap {overlapped.name}, from {day(overlapped.starts_on)} to "
            f"{day(overlapped.ends_on)}. Choose other days."
        )
    if name_key(name) in map(name_key, others.values_list("name", flat=True)):
        raise GroupRefused(f"There is already a season called {name}. Choose another name.")
    season.save()
    if moved:
        SeasonTable.objects.filter(season=season).delete()
    return season


# --- house bans ---
@transaction.atomic
def ban(
    group: Playgroup, card: Card, status: str, reason: str, starts_on: date, by: User
) -> BanEntry:
    return commands.ban(house_list(group), card, status, reason, starts_on, by)
