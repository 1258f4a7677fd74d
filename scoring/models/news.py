"""News that goes out: a playgroup's webhook, what it was sent, and links of calendars."""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from coalition_site.lib.rows import Row

from .people import Membership, Playgroup

OUTCOME_MAX = 200


class Webhook(Row):
    """``address_box`` and ``secret_box`` are encrypted: addresses of Discord contain a secret, too.
    ``site`` is this site's own address as its owner's browser knows it. ``failing_since`` is
    when the first of the latest failures was; null once something arrived."""

    class Form(models.TextChoices):
        JSON = "json", "JSON, signed, for a program of your own"
        DISCORD = "discord", "A message in a Discord channel"

    playgroup = models.OneToOneField(Playgroup, models.CASCADE, related_name="webhook")
    form = models.CharField(max_length=8, choices=Form)
    address_box = models.TextField()
    host = models.CharField(max_length=255)
    secret_box = models.TextField(blank=True)
    site = models.CharField(max_length=300)
    created_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True)
    switched_off_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="webhook_json_is_signed",
                condition=(Q(form="json") & ~Q(secret_box="")) | Q(form="discord"),
            ),
        ]


class Delivery(Row):
    """Something to send to a webhook or by mail; it waits while there is ``next_at``. ``subject``
    is the key of the set, evening or announcement. ``body`` is written at the first try, and the
    same for all. ``outcome`` is how the last try went; ``took`` is in milliseconds."""

    class Kind(models.TextChoices):
        SET = "set", "Result of a set"
        EVENING = "evening", "Standings of an evening"
        BANS = "bans", "Announcement of a ban list"
        REMINDER = "reminder", "Reminder of an evening"
        TEST = "test", "Test"
        RESET = "reset", "New password"

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        DELIVERED = "delivered", "Delivered"
        GIVEN_UP = "given up", "Not delivered"
        REPLACED = "replaced", "Replaced by a later one"

    webhook = models.ForeignKey(Webhook, models.CASCADE, null=True, related_name="deliveries")
    email = models.EmailField(blank=True, db_default="")
    site = models.TextField(blank=True, db_default="")
    number = models.UUIDField(default=uuid4, unique=True)
    kind = models.CharField(max_length=8, choices=Kind)
    subject = models.BigIntegerField(null=True)
    is_correction = models.BooleanField(default=False)
    queued_at = models.DateTimeField(default=timezone.now)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    next_at = models.DateTimeField(null=True, default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    took = models.PositiveIntegerField(null=True)
    outcome = models.CharField(max_length=OUTCOME_MAX, blank=True)
    body = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="delivery_waits_for_a_time",
                condition=Q(status="waiting", next_at__isnull=False)
                | (~Q(status="waiting") & Q(next_at=None)),
            ),
            models.CheckConstraint(
                name="delivery_goes_somewhere",
                condition=Q(webhook__isnull=False, email="") | (Q(webhook=None) & ~Q(email="")),
            ),
        ]
        indexes = [
            models.Index(
                name="delivery_due", fields=["next_at"], condition=Q(next_at__isnull=False)
            ),
        ]


class CalendarLink(Row):
    """A secret address: calendars can't sign in. It ends with the membership."""

    membership = models.OneToOneField(Membership, models.CASCADE, related_name="calendar_link")
    key_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
