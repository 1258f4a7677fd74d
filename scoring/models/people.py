"""Playgroups: their members, their players, and their seasons."""

from contextlib import suppress
from datetime import UTC, date, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

from coalition_site.lib.rows import Row

from ..rules.formats import RULESETS
from ..setlog.document import NAME_MAX
from .names import NameKey

HOUSE_RULES_MAX = 5000


class Role(models.TextChoices):
    """What a member may do; each role includes the roles after it."""

    OWNER = "owner", "Owner"
    SCOREKEEPER = "scorekeeper", "Scorekeeper"
    MEMBER = "member", "Member"


class Visibility(models.TextChoices):
    """Who sees a playgroup: unlisted means whoever has the link, private means its members."""

    PUBLIC = "public", "Public"
    UNLISTED = "unlisted", "Unlisted"
    PRIVATE = "private", "Private"


class Playgroup(models.Model):
    """Whoever changes ``zone`` counts all days again. ``house`` is its own ban list, added to the
    format's."""

    code = models.CharField(max_length=16, unique=True)
    name = models.CharField(max_length=NAME_MAX)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.UNLISTED)
    zone = models.CharField(max_length=64, default="UTC")
    ruleset = models.CharField(max_length=40, choices={key: key for key in RULESETS})
    house_rules = models.TextField(max_length=HOUSE_RULES_MAX, blank=True)
    house = models.OneToOneField("decks.BanList", models.PROTECT, null=True, related_name="group")
    created_at = models.DateTimeField()
    # Only where ``queries.find_group`` read it; ``group_view`` sets the last.
    visitors_role: str | None
    claims_waiting: int
    has_heroes: bool
    has_teams: bool
    visitor_may_run: bool

    class Meta:
        constraints = [
            models.CheckConstraint(name="group_has_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="group_ruleset_known", condition=Q(ruleset__in=sorted(RULESETS))
            ),
            models.CheckConstraint(
                name="group_visibility_known", condition=Q(visibility__in=Visibility.values)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_private(self) -> bool:
        return self.visibility == Visibility.PRIVATE

    @property
    def time_zone(self) -> tzinfo:
        # A name that this machine's database no longer has must not stop a tap that ends a set.
        with suppress(KeyError, ValueError, OSError):
            return ZoneInfo(self.zone)
        return UTC

    @property
    def format(self) -> str:
        return RULESETS[self.ruleset].format


class Membership(models.Model):
    """``may_choose``: it joined by an invitation, and has not chosen its player yet."""

    playgroup = models.ForeignKey(Playgroup, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)
    joined_at = models.DateTimeField()
    may_choose = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_membership_each", fields=["playgroup", "user"]),
            models.CheckConstraint(name="membership_role", condition=Q(role__in=Role.values)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.role}"


class AccountChoices(Row):
    """Without a row none is chosen. ``shows_playgroups``: the pages of its players name its other
    playgroups, to those who may find them."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="choices"
    )
    shows_playgroups = models.BooleanField(default=False, db_default=False)


class Invitation(Row):
    playgroup = models.ForeignKey(Playgroup, models.CASCADE, related_name="invitations")
    key_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="invitation_role", condition=Q(role__in=Role.values)),
            models.CheckConstraint(
                name="invitation_expires_later", condition=Q(expires_at__gt=F("created_at"))
            ),
        ]


class Player(Row):
    """A person, with or without an account. The player that this one is ``merged_into`` has its
    results until the merge is undone. Guests are left out of lists. ``key`` is null for players
    whom the version before this one added during an upgrade, until ``verify_ledger --repair``."""

    playgroup = models.ForeignKey(Playgroup, models.CASCADE, related_name="players")
    name = models.CharField(max_length=NAME_MAX)
    key = NameKey(null=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="players"
    )
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, related_name="merged")
    is_guest = models.BooleanField(default=False)

    # Only where a query of ``groups/`` counted or read it.
    finished: int
    is_taken: bool
    is_claimed: bool
    years: list[Any] | None
    attended: list[Any] | None

    class Meta:
        constraints = [
            # What lower case is differs by database; the version before this one goes by it.
            models.UniqueConstraint("playgroup", Lower("name"), name="player_name_once"),
            models.UniqueConstraint("playgroup", F("key"), name="player_key_once"),
            models.UniqueConstraint(name="one_player_each", fields=["playgroup", "user"]),
            models.CheckConstraint(name="player_has_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="player_merged_into_other",
                condition=Q(merged_into=None) | ~Q(merged_into=F("id")),
            ),
        ]


class Claim(models.Model):
    """An account claims a player, at most one in each playgroup, until an owner confirms it."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="claims")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="claims")
    claimed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="one_claim_each", fields=["player", "user"])]

    def __str__(self) -> str:
        return f"{self.user_id} is {self.player_id}"


class Season(models.Model):
    """A range of a playgroup's days, both ends included."""

    playgroup = models.ForeignKey(Playgroup, models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=NAME_MAX)
    starts_on = models.DateField()
    ends_on = models.DateField()

    class Meta:
        ordering = ("-starts_on",)
        constraints = [
            models.UniqueConstraint("playgroup", Lower("name"), name="season_name_once"),
            models.UniqueConstraint(name="season_start_once", fields=["playgroup", "starts_on"]),
            models.CheckConstraint(name="season_has_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="season_ends_after_start", condition=Q(ends_on__gte=F("starts_on"))
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def covers(self, day: date) -> bool:
        return self.starts_on <= day <= self.ends_on
