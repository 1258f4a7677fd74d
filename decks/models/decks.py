"""Saved decks, with their revisions and the cards that those have."""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from ..rules.entries import Section
from ..rules.rulesets import RULESETS
from .cards import Card


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
