"""What editors announce for a ban list, and the drafts of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .bans import IS_ABOUT_ONE, STATUS_MAX, BanList, Rule, Subject, name_of, subject_of
from .cards import NAME_MAX, Card

TITLE_MAX = 120


class Announced(models.TextChoices):
    """What an announcement says of a card: a status of an entry, or that it has none any more."""

    BANNED = "banned"
    WATCHED = "watched"
    ALLOWED = "allowed"
    RESTRICTED = "restricted"
    LEGAL = "legal"


class Announcement(models.Model):
    """What the editors of a ban list announce for a day; a draft until ``published_at``.

    A list has one announcement a day. What it changes are the list's entries that start or end on
    that day, whoever entered them: a day without a row here has an announcement all the same,
    without words of its own. ``version`` counts the changes, so that no editor overwrites another.
    """

    ban_list = models.ForeignKey(BanList, models.PROTECT, related_name="announcements")
    on = models.DateField()
    title = models.CharField(max_length=TITLE_MAX)
    text = models.TextField(blank=True)
    tap_id = models.UUIDField(null=True, unique=True, editable=False)
    version = models.PositiveIntegerField(default=1)
    published_at = models.DateTimeField(null=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("on", "pk")
        constraints = (
            models.CheckConstraint(name="announcement_has_title", condition=~Q(title="")),
            models.UniqueConstraint(
                name="one_announcement_a_day",
                fields=["ban_list", "on"],
                condition=Q(published_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return self.title


class AnnouncementLine(models.Model):
    """What an announcement says of a card or of a group of cards, with the reason.

    Publishing it makes the entries. ``cards`` are those of a rule that names its cards; ``named``
    is a card that is in no catalogue, and ``named_key`` what its name is looked up by.
    """

    announcement = models.ForeignKey(Announcement, models.CASCADE, related_name="lines")
    card = models.ForeignKey(Card, models.PROTECT, null=True, related_name="announced")
    rule = models.CharField(max_length=24, choices=Rule, blank=True)
    cards = models.ManyToManyField(Card, related_name="+")
    named = models.CharField(max_length=NAME_MAX, blank=True, db_default="")
    named_key = models.CharField(max_length=NAME_MAX, blank=True, db_default="")
    status = models.CharField(max_length=STATUS_MAX, choices=Announced, default=Announced.BANNED)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ("announcement", "pk")
        constraints = (
            models.CheckConstraint(name="announced_card_or_rule", condition=IS_ABOUT_ONE),
            models.CheckConstraint(name="announced_rule_known", condition=Q(rule__in=["", *Rule])),
            models.CheckConstraint(
                name="announced_status_known", condition=Q(status__in=Announced.values)
            ),
            models.UniqueConstraint(
                name="card_announced_once",
                fields=["announcement", "card"],
                condition=Q(card__isnull=False),
            ),
            models.UniqueConstraint(
                name="rule_announced_once",
                fields=["announcement", "rule", "named_key"],
                condition=Q(card=None),
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.status}"

    @property
    def subject(self) -> Subject:
        return subject_of(self.card, self.rule, self.named)

    @property
    def name(self) -> str:
        return name_of(self.subject)
