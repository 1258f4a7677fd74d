"""Sums of results by day, month and year, so that leaderboards don't slow down over the years."""

from django.db import models
from django.db.models import Q

from coalition_site.lib.rows import Row

from .people import Player


class Sums(Row):
    sets = models.PositiveIntegerField()
    sets_won = models.PositiveIntegerField()
    games = models.PositiveIntegerField()
    victory_points = models.PositiveIntegerField()
    games_won = models.PositiveIntegerField()
    games_at_cap = models.PositiveIntegerField()
    games_first = models.PositiveIntegerField()
    points_first = models.PositiveIntegerField()
    games_last = models.PositiveIntegerField()
    points_last = models.PositiveIntegerField()
    outlasted = models.PositiveIntegerField(db_default=0)
    monarch_turns = models.PositiveIntegerField(db_default=0)

    class Meta:
        abstract = True


SUMS = tuple(field.name for field in Sums._meta.local_fields)


class Tally(Sums):
    """The sums of a player's results by ruleset and table size; rebuilt when a result changes."""

    class Span(models.TextChoices):
        DAY = "day"
        MONTH = "month"
        YEAR = "year"

    player = models.ForeignKey(Player, models.CASCADE, related_name="tallies")
    span = models.CharField(max_length=5, choices=Span)
    starts_on = models.DateField()
    ruleset = models.CharField(max_length=40)
    size = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(
                name="tally_once", fields=["player", "span", "starts_on", "ruleset", "size"]
            ),
            models.CheckConstraint(
                name="tally_span", condition=Q(span__in=("day", "month", "year"))
            ),
            models.CheckConstraint(name="tally_has_sets", condition=Q(sets__gt=0)),
        ]
