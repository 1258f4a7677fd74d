"""The ban lists with their history, and what editors announce; entries are never deleted."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from ..rules.names import name_key
from ..rules.rulesets import COALITION_906, FORMAT_NAMES, RULESETS, is_by_name
from .cards import NAME_MAX, Card

FORMATS = ("coalition", "leveler")  # of the lists that the first migration brings
TITLE_MAX = 120
LIST_FORMATS = sorted({ruleset.format for ruleset in RULESETS.values()})
STATUS_MAX = 12


@dataclass(frozen=True)
class NamedCard:
    """A card that is in no catalogue; names that differ in case or accents are the same card's."""

    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedCard) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> str:
        return name_key(self.name)


class Playing(models.TextChoices):
    ALLOW = "allow", "Allow it"
    WARN = "warn", "Warn, and let it be played"
    REFUSE = "refuse", "Refuse it"


class BanList(models.Model):
    """A format's ban list, or a playgroup's house bans on top of it (``base``)."""

    key = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    format = models.CharField(
        max_length=20, choices={key: FORMAT_NAMES[key] for key in LIST_FORMATS}
    )
    base = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="houses")
    illegal_decks = models.CharField(max_length=8, choices=Playing, default=Playing.WARN)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                name="one_list_per_format", fields=["format"], condition=Q(base=None)
            ),
            models.CheckConstraint(name="list_format_known", condition=Q(format__in=LIST_FORMATS)),
            models.CheckConstraint(
                name="list_playing_known", condition=Q(illegal_decks__in=Playing.values)
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_by_name(self) -> bool:
        return is_by_name(self.format)

    @property
    def has_pool(self) -> bool:
        """Whether its decks are built of the cards that Vintage knows."""
        return self.format == COALITION_906.format

    @property
    def lists(self) -> list[int]:
        """The keys of the lists whose entries count on this one: its own, and its base list's."""
        return [key for key in (self.pk, self.base_id) if key]


class Status(models.TextChoices):
    BANNED = "banned"
    WATCHED = "watched"
    ALLOWED = "allowed"
    RESTRICTED = "restricted"


class Rule(models.TextChoices):
    """The batch rules: the groups of cards that an entry can cover instead of a single card."""

    RESERVED_LIST = "reserved-list", "Reserved list"
    CONSPIRACY = "conspiracy", "Conspiracies"
    ANTE = "ante", "Ante"
    STICKERS = "stickers-attractions", "Stickers and Attractions"
    OFFENSIVE = "offensive", "Depictions"
    NAMED = "named", "Named cards"


NAMED_RULES = (Rule.OFFENSIVE, Rule.NAMED)
TOOK_EFFECT = ~Q(ends_on=F("starts_on"))  # an entry replaced on its first day never did

# An entry or a line of an announcement is about a card, a rule or a name.
IS_ABOUT_ONE = (
    Q(card__isnull=False, rule="", named="")
    | (Q(card=None, named="") & ~Q(rule=""))
    | (Q(card=None, rule="") & ~Q(named=""))
)

Subject = Card | Rule | NamedCard


class AboutOne(models.Model):
    """A row about a card, a rule or a name; ``reason`` is why."""

    card: Any
    rule = models.CharField(max_length=24, choices=Rule, blank=True)
    named = models.CharField(max_length=NAME_MAX, blank=True, db_default="")
    status: Any
    reason = models.TextField(blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.name}: {self.status}"

    @property
    def subject(self) -> Subject:
        return self.card or (NamedCard(self.named) if self.named else Rule(self.rule))

    @property
    def name(self) -> str:
        return name_of(self.subject)


class BanEntry(AboutOne):
    """What a list does with a card, or with all cards of a batch rule, during some time.

    An entry is in force from ``starts_on`` until the day before ``ends_on``, which is null if no
    end is planned. Entries are ended, never deleted, so that the list of any past day can be shown.
    ``cards`` are those of a rule that names its cards (``NAMED_RULES``). ``named`` is a card that
    is in no catalogue, and ``named_key`` what its name is looked up by.
    """

    ban_list = models.ForeignKey(BanList, models.PROTECT, related_name="entries")
    card = models.ForeignKey(Card, models.PROTECT, null=True, blank=True, related_name="entries")
    cards = models.ManyToManyField(Card, blank=True, related_name="batch_entries")
    named_key = models.CharField(max_length=NAME_MAX, blank=True, db_default="", editable=False)
    status = models.CharField(max_length=STATUS_MAX, choices=Status, default=Status.BANNED)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "ban entries"
        ordering = ("card__name", "rule", "-starts_on")
        constraints = (
            models.CheckConstraint(name="entry_of_card_or_rule", condition=IS_ABOUT_ONE),
            models.CheckConstraint(
                name="entry_ends_after_start",
                condition=Q(ends_on=None) | Q(ends_on__gte=F("starts_on")),
            ),
            models.CheckConstraint(name="entry_rule_known", condition=Q(rule__in=["", *Rule])),
            models.CheckConstraint(
                name="entry_status_known", condition=Q(status__in=Status.values)
            ),
            # Two constraints, since an entry has either a card or a rule, and nulls never collide.
            models.UniqueConstraint(
                name="one_open_entry_per_card",
                fields=["ban_list", "card"],
                condition=Q(ends_on=None, card__isnull=False),
            ),
            models.UniqueConstraint(
                name="one_open_entry_per_rule",
                fields=["ban_list", "rule", "named_key"],
                condition=Q(ends_on=None, card=None),
            ),
        )


def name_of(subject: Subject) -> str:
    return subject.label if isinstance(subject, Rule) else subject.name


def columns_of(subject: Subject) -> dict[str, Any]:
    """Return what an entry or a line of an announcement stores of what it is about."""
    named = subject if isinstance(subject, NamedCard) else None
    return {
        "card": subject if isinstance(subject, Card) else None,
        "rule": subject if isinstance(subject, Rule) else "",
        "named": named.name if named else "",
        "named_key": named.key if named else "",
    }


class Announced(models.TextChoices):
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


class AnnouncementLine(AboutOne):
    """What an announcement says of a card or a group; publishing it makes the entries."""

    announcement = models.ForeignKey(Announcement, models.CASCADE, related_name="lines")
    card = models.ForeignKey(Card, models.PROTECT, null=True, related_name="announced")
    cards = models.ManyToManyField(Card, related_name="+")
    named_key = models.CharField(max_length=NAME_MAX, blank=True, db_default="")
    status = models.CharField(max_length=STATUS_MAX, choices=Announced, default=Announced.BANNED)

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
