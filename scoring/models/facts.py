"""What is remarkable about finished sets, so that records need not read all of them."""

from django.db import models

from coalition_site.lib.rows import Row

from .people import Playgroup
from .record import GameSet


class SetFacts(Row):
    """Rewritten with the set's results. ``highest``, ``margin`` (of the first over the second) and
    ``best_turn`` are VP, null in formats without. ``minutes`` is of its longest game. ``streak``
    is the longest of its results. ``conceded``: its last game was won because others conceded.
    ``playgroup`` and ``played_on`` are null outside of playgroups."""

    game_set = models.OneToOneField(GameSet, models.CASCADE, primary_key=True, related_name="facts")
    playgroup = models.ForeignKey(Playgroup, models.CASCADE, null=True, related_name="+")
    format = models.CharField(max_length=40)
    played_on = models.DateField(null=True)
    finished_at = models.DateTimeField()
    highest = models.PositiveSmallIntegerField(null=True)
    margin = models.PositiveSmallIntegerField(null=True)
    best_turn = models.PositiveSmallIntegerField(null=True)
    best_turn_game = models.PositiveSmallIntegerField(null=True)
    minutes = models.PositiveIntegerField()
    minutes_game = models.PositiveSmallIntegerField()
    streak = models.PositiveSmallIntegerField(null=True)
    conceded = models.BooleanField()

    class Meta:
        verbose_name_plural = "facts of sets"
        # Many sets share a value, and a record is that of the latest: these end with the set.
        indexes = [
            models.Index(name="facts_by_played_on", fields=["playgroup", "format", "played_on"]),
            *(
                models.Index(
                    name=f"facts_by_{field.removeprefix('-')}_and_set",
                    fields=["playgroup", "format", field, "game_set"],
                )
                for field in ("highest", "-margin", "best_turn", "minutes", "streak")
            ),
        ]
