"""The card catalogue, the ban lists with their history, and the decks with their revisions."""

from datetime import date

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from .rules.creature_types import objection
from .rules.entries import Section
from .rules.rulesets import RULESETS

NAME_MAX = 200
TITLE_MAX = 120
NUMBER_MAX = 20  # characters of a printed power, toughness, loyalty or defense
FORMATS = sorted({ruleset.format for ruleset in RULESETS.values()})


def check_creature_type(name: str) -> None:
    """Refuse a name that can't be a creature type on a card."""
    if problem := objection(name):
        raise ValidationError(problem)


class CreatureType(models.Model):
    """A creature type that cards can be affiliated with; ``plural`` is empty if it is regular."""

    name = models.CharField(max_length=40, unique=True, validators=[check_creature_type])
    plural = models.CharField(max_length=40, blank=True, validators=[check_creature_type])

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Legality(models.TextChoices):
    """The legality of a card in an official format."""

    LEGAL = "legal"
    RESTRICTED = "restricted"
    BANNED = "banned"
    NOT_LEGAL = "not_legal"


POOL = (Legality.LEGAL, Legality.RESTRICTED, Legality.BANNED)  # a card's legality in Vintage


class Card(models.Model):
    """A card, with everything that the deck check and the finder need, worked out at import.

    Names are looked up by ``key`` and ``front_key``. ``is_creature`` to ``is_legendary`` describe
    the front face. ``copies`` is set if the card's own text allows more. ``identity`` has the
    letters of its colours, in the order of WUBRG; ``keywords`` are separated by commas.
    ``override_reason`` is set if an editor set its affiliations against its text.
    """

    oracle_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=NAME_MAX, db_index=True)
    key = models.CharField(max_length=NAME_MAX, db_index=True)
    front_key = models.CharField(max_length=NAME_MAX, db_index=True)
    layout = models.CharField(max_length=30)
    type_line = models.CharField(max_length=NAME_MAX)
    mana_cost = models.CharField(max_length=100, blank=True)
    mana_value = models.FloatField()
    identity = models.CharField(max_length=5, blank=True, db_default="")
    keywords = models.TextField(blank=True, db_default="")
    vintage = models.CharField(max_length=12, choices=Legality)
    legacy = models.CharField(max_length=12, choices=Legality)
    reserved = models.BooleanField()
    is_creature = models.BooleanField()
    is_land = models.BooleanField()
    is_basic = models.BooleanField()
    is_legendary = models.BooleanField()
    has_legendary_back = models.BooleanField()
    can_lead = models.BooleanField()
    copies = models.PositiveSmallIntegerField(null=True)
    is_conspiracy = models.BooleanField()
    uses_ante = models.BooleanField()
    uses_stickers = models.BooleanField()
    every_type = models.BooleanField()
    types = models.ManyToManyField(CreatureType, through="Affiliation", related_name="cards")
    override_reason = models.TextField(blank=True)
    imported_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        ordering = ("name",)
        indexes = (models.Index(name="card_by_mana_value", fields=["mana_value", "key"]),)
        constraints = (
            models.CheckConstraint(name="card_has_name", condition=~Q(name="") & ~Q(key="")),
            models.CheckConstraint(
                name="card_vintage_known", condition=Q(vintage__in=Legality.values)
            ),
            models.CheckConstraint(
                name="card_legacy_known", condition=Q(legacy__in=Legality.values)
            ),
        )

    def __str__(self) -> str:
        return self.name


class CardFace(models.Model):
    """One face of a card as printed; ``position`` counts from 0, the front.

    ``power`` to ``defense`` are texts such as "1+*", empty where nothing is printed. ``pictures``
    are the addresses of its pictures by size, as the card file names them; null if it names none.
    Halves that share a picture have it on the first.
    """

    card = models.ForeignKey(Card, models.CASCADE, related_name="faces")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=NAME_MAX)
    type_line = models.CharField(max_length=NAME_MAX)
    oracle_text = models.TextField(blank=True)
    mana_cost = models.CharField(max_length=100, blank=True, db_default="")
    colors = models.CharField(max_length=5, blank=True, db_default="")
    power = models.CharField(max_length=NUMBER_MAX, blank=True, db_default="")
    toughness = models.CharField(max_length=NUMBER_MAX, blank=True, db_default="")
    loyalty = models.CharField(max_length=NUMBER_MAX, blank=True, db_default="")
    defense = models.CharField(max_length=NUMBER_MAX, blank=True, db_default="")
    pictures = models.JSONField(null=True)
    artist = models.CharField(max_length=NAME_MAX, blank=True, db_default="")

    class Meta:
        ordering = ("card", "position")
        constraints = (models.UniqueConstraint(name="face_place", fields=["card", "position"]),)

    def __str__(self) -> str:
        return self.name


