"""Votes: in turn order from the caller, openly, without abstaining."""

from typing import ClassVar

from ... import fields
from ...effects import Effect, GameChanged
from ...engine import Story, require_in_game
from ...errors import RuleError
from ...move import Move
from ...state import GameState, changed
from ...words import Sentence, series
from .state import DILEMMA, WILL, Ballot, ConspiracyGame, Vote, game_of, result, standing


class VoteFirst(RuleError):
    text = "Finish the vote first: it is {player}'s turn to vote."


class NoVote(RuleError):
    text = "There is no vote now."
    advice = "Call one first."


class OthersVote(RuleError):
    text = "Votes go in turn order: it is {player}'s turn to vote."


class NotAnOption(RuleError):
    text = "That is not one of the options: {options}."


class OthersCall(RuleError):
    text = "It is {player}'s turn, so {player} calls the votes."
    advice = "The scorekeeper can call one for anybody."


class VoteDecided(Effect):
    """Everybody has voted; ``tally`` is in the stated order."""

    kind: str
    tally: tuple[tuple[str, int], ...]

    def applied(self, state: GameState) -> GameState:
        finished = tuple(vote._replace(finished=True) for vote in game_of(state).council)
        return changed(game_of(state), council=finished)

    def sentence(self) -> Sentence:
        return [result(self.kind, self.tally)]


class CallVote(Move):
    """A player's card lets everybody vote; ``player`` is its controller, and votes first."""

    type: ClassVar[str] = "vote_called"
    title: ClassVar[str] = "Who calls a vote?"

    player: int = fields.seat("Who calls it, and votes first")
    kind: str = fields.choice("Kind", (WILL, DILEMMA))
    options: tuple[str, ...] = fields.texts("Options, one per line", fewest=2, most=10)
    card: str = fields.text("Card (optional)", may_lack=True)

    def hinges(self, active: str) -> tuple[str, ...]:
        return ("turn",)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        vote = Vote(self.player, self.kind, self.options, self.card)
        story.add(GameChanged({"council": (vote,), "ballots": ()}))

    def sentence(self) -> Sentence:
        why = f" for {self.card}" if self.card else ""
        return [self.player, f" calls a vote{why}, {self.kind}: {series(self.options, ' or ')}"]


class CastVote(Move):
    """``times`` over where a card gives extra votes. With ``more`` the player votes again next,
    maybe for something else."""

    type: ClassVar[str] = "vote"
    title: ClassVar[str] = "Who votes for what?"

    player: int = fields.seat("Whose vote")
    option: str = fields.text("For")
    times: int = fields.number("Votes", 1, 9, 1)
    chosen_by: int | None = fields.seat_or_nobody("Who chooses", "the player", None)
    more: bool = fields.flag("This player votes again")

    def hinges(self, active: str) -> tuple[str, ...]:
        return "turn", "vote"

    def decide(self, story: Story) -> None:
        state = game_of(story.state)
        if state.vote is None or state.votes_next is None:
            raise NoVote()
        require_in_game(state, self.player, *([self.chosen_by] if self.chosen_by else []))
        if self.player != state.votes_next:
            raise OthersVote(player=state.votes_next)
        if self.option not in state.vote.options:
            raise NotAnOption(options=series(state.vote.options))
        ballot = Ballot(self.player, self.option, self.times, self.chosen_by, self.more)
        chose = state.chose if self.chosen_by in (None, self.player) else self.chosen_by
        story.add(GameChanged({"ballots": (*state.ballots, ballot), "chose": chose}))
        close(story)

    def sentence(self) -> Sentence:
        often = f", {self.times} votes" if self.times > 1 else ""
        parts: Sentence = [self.player, f" votes for {self.option}{often}"]
        if self.chosen_by not in (None, self.player):
            parts += [", chosen by ", self.chosen_by]
        return [*parts, ", and votes again"] if self.more else parts


def due(state: ConspiracyGame) -> list[Sentence]:
    vote, voter = state.vote, state.votes_next
    if vote is None:
        return []
    if voter is None:
        return [[state.verdict]]
    called = f"{vote.card}: " if vote.card else ""
    again = " again" if state.votes_again else ""
    return [[called, voter, f" votes{again} {standing(state.tally)}"]]


def close(story: Story) -> None:
    state = game_of(story.state)
    if state.vote and state.votes_next is None:
        story.add(VoteDecided(state.vote.kind, state.tally))
