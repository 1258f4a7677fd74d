"""Evenings: who is there, the rounds, and the tables of each round."""

from django.db import models
from django.db.models import F, Q

from coalition_site.lib.rows import Row

from ..rules.formats import RULESETS
from ..rules.ruleset import Ruleset
from ..setlog.document import NAME_MAX
from .people import Player, Playgroup
from .record import GameSet

ROUNDS_MAX = 20
MINUTES_MAX = 600
SMALLEST, LARGEST = 2, 8  # people at a table


class Evening(Row):
    """``number`` counts the playgroup's evenings. ``rounds_planned`` is no bound. ``minutes`` is
    null without a clock. Who sits where is drawn from ``seed``. ``tap_id`` is the tap that
    planned it, so that a repeated tap plans no second evening. ``invitation`` tells its links for
    those who say that they come; null as long as there is none."""

    playgroup = models.ForeignKey(Playgroup, models.CASCADE, related_name="evenings")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=NAME_MAX)
    ruleset = models.CharField(max_length=40, choices={key: key for key in RULESETS})
    rounds_planned = models.PositiveSmallIntegerField()
    usual_size = models.PositiveSmallIntegerField()
    minutes = models.PositiveSmallIntegerField(null=True)
    seed = models.BigIntegerField()
    tap_id = models.UUIDField(null=True)
    invitation = models.PositiveIntegerField(null=True)
    starts_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("-starts_at", "-number")
        constraints = [
            models.UniqueConstraint(name="evening_number", fields=["playgroup", "number"]),
            models.UniqueConstraint(name="evening_counts_once", fields=["playgroup", "tap_id"]),
            models.CheckConstraint(name="evening_has_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="evening_ruleset_known", condition=Q(ruleset__in=sorted(RULESETS))
            ),
            models.CheckConstraint(
                name="evening_rounds", condition=Q(rounds_planned__range=(1, ROUNDS_MAX))
            ),
            models.CheckConstraint(
                name="evening_usual_size", condition=Q(usual_size__range=(SMALLEST, LARGEST))
            ),
            models.CheckConstraint(
                name="evening_minutes",
                condition=Q(minutes=None) | Q(minutes__range=(1, MINUTES_MAX)),
            ),
        ]

    @property
    def rules(self) -> Ruleset:
        return RULESETS[self.ruleset]


class Attendee(Row):
    """A player who came to an evening; whoever left is not ``here`` and sits in no later round."""

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="attendees")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    here = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(name="attendee_once", fields=["evening", "player"])]


class Round(Row):
    """Paired again only before it has begun. ``repeats``, ``fewest`` and ``spread`` are how good
    its tables are (``rules/pods.py``), null once its people are others, or sit elsewhere.
    ``before`` is how they sat before the last change: of each table its number, its set if it had
    one, and the keys of its players. ``clock_added`` is in seconds: what was added to its time,
    pauses included."""

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    draws = models.PositiveSmallIntegerField(default=1)
    repeats = models.PositiveIntegerField(null=True)
    fewest = models.PositiveIntegerField(null=True)
    spread = models.PositiveIntegerField(null=True)
    before = models.JSONField(null=True)
    begun_at = models.DateTimeField(null=True)
    clock_added = models.IntegerField(default=0, db_default=0)
    paused_at = models.DateTimeField(null=True)
    clock_stopped = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(name="round_number", fields=["evening", "number"]),
            models.CheckConstraint(
                name="round_number_range", condition=Q(number__range=(1, ROUNDS_MAX))
            ),
            models.CheckConstraint(
                name="round_paused_once_begun",
                condition=Q(paused_at=None) | Q(begun_at__isnull=False),
            ),
            models.CheckConstraint(
                name="round_is_measured",
                condition=Q(repeats=None, fewest=None, spread=None)
                | Q(
                    repeats__isnull=False,
                    repeats__gte=F("fewest"),
                    fewest__isnull=False,
                    spread__isnull=False,
                ),
            ),
        ]


class Place(Row):
    """``table`` counts from 1, 0 for a bye; ``position`` is in turn order of the first game."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="places")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    table = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("table", "position")
        constraints = [
            models.UniqueConstraint(name="place_once", fields=["round", "player"]),
            models.UniqueConstraint(name="place_alone", fields=["round", "table", "position"]),
        ]


class RoundTable(Row):
    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    game_set = models.OneToOneField(GameSet, models.PROTECT, related_name="round_table")

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(name="round_table_number", fields=["round", "number"]),
        ]