class Affiliation(models.Model):
    """A card's affiliation with a creature type."""

    card = models.ForeignKey(Card, models.CASCADE, related_name="affiliations")
    creature_type = models.ForeignKey(CreatureType, models.CASCADE, related_name="affiliations")

    class Meta:
        constraints = (
            models.UniqueConstraint(name="affiliation_once", fields=["creature_type", "card"]),
        )

    def __str__(self) -> str:
        return f"{self.card_id}: {self.creature_type_id}"


class CardImport(models.Model):
    """An import of cards: the day that its file describes, and how much it changed.

    ``decks`` counts those whose latest revision has a card that was changed.
    """

    imported_at = models.DateTimeField(auto_now_add=True)
    as_of = models.DateField()
    cards = models.PositiveIntegerField()
    new = models.PositiveIntegerField()
    texts = models.PositiveIntegerField()
    affiliations = models.PositiveIntegerField()
    legalities = models.PositiveIntegerField()
    decks = models.PositiveIntegerField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"Cards as of {self.as_of}"


class CatalogueVersion(models.Model):
    """A number that changes whenever the cards do, or the ban lists: see ``versions.py``."""

    part = models.CharField(max_length=8, primary_key=True)
    number = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.part}: {self.number}"


class Playing(models.TextChoices):
    """What happens when somebody brings an illegal deck to a game."""

    ALLOW = "allow", "Allow it"
    WARN = "warn", "Warn, and let it be played"
    REFUSE = "refuse", "Refuse it"


class BanList(models.Model):
    """A format's ban list, or a playgroup's house bans on top of it (``base``)."""

    key = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    format = models.CharField(max_length=20, choices={key: key.capitalize() for key in FORMATS})
    base = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="houses")
    illegal_decks = models.CharField(max_length=8, choices=Playing, default=Playing.WARN)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                name="one_list_per_format", fields=["format"], condition=Q(base=None)
            ),
            models.CheckConstraint(name="list_format_known", condition=Q(format__in=FORMATS)),
            models.CheckConstraint(
                name="list_playing_known", condition=Q(illegal_decks__in=Playing.values)
            ),
        )

    def __str__(self) -> str:
        return self.name


class Status(models.TextChoices):
    """What an entry of a ban list does with its cards."""

    BANNED = "banned"
    WATCHED = "watched"
    ALLOWED = "allowed"


class Rule(models.TextChoices):
    """The batch rules: the groups of cards that an entry can cover instead of a single card."""

    RESERVED_LIST = "reserved-list", "Reserved list"
    CONSPIRACY = "conspiracy", "Conspiracies"
    ANTE = "ante", "Ante"
    STICKERS = "stickers-attractions", "Stickers and Attractions"
    OFFENSIVE = "offensive", "Depictions"
    NAMED = "named", "Named cards"


NAMED_RULES = (Rule.OFFENSIVE, Rule.NAMED)


class BanEntry(models.Model):
    """What a list does with a card, or with all cards of a batch rule, during some time.

    An entry is in force from ``starts_on`` until the day before ``ends_on``, which is null if no
    end is planned. Entries are ended, never deleted, so that the list of any past day can be shown.
    ``cards`` are those of a rule that names its cards (``NAMED_RULES``).
    """

    ban_list = models.ForeignKey(BanList, models.PROTECT, related_name="entries")
    card = models.ForeignKey(Card, models.PROTECT, null=True, blank=True, related_name="entries")
    rule = models.CharField(max_length=24, choices=Rule, blank=True)
    cards = models.ManyToManyField(Card, blank=True, related_name="batch_entries")
    status = models.CharField(max_length=8, choices=Status, default=Status.BANNED)
    reason = models.TextField(blank=True)
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
            models.CheckConstraint(
                name="entry_of_card_or_rule",
                condition=Q(card__isnull=False, rule="") | (Q(card=None) & ~Q(rule="")),
            ),
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
                fields=["ban_list", "rule"],
                condition=Q(ends_on=None, card=None),
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.status}"

    @property
    def subject(self) -> Card | Rule:
        """The card or rule that the entry is about."""
        return self.card or Rule(self.rule)

    @property
    def name(self) -> str:
        return self.card.name if self.card else Rule(self.rule).label


