"""Sums of results by day, month and year, so that leaderboards don't slow down over the years."""

from django.db import models
from django.db.models import F, Q

from .people import Player
from .record import CARD_MAX

SUMS = (
    "sets",
    "sets_won",
    "games",
    "victory_points",
    "games_won",
    "games_at_cap",
    "games_first",
    "points_first",
    "games_last",
    "points_last",
    "outlasted",
    "monarch_turns",
)


class Tally(models.Model):
    """The sums of a player's results of a day, month or year, by ruleset and table size.

    Rebuilt from the results whenever a result of that day changes.
    """

    class Span(models.TextChoices):
        DAY = "day"
        MONTH = "month"
        YEAR = "year"

    player = models.ForeignKey(Player, models.CASCADE, related_name="tallies")
    span = models.CharField(max_length=5, choices=Span)
    starts_on = models.DateField()
    ruleset = models.CharField(max_length=40)
    size = models.PositiveSmallIntegerField()
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

    def __str__(self) -> str:
        return f"{self.player_id}: {self.span} {self.starts_on}"


class Meeting(models.Model):
    """What the sets in which two players were opponents add up to, by ruleset.

    ``player`` was added before ``other``. ``ahead`` counts the sets in which the player ranked
    above the other, ``points`` and ``games`` are the player's.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="meetings")
    other = models.ForeignKey(Player, models.CASCADE, related_name="meetings_before")
    ruleset = models.CharField(max_length=40)
    sets = models.PositiveIntegerField()
    ahead = models.PositiveIntegerField()
    behind = models.PositiveIntegerField()
    points = models.PositiveIntegerField()
    games = models.PositiveIntegerField()
    others_points = models.PositiveIntegerField()
    others_games = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="meeting_once", fields=["player", "other", "ruleset"]),
            models.CheckConstraint(name="meeting_ordered", condition=Q(player__lt=F("other"))),
            models.CheckConstraint(name="meeting_has_sets", condition=Q(sets__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} and {self.other_id}: {self.sets}"


class HeroTally(models.Model):
    """What a player's results with a hero and a coalition type add up to, by ruleset."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="hero_tallies")
    ruleset = models.CharField(max_length=40)
    hero = models.CharField(max_length=CARD_MAX, blank=True)
    coalition_type = models.CharField(max_length=CARD_MAX, blank=True)
    sets = models.PositiveIntegerField()
    sets_won = models.PositiveIntegerField()
    games = models.PositiveIntegerField()
    victory_points = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "hero tallies"
        constraints = [
            models.UniqueConstraint(
                name="hero_tally_once", fields=["player", "ruleset", "hero", "coalition_type"]
            ),
            models.CheckConstraint(name="hero_tally_has_sets", condition=Q(sets__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.hero}, {self.coalition_type}"


class DeckTally(models.Model):
    """What a player's results with a deck add up to, by ruleset."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    deck = models.ForeignKey("decks.Deck", models.PROTECT, related_name="+")
    ruleset = models.CharField(max_length=40)
    sets = models.PositiveIntegerField()
    sets_won = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "deck tallies"
        constraints = [
            models.UniqueConstraint(name="deck_tally_once", fields=["player", "deck", "ruleset"]),
            models.CheckConstraint(name="deck_tally_has_sets", condition=Q(sets__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.deck_id}"


class TeamTally(models.Model):
    """What the games add up to in which two or three players sat in one team, by ruleset.

    They were added in this order; without a ``third`` they are two. ``size`` is the number of
    players that their whole team had.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    mate = models.ForeignKey(Player, models.CASCADE, related_name="+")
    third = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    ruleset = models.CharField(max_length=40)
    size = models.PositiveSmallIntegerField()
    sets = models.PositiveIntegerField()
    games = models.PositiveIntegerField()
    games_won = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "team tallies"
        constraints = [
            models.UniqueConstraint(
                name="pair_once",
                fields=["player", "mate", "ruleset", "size"],
                condition=Q(third=None),
            ),
            models.UniqueConstraint(
                name="three_once", fields=["player", "mate", "third", "ruleset", "size"]
            ),
            models.CheckConstraint(
                name="team_ordered",
                condition=Q(player__lt=F("mate")) & (Q(third=None) | Q(third__gt=F("mate"))),
            ),
            models.CheckConstraint(name="team_tally_has_sets", condition=Q(sets__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}, {self.mate_id}, {self.third_id}: {self.sets}"
