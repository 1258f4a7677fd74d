"""What is remarkable about finished sets, so that records are found without reading all of them."""

from django.db import models

from .people import Playgroup
from .record import GameSet


class SetFacts(models.Model):
    """The facts of a finished set that counts; rewritten with its results.

    ``highest`` is the most VP that somebody had, ``margin`` how many VP the first was ahead of the
    second, and ``best_turn`` the most VP of a player in one turn; all three are null where the
    format gives no VP. ``minutes`` is the length of its longest game. ``best_turn_game`` and
    ``minutes_game`` are the numbers of those games. ``streak`` is the longest of its results.
    ``conceded`` tells whether its last game was won because others conceded. ``playgroup`` and
    ``played_on`` are null outside of playgroups.
    """

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

    def __str__(self) -> str:
        return f"facts of {self.game_set_id}"
