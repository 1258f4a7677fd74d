"""The catalogue: cards with their faces and affiliations, and the imports that bring them."""

from datetime import date

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone

from ..rules.creature_types import objection
from ..rules.entries import Section
from ..rules.rulesets import RULESETS

NAME_MAX = 200
TYPE_MAX = 40
NUMBER_MAX = 20  # characters of a printed power, toughness, loyalty or defense


def check_creature_type(name: str) -> None:
    if problem := objection(name):
        raise ValidationError(problem)


class CreatureType(models.Model):
    """A creature type that cards can be affiliated with; ``plural`` is empty if it is regular."""

    # What an editor says ``is_none`` stays, so that the next import doesn't add it again.
    name = models.CharField(max_length=TYPE_MAX, unique=True, validators=[check_creature_type])
    plural = models.CharField(max_length=TYPE_MAX, blank=True, validators=[check_creature_type])
    is_none = models.BooleanField(
        "is no creature type",
        default=False,
        db_default=False,
        help_text="Cards print it, but it gives them no affiliation.",
    )

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Legality(models.TextChoices):
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
    ``rules_key`` and ``text_key`` are its text without and with reminders, as it is searched.
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
    rules_key = models.TextField(blank=True, db_default="", editable=False)
    text_key = models.TextField(blank=True, db_default="", editable=False)
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

    ``power`` to ``defense`` are texts such as "1+*", empty where nothing is printed, and
    ``power_value`` to ``defense_value`` the numbers that these count as. ``pictures`` the
    addresses of its pictures by size, as the card file names them; null if it names none. Halves
    that share a picture have it on the first. ``flavor_name`` is printed instead of the name.
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
    power_value = models.FloatField(null=True, editable=False)
    toughness_value = models.FloatField(null=True, editable=False)
    loyalty_value = models.FloatField(null=True, editable=False)
    defense_value = models.FloatField(null=True, editable=False)
    pictures = models.JSONField(null=True)
    artist = models.CharField(max_length=NAME_MAX, blank=True, db_default="")
    flavor_name = models.CharField(max_length=NAME_MAX, blank=True, db_default="")

    class Meta:
        ordering = ("card", "position")
        constraints = (models.UniqueConstraint(name="face_place", fields=["card", "position"]),)

    def __str__(self) -> str:
        return self.name


class Affiliation(models.Model):
    card = models.ForeignKey(Card, models.CASCADE, related_name="affiliations")
    creature_type = models.ForeignKey(CreatureType, models.CASCADE, related_name="affiliations")

    class Meta:
        constraints = (
            models.UniqueConstraint(name="affiliation_once", fields=["creature_type", "card"]),
        )

    def __str__(self) -> str:
        return f"{self.card_id}: {self.creature_type_id}"


class CardImport(models.Model):
    """An import of cards; ``decks`` counts those whose latest revision has a changed card."""

    imported_at = models.DateTimeField(auto_now_add=True)
    as_of = models.DateField()
    cards = models.PositiveIntegerField()
    new = models.PositiveIntegerField()
    texts = models.PositiveIntegerField()
    affiliations = models.PositiveIntegerField()
    legalities = models.PositiveIntegerField()
    decks = models.PositiveIntegerField()
    # As Counts in catalogue/importing.py has it; null if the import is older than reports.
    report = models.JSONField(null=True)

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


def today() -> date:
    return timezone.now().date()  # in UTC: the same for every visitor


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
