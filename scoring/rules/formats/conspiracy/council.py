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

OPTIONS_MAX = 10


class VoteFirst(RuleError):
    text = "Finish the vote first: it is {player}'s turn to vote."


class NoVote(RuleError):
    text = "There is no vote now."
    advice = "Call one first."


class OthersVote(RuleError):
    text = "Votes go in turn order: it is {player}'s turn to vote."


class NotAnOption(RuleError):
    text = "That is not one of the options: {options}."


class TooFewOptions(RuleError):
    text = "A vote has two options at least, or each voter may name one."


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
    """A player's card lets everybody vote; ``player`` is its controller, and votes first. Where
    options are ``named`` as people vote, as for "a card name", ``options`` may lack."""

    type: ClassVar[str] = "vote_called"
    title: ClassVar[str] = "Who calls a vote?"

    player: int = fields.seat("Who calls it, and votes first")
    kind: str = fields.choice("Kind", (WILL, DILEMMA))
    options: tuple[str, ...] = fields.texts("Options, one per line", fewest=0, most=OPTIONS_MAX)
    card: str = fields.text("Card (optional)", may_lack=True)
    named: bool = fields.flag("Each voter may name another option")

    def hinges(self, active: str) -> tuple[str, ...]:
        return ("turn",)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if len(self.options) < 2 and not self.named:
            raise TooFewOptions()
        vote = Vote(self.player, self.kind, self.options, self.card, named=self.named)
        story.add(GameChanged({"council": (vote,), "ballots": ()}))

    def sentence(self) -> Sentence:
        why = f" for {self.card}" if self.card else ""
        options = [*self.options, *(["what each voter names"] if self.named else ())]
        return [self.player, f" calls a vote{why}, {self.kind}: {series(options, ' or ')}"]


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
        options = state.vote.options
        same = [each for each in options if each.casefold() == self.option.casefold()]
        option = self.option if self.option in options else (*same, self.option)[0]
        if option not in options:
            if not state.vote.named or len(options) >= OPTIONS_MAX:
                raise NotAnOption(options=series(options))
            vote = state.vote._replace(options=(*options, option))
            story.add(GameChanged({"council": (vote,)}))
        ballot = Ballot(self.player, option, self.times, self.chosen_by, self.more)
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
