"""The final tables of seasons, which stay as they were when the season was closed."""

from django.db import models
from django.db.models import Q

from coalition_site.lib.rows import Row

from .people import Player, Season
from .tallies import Sums


class SeasonTable(Row):
    """Corrections of the season's sets leave it as it is; an owner may close the season again."""

    season = models.OneToOneField(Season, models.CASCADE, related_name="table")
    closed_at = models.DateTimeField()
    format = models.CharField(max_length=40)


class SeasonPlace(Sums):
    """``rank`` is null below the number of sets that a rank takes. The rating is that before the
    season's first set, null for a newcomer, and that after its last."""

    table = models.ForeignKey(SeasonTable, models.CASCADE, related_name="places")
    # Names are the players' own, so that a name that has to go goes from old tables too.
    player = models.ForeignKey(Player, models.RESTRICT, related_name="season_places")
    rank = models.PositiveSmallIntegerField(null=True)
    mu_before = models.FloatField(null=True)
    mu = models.FloatField(null=True)
    sigma = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="season_place_once", fields=["table", "player"]),
            models.CheckConstraint(name="season_place_has_sets", condition=Q(sets__gt=0)),
        ]
