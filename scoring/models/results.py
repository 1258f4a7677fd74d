"""The players' results of finished sets, rebuilt from the record whenever it is corrected."""

from django.db import models
from django.db.models import F, Q

from coalition_site.lib.rows import Row

from ..rules.formats import RULESETS
from .people import Player
from .record import CARD_MAX, SEATS_MAX, GameSet, Seat

# Nobody has won a set in which all share first place with nothing.
WON = Q(rank=1) & (Q(victory_points__gt=0) | Q(games_won__gt=0))


class SetResult(Row):
    """Rebuilt when the set is corrected."""

    game_set = models.ForeignKey(GameSet, models.CASCADE, related_name="results")
    seat = models.OneToOneField(Seat, models.CASCADE, related_name="result")
    rank = models.PositiveSmallIntegerField()
    victory_points = models.PositiveSmallIntegerField()
    # Those that the player missed count, those that nobody played don't.
    games_played = models.PositiveSmallIntegerField()
    games_won = models.PositiveSmallIntegerField()
    games_at_cap = models.PositiveSmallIntegerField()
    games_first = models.PositiveSmallIntegerField()
    points_first = models.PositiveSmallIntegerField()
    games_last = models.PositiveSmallIntegerField()
    points_last = models.PositiveSmallIntegerField()
    finished_at = models.DateTimeField()
    # Of the table.
    size = models.PositiveSmallIntegerField()
    hero = models.CharField(max_length=CARD_MAX, blank=True)
    coalition_type = models.CharField(max_length=CARD_MAX, blank=True)
    deck = models.ForeignKey("decks.Deck", models.PROTECT, null=True, related_name="+")
    # These three: see rules/recap.py.
    best_turn = models.PositiveSmallIntegerField(null=True)
    monarch_turns = models.PositiveSmallIntegerField(null=True)
    outlasted = models.PositiveSmallIntegerField(null=True)
    # The one into whom the seat's player is merged, if any.
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="results")
    # The day on which the set began, in the playgroup's zone.
    played_on = models.DateField(null=True)
    # The rating after the set, and the sets of the format won in a row; null where an older version
    # wrote the result, until verify_ledger --repair.
    mu = models.FloatField(null=True)
    sigma = models.FloatField(null=True)
    streak = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="result_rank_range", condition=Q(rank__range=(1, SEATS_MAX))
            ),
            models.CheckConstraint(
                name="result_games_won", condition=Q(games_won__lte=F("games_played"))
            ),
            models.UniqueConstraint(name="result_player", fields=["game_set", "player"]),
            models.CheckConstraint(
                name="result_of_player",
                condition=Q(player=None, played_on=None, mu=None, sigma=None)
                | Q(player__isnull=False, played_on__isnull=False),
            ),
        ]
        indexes = [
            models.Index(name="result_of_player_by_time", fields=["player", "finished_at"]),
            models.Index(name="result_of_player_by_day", fields=["player", "played_on"]),
            models.Index(name="result_by_points", fields=["player", "victory_points"]),
            models.Index(name="result_by_best_turn", fields=["player", "best_turn"]),
            models.Index(name="result_by_streak", fields=["player", "streak"]),
            # The first release reads by the next two. They go in the release after this one.
            models.Index(name="result_of_hero", fields=["hero", "player"]),
            models.Index(name="result_of_type", fields=["coalition_type", "player"]),
            models.Index(name="result_with_hero", fields=["player", "hero", "finished_at"]),
            models.Index(
                name="result_with_type", fields=["player", "coalition_type", "finished_at"]
            ),
        ]

    @property
    def is_won(self) -> bool:
        return self.rank == 1 and (self.victory_points > 0 or self.games_won > 0)

    @property
    def has_points(self) -> bool:
        return RULESETS[self.game_set.ruleset].cap is not None

    @property
    def played(self) -> str:
        return RULESETS[self.game_set.ruleset].title

    @property
    def stood(self) -> str:
        """The player's result as text: VP, or for a format without VP whether the player won."""
        if self.has_points:
            return str(self.victory_points)
        return "won" if self.games_won else ""
