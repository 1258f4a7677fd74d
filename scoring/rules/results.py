"""The result of a game that nobody scored, from a notebook or from memory, as one move."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import ClassVar

from . import errors, fields
from .effects import (
    Ending,
    GameChanged,
    GameDrawn,
    GameWon,
    Leaving,
    PlayerLeft,
    PointsScored,
    Reason,
    ended_by,
)
from .engine import Story
from .move import Move
from .ruleset import Ruleset
from .state import GameState, new_game
from .words import Sentence, listed

POINTS_MAX = 99  # that can be typed; what a game gives at most is for the rules to say


class How(StrEnum):
    """How a game ended, as it stands in ``ended_by``."""

    NOT_NOTED = Ending.NOT_NOTED
    VICTORY_POINTS = Ending.VICTORY_POINTS
    LAST_STANDING = Ending.LAST_STANDING
    CONCEDED_TO = Ending.CONCEDED_TO
    CARD_EFFECT = "card effect"
    ALL_LOST = Ending.ALL_LOST
    AGREED = "agreed"
    TIME = "time"


OF_WINS = (How.VICTORY_POINTS, How.LAST_STANDING, How.CONCEDED_TO, How.CARD_EFFECT, How.NOT_NOTED)
OF_TIES = (How.VICTORY_POINTS, How.ALL_LOST, How.AGREED, How.TIME, How.NOT_NOTED)


def _in_words(how: str) -> str:
    """
    >>> _in_words("victory points"), _in_words("conceded to")
    ('Victory points', 'All opponents conceded')
    """
    return (how if how == How.VICTORY_POINTS else ended_by(how, None)).capitalize()


class EnterResult(Move):
    """It has the VP that notebooks have: at the end, the winner's bonus included. ``conceded`` are
    those who conceded with the penalty."""

    type: ClassVar[str] = "result"
    title: ClassVar[str] = "Enter this game’s result"

    day: str = fields.day("Played on")
    points: Mapping[int, int] = fields.points("VP, bonus included", POINTS_MAX)
    winner: int | None = fields.seat_or_nobody("Winner", "A tie")
    how: How = fields.choice("How it ended", How, How.NOT_NOTED, _in_words)
    conceded: tuple[int, ...] = fields.seats("Who conceded, before the end", may_lack=True)

    def decide(self, story: Story) -> None:
        state = story.state
        if state != new_game(state.ruleset, tuple(state.players)):
            raise errors.GameHasEvents()
        staying = self._require_conceded(state)
        reached = self._require_points(state.ruleset, staying)
        for seat, points in sorted(self.points.items()):  # PostgreSQL's JSON keeps no order
            if points:
                story.add(PointsScored(seat, Reason.ENTERED, 0, points))
        for seat in self.conceded:
            story.add(PlayerLeft(seat, Leaving.CONCEDED, barred=True))
        for seat in staying:
            if seat != self.winner and self.how in _LEFT:
                story.add(PlayerLeft(seat, _LEFT[self.how]))
        story.add(GameChanged({"played_on": self.day}))
        how, cap = self.how.value, state.ruleset.cap
        if self.winner is None:
            story.add(GameDrawn(how, reached or staying, cap))
        else:
            story.add(GameWon(self.winner, how, state.side_of(self.winner), cap))

    def _require_conceded(self, state: GameState) -> tuple[int, ...]:
        """Return who did not concede."""
        for seat in state.players:
            if seat not in self.points:
                raise errors.PointsMissing(player=seat)
        for seat in self.conceded:
            if seat == self.winner:
                raise errors.WinnerConceded(player=seat)
            if self.points[seat]:
                raise errors.ConcededPoints(player=seat, points=self.points[seat])
        staying = tuple(seat for seat in state.players if seat not in self.conceded)
        if len(staying) < 2 and self.winner is None:
            raise errors.LastOneWins()
        return staying

    def _require_points(self, rules: Ruleset, staying: tuple[int, ...]) -> tuple[int, ...]:
        """Return who reached the cap, in a tie."""
        cap, won = rules.cap or 0, self.winner is not None
        is_known = self.how in (OF_WINS if won else OF_TIES)
        others = [seat for seat in staying if seat != self.winner]
        for seat in others:
            if self.points[seat] > cap:
                raise errors.OverCap(player=seat, points=self.points[seat], most=cap)
        reached = tuple(seat for seat in others if self.points[seat] == cap)
        nobody_did = {How.CONCEDED_TO: not others, How.VICTORY_POINTS: not (won or reached)}
        if not is_known or nobody_did.get(self.how):
            raise errors.EndsOtherwise(how=_in_words(self.how), game="won" if won else "tied")
        if len(reached) == 1 or (reached and won):
            raise errors.CapWins(player=reached[0], points=cap)
        if self.winner is not None:
            points, together = self.points[self.winner], self.how is How.CONCEDED_TO
            before = [cap] if self.how is How.VICTORY_POINTS else range(cap + 1)
            totals = sorted({own + rules.bonus(own, conceded_to=together) for own in before})
            if points not in totals:
                fits = f"{totals[0]} to {totals[-1]}" if totals[1:] else totals[0]
                raise errors.BonusDoesNotFit(player=self.winner, points=points, fits=fits)
        return reached

    def sentence(self) -> Sentence:
        """
        >>> EnterResult("2026-03-12", {1: 21, 2: 5, 3: 0}, 1, conceded=(3,)).sentence()
        ['Result entered, played on 12 March 2026: ', 1, ' 21 VP, ', 2, ' 5 VP, ', 3, ' conceded']
        """
        day = date.fromisoformat(self.day)
        parts: Sentence = [f"Result entered, played on {day.day} {day:%B %Y}: "]
        for seat, points in self.points.items():
            parts += [seat, " conceded, " if seat in self.conceded else f" {points} VP, "]
        return [*parts[:-1], str(parts[-1]).removesuffix(", ")]

    def brief(self) -> Sentence:
        return ["Result entered: ", *(listed([self.winner]) if self.winner else ["a tie"])]


_LEFT = {
    How.CONCEDED_TO: Leaving.CONCEDED,
    How.LAST_STANDING: Leaving.LOST,
    How.ALL_LOST: Leaving.LOST,
}
"""Why those who did not win had left the game, where its end says so."""
