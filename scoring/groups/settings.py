"""What owners do with a playgroup: its settings, members, invitations, seasons and house bans.

What is refused has written nothing.
"""

from __future__ import annotations

from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Lower
from django.utils import timezone

from coalition_site.lib.keys import key_hash
from decks import legality, queries
from decks.bans import commands
from decks.bans.commands import day
from decks.models import BanEntry, BanList, Card, Playing

from ..models import GameSet, Invitation, Membership, Playgroup, Season
from ..models.people import Role
from ..play.errors import GroupRefused
from ..results import counting


# --- settings ---
@transaction.atomic
def change(
    group: Playgroup,
    *,
    name: str,
    visibility: str,
    ruleset: str,
    house_rules: str,
    illegal_decks: str,
) -> None:
    """Change what a playgroup is called, who sees it, what it plays, and its rules."""
    counting.hold(group.pk)
    group.name, group.visibility = name, visibility
    group.ruleset, group.house_rules = ruleset, house_rules
    group.save(update_fields=["name", "visibility", "ruleset", "house_rules"])
    if group.house or illegal_decks != Playing.WARN:
        house = house_list(group)
        house.name, house.illegal_decks = name, illegal_decks
        house.save(update_fields=["name", "illegal_decks"])


@transaction.atomic
def house_list(group: Playgroup) -> BanList:
    """Return the playgroup's own ban list, which there is from now on.

    :raises GroupRefused: if its format has no ban list to stand on.
    """
    counting.hold(group.pk)
    group.refresh_from_db(fields=["house"])
    if group.house:
        return group.house
    base = queries.find_list(legality.format_of(group.ruleset))
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
    """Give a member another role.

    :raises GroupRefused: if nobody would be left to run the playgroup.
    """
    counting.hold(member.playgroup_id)
    if role != Role.OWNER:
        _check_not_last_owner(member)
    Membership.objects.filter(pk=member.pk).update(role=role)


@transaction.atomic
def part(member: Membership) -> None:
    """Let an account be no member any more; its player stays with all results.

    :raises GroupRefused: if nobody would be left to run the playgroup.
    """
    counting.hold(member.playgroup_id)
    _check_not_last_owner(member)
    Membership.objects.filter(pk=member.pk).delete()


@transaction.atomic
def remove(member: Membership) -> None:
    """Part an account from the playgroup, and revoke the scorekeeper links of all its sets.

    Nobody knows which browsers hold a link, nor to whom it was shown. Finished sets are among them,
    since a correction may open one again.

    :raises GroupRefused: if nobody would be left to run the playgroup.
    """
    linked = GameSet.objects.filter(playgroup=member.playgroup_id).exclude(key_hash=None)
    # Sets before the playgroup, as everywhere: two locks in two orders deadlock.
    list(linked.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    part(member)
    linked.update(key_hash=None)


def _check_not_last_owner(member: Membership) -> None:
    owners = Membership.objects.filter(playgroup=member.playgroup_id, role=Role.OWNER)
    others = owners.exclude(pk=member.pk).filter(user__is_active=True)  # who can sign in
    if owners.filter(pk=member.pk).exists() and not others.exists():
        raise GroupRefused("A playgroup needs an owner. Make somebody else one first.")


# --- invitations ---
def invite(group: Playgroup, role: str, days: int, *, key: str) -> Invitation:
    """Make an invitation that a secret opens for some days; a known secret gives it again."""
    now = timezone.now()
    made, _ = Invitation.objects.get_or_create(
        key_hash=key_hash(key),
        defaults={
            "playgroup": group,
            "role": role,
            "created_at": now,
            "expires_at": now + timedelta(days=days),
        },
    )
    return made


def revoke(invitation: Invitation) -> None:
    """Let nobody join by an invitation any more; who did, stays."""
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now())


def check_open(invitation: Invitation) -> None:
    """Refuse an invitation that is over.

    :raises GroupRefused: if it was revoked, or has expired.
    """
    if invitation.revoked_at:
        raise GroupRefused("This invitation was revoked. Ask for a new link.")
    if invitation.expires_at <= timezone.now():
        raise GroupRefused(
            f"This invitation expired on {day(timezone.localdate(invitation.expires_at))}. "
            f"Ask for a new link."
        )


@transaction.atomic
def join(invitation: Invitation, user: User) -> Membership:
    """Let an account be a member with the role of an invitation; who is one keeps the own role.

    :raises GroupRefused: if the invitation is over.
    """
    counting.hold(invitation.playgroup_id)
    invitation.refresh_from_db()
    check_open(invitation)
    member, _ = Membership.objects.get_or_create(
        playgroup=invitation.playgroup,
        user=user,
        defaults={"role": invitation.role, "joined_at": timezone.now()},
    )
    return member


# --- seasons ---
def add_season(group: Playgroup, name: str, starts_on: date, ends_on: date) -> Season:
    """Add a season.

    :raises GroupRefused: if its name is taken, or it overlaps another.
    """
    return _put(Season(playgroup=group), name, starts_on, ends_on)


def change_season(season: Season, name: str, starts_on: date, ends_on: date) -> None:
    """Change a season's name and days.

    :raises GroupRefused: if its name is taken, or it overlaps another.
    """
    _put(season, name, starts_on, ends_on)


def delete_season(season: Season) -> None:
    """Delete a season; the results of its days stay."""
    Season.objects.filter(pk=season.pk).delete()


@transaction.atomic
def _put(season: Season, name: str, starts_on: date, ends_on: date) -> Season:
    counting.hold(season.playgroup_id)
    season.name, season.starts_on, season.ends_on = name, starts_on, ends_on
    if ends_on < starts_on:
        raise GroupRefused("A season can’t end before it starts. Change one of its days.")
    others = Season.objects.filter(playgroup=season.playgroup_id).exclude(pk=season.pk)
    met = others.filter(starts_on__lte=ends_on, ends_on__gte=starts_on).first()
    if met:
        raise GroupRefused(
            f"It would overlap {met.name}, from {day(met.starts_on)} to {day(met.ends_on)}. "
            f"Choose other days."
        )
    if others.alias(low=Lower("name")).filter(low=Lower(Value(name))).exists():
        raise GroupRefused(f"There is a season called {name} already. Choose another name.")
    season.save()
    return season


# --- house bans ---
@transaction.atomic
def ban(
    group: Playgroup, card: Card, status: str, reason: str, starts_on: date, by: User
) -> BanEntry:
    """Let the playgroup's own list, made for that if need be, say something of a card.

    :raises GroupRefused, BanRefused: if it can't; there is no new list then either.
    """
    return commands.ban(house_list(group), card, status, reason, starts_on, by)
