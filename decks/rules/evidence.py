"""How decks with a card did beside those without it, with intervals: pure sums of finished sets."""

from dataclasses import dataclass
from math import sqrt

TOO_FEW = 30  # games: below, chance says more than the card
SURE = 1.96  # standard errors on either side, for intervals of 95 %

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """``points`` are VP; squares and products are of a player's set each, summed over the sets."""

    sets: int = 0
    won: int = 0
    games: int = 0
    points: int = 0
    points_squared: int = 0
    games_squared: int = 0
    points_by_games: int = 0

    @property
    def is_too_few(self) -> bool:
        return self.games < TOO_FEW

    @property
    def points_per_game(self) -> float:
        return self.points / self.games

    @property
    def points_interval(self) -> Interval:
        """The interval of VP per game, each player's set being a draw from many.

        >>> sums = Sums(sets=2, games=6, points=30, points_squared=500, games_squared=18,
        ...             points_by_games=90)
        >>> [round(end, 2) for end in sums.points_interval]
        [1.73, 8.27]
        """
        mean = self.points_per_game
        off = self.points_squared - 2 * mean * self.points_by_games + mean**2 * self.games_squared
        spread = max(off, 0) * self.sets / max(self.sets - 1, 1)
        error = SURE * sqrt(spread) / self.games
        return max(mean - error, 0), mean + error

    @property
    def share_won(self) -> float:
        return self.won / self.sets

    @property
    def share_interval(self) -> Interval:
        """The interval of the share of sets won, by Wilson's score.

        >>> [round(end, 3) for end in Sums(sets=10, won=5).share_interval]
        [0.237, 0.763]
        """
        share, square = self.share_won, SURE**2 / self.sets
        centre = (share + square / 2) / (1 + square)
        error = sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
        return centre - error, centre + error