class Announced(models.TextChoices):
    """What an announcement says of a card: a status of an entry, or that it has none any more."""

    BANNED = "banned"
    WATCHED = "watched"
    ALLOWED = "allowed"
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

    Publishing it makes the entries. ``cards`` are those of a rule that names its cards.
    """

    announcement = models.ForeignKey(Announcement, models.CASCADE, related_name="lines")
    card = models.ForeignKey(Card, models.PROTECT, null=True, related_name="announced")
    rule = models.CharField(max_length=24, choices=Rule, blank=True)
    cards = models.ManyToManyField(Card, related_name="+")
    status = models.CharField(max_length=8, choices=Announced, default=Announced.BANNED)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ("announcement", "pk")
        constraints = (
            models.CheckConstraint(
                name="announced_card_or_rule",
                condition=Q(card__isnull=False, rule="") | (Q(card=None) & ~Q(rule="")),
            ),
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
                fields=["announcement", "rule"],
                condition=Q(card=None),
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.status}"

    @property
    def subject(self) -> Card | Rule:
        """The card or rule that the line is about."""
        return self.card or Rule(self.rule)

    @property
    def name(self) -> str:
        return self.card.name if self.card else Rule(self.rule).label


def today() -> date:
    """Return today's date in UTC, which is the same for every visitor."""
    return timezone.now().date()


class Deck(models.Model):
    """A saved deck. It belongs to the account ``owner``, or else to whoever has its key.

    ``key_hash`` is the SHA-256 of that key, which opens nothing while there is an owner.
    ``opened_on`` is the day, in UTC, on which its page was last opened; null if unknown.
    """

    code = models.CharField(max_length=16, unique=True)
    name = models.CharField(max_length=80)
    key_hash = models.CharField(max_length=64, unique=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="decks"
    )
    created_at = models.DateTimeField()
    opened_on = models.DateField(null=True, default=today)

    class Meta:
        constraints = (models.CheckConstraint(name="deck_has_name", condition=~Q(name="")),)

    def __str__(self) -> str:
        return self.name


class DeckRevision(models.Model):
    """A saved state of a deck; ``text`` is the list as pasted, ``number`` counts from 1.

    ``coalition_type`` is what the player chose, empty to use the type that fits best. ``edits``
    counts the changes by single taps that it joins; null if the list was saved as a whole.
    """

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    ruleset = models.CharField(max_length=40, choices={key: key for key in RULESETS})
    coalition_type = models.CharField(max_length=40, blank=True)
    edits = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("deck", "number")
        constraints = (
            models.UniqueConstraint(name="revision_number", fields=["deck", "number"]),
            models.CheckConstraint(
                name="revision_ruleset_known", condition=Q(ruleset__in=sorted(RULESETS))
            ),
            models.CheckConstraint(name="revision_number_from_1", condition=Q(number__gte=1)),
        )

    def __str__(self) -> str:
        return f"{self.deck} {self.number}"

    @property
    def state(self) -> str:
        """What a page that shows this revision sends back, to notice changes made meanwhile."""
        return f"{self.number}.{self.edits or 0}"


class DeckLine(models.Model):
    """A line of a revision with a known card; ``line`` is its number in the text, from 1."""

    revision = models.ForeignKey(DeckRevision, models.CASCADE, related_name="lines")
    line = models.PositiveIntegerField()
    count = models.PositiveSmallIntegerField()
    card = models.ForeignKey(Card, models.PROTECT, related_name="deck_lines")
    section = models.CharField(
        max_length=10, choices={section.value: section.value for section in Section}
    )
    is_hero = models.BooleanField()

    class Meta:
        ordering = ("revision", "line", "pk")
        constraints = (
            models.CheckConstraint(name="line_count_range", condition=Q(count__range=(1, 999))),
            models.CheckConstraint(
                name="line_section_known",
                condition=Q(section__in=[section.value for section in Section]),
            ),
        )

    def __str__(self) -> str:
        return f"{self.count} {self.card_id}"
