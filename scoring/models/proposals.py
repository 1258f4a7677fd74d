"""What players propose to the scorekeeper, on their own phones."""

from django.db import models
from django.db.models import Q

from coalition_site.lib.rows import Row

from .record import Game, GameSet, Seat


class Answer(models.TextChoices):
    TAKEN = "taken"
    LEFT = "left"  # by the scorekeeper
    DROPPED = "dropped"  # by the player: taken back, or put away after it was left


class Proposal(Row):
    """It waits while it has no ``answer``, and stays after that: the same tap sent again is not
    another. ``move`` has the form of a set log's event, players named by seat number."""

    game_set = models.ForeignKey(GameSet, models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, models.CASCADE, related_name="proposals")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    tap_id = models.UUIDField()
    move = models.JSONField()
    answer = models.CharField(max_length=8, choices=Answer, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="proposal_counts_once", fields=["game_set", "tap_id"]),
            models.CheckConstraint(
                name="proposal_answer_known", condition=Q(answer__in=["", *Answer.values])
            ),
        ]
