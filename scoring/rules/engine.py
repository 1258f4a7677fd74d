"""What is common to all moves: ``decide(state, move) -> story``, with effects and the new state.

The order of things is that of the rules: points, life, state-based actions, marker and monarch,
the winner's bonus.
"""

from collections.abc import Mapping

from . import errors
from .effects import (
    Effect,
    Ending,
    GameDrawn,
    GameWon,
    Leaving,
    LifeChanged,
    MonarchChanged,
    PlayerLeft,
    PointsScored,
    PoisonChanged,
    Reason,
    TurnBegan,
)
from .fields import require_wellformed
from .move import Move
from .state import POISON_DEADLY, GameState
from .words import Sentence

COUNT_MAX = 99_999


class Story:
    """The effects of a move so far, the state that they lead to, and the state ``before`` them."""

    def __init__(self, state: GameState) -> None:
        self.before = self.state = state
        self.effects: list[Effect] = []

    def add(self, effect: Effect) -> None:
        """Add an effect, after what ends before it, with what it brings about in the format."""
        ruleset = self.state.ruleset
        if ruleset.before_effect:
            ruleset.before_effect(self, effect)
        before = self.state
        self.effects.append(effect)
        self.state = effect.applied(before)
        if ruleset.after_effect:
            ruleset.after_effect(self, effect, before)


def decide(state: GameState, move: Move) -> Story:
    """:raises RuleError: if a new move can't happen, or a log could not contain it."""
    require_wellformed(state, move)
    story = story_of(state, move)
    if state.ruleset.require_addable:
        state.ruleset.require_addable(state, move)
    return story


def story_of(state: GameState, move: Move) -> Story:
    """As ``decide``, of a stored move, whose values were checked as it was recorded."""
    ruleset = state.ruleset
    if type(move) not in ruleset.moves:
        raise errors.NotOfThisFormat(format=ruleset.title)
    if state.is_over and not move.after_end:
        raise errors.GameIsOver()
    if ruleset.before_move:
        ruleset.before_move(state, move)
    story = Story(state)
    if override := ruleset.overrides.get(type(move)):
        override(story, move)
    else:
        move.decide(story)
    return story


def change_counts(story: Story, life: Mapping[int, int], poison: Mapping[int, int]) -> None:
    """:raises OutOfBounds: if there would be more than counts."""
    for seat, by in life.items():
        number = story.state.players[seat].life + by
        if not -COUNT_MAX <= number <= COUNT_MAX:
            raise _out_of_bounds(seat, number, "life", -COUNT_MAX)
        if by:  # lifelink may make up for damage
            story.add(LifeChanged(seat, by))
    for seat, by in poison.items():
        number = story.state.players[seat].poison + by
        if not 0 <= number <= COUNT_MAX:
            raise _out_of_bounds(seat, number, "poison counters", 0)
        story.add(PoisonChanged(seat, by))


def check_state(story: Story) -> None:
    """Take the state-based actions, all at the same time (906.11; CR 104.3f, 704.5)."""
    state, cap = story.state, story.state.ruleset.cap
    winning: list[int] = []
    losing: dict[int, str] = {}
    for seat, player in state.players.items():
        if player.out is not None:
            continue
        if cap is not None and player.points >= cap and not player.cannot_win:
            winning.append(seat)
        if not player.cannot_lose and player.life <= 0:
            losing[seat] = Leaving.LIFE
        elif not player.cannot_lose and player.poison >= POISON_DEADLY:
            losing[seat] = Leaving.POISON
    if len(winning) > 1:  # a draw even if one of them would lose (906.11b)
        story.add(GameDrawn(Ending.VICTORY_POINTS, tuple(winning), cap))
    # Whoever would both win and lose loses (CR 104.3f).
    elif winning and winning[0] not in losing:
        end_won(story, winning[0], Ending.VICTORY_POINTS)
    elif losing:
        for seat, reason in losing.items():
            story.add(PlayerLeft(seat, reason))
        go_on_without_who_left(story)
    check_own_state(story)


def check_own_state(story: Story) -> None:
    ruleset = story.state.ruleset
    if ruleset.check_state and not story.state.is_over:
        ruleset.check_state(story)


def go_on_without_who_left(story: Story) -> None:
    """Pass turn and monarch on; the last player left wins, with none left it is a draw (104.2a)."""
    left = story.state.in_game
    if not left:
        # All lost by the same move, so all who were in the game before it share the draw.
        story.add(GameDrawn(Ending.ALL_LOST, story.before.in_game))
        return
    pass_on(story)
    if len(left) == 1:
        end_won(story, left[0], Ending.LAST_STANDING)


def pass_on(story: Story) -> None:
    """Pass the turn to the next in turn order, and the crown to the active player (003 716.4)."""
    in_game = story.state.in_game
    if story.state.active not in in_game:
        story.add(TurnBegan(story.state.next_after(story.state.active), passed=True))
    if story.state.monarch is not None and story.state.monarch not in in_game:
        story.add(MonarchChanged(story.state.active))


def due(state: GameState) -> list[Sentence]:
    """Return what the players have to do now; not asked of a game that is over."""
    ruleset = state.ruleset
    return ruleset.due(state) if ruleset.due else due_to_monarch(state)


def due_to_monarch(state: GameState) -> list[Sentence]:
    return [MonarchChanged(state.active).sentence()] if state.monarch == state.active else []


def end_won(story: Story, seat: int, by: str, *, conceded_to: bool = False) -> None:
    """Let a player win, and add the bonus, which is an entry of its own (906.10e)."""
    ruleset = story.state.ruleset
    seat = story.state.leader_of(seat)
    story.add(GameWon(seat, by, story.state.side_of(seat), ruleset.cap))
    bonus = ruleset.bonus(story.state.players[seat].points, conceded_to=conceded_to)
    if bonus:
        story.add(PointsScored(seat, Reason.WIN_BONUS, 0, bonus))


def require_in_game(state: GameState, *seats: int) -> None:
    """:raises RuleError: if somebody is out of the game, or does not play it."""
    for seat in seats:
        if seat not in state.players:
            raise errors.NotDealtIn(player=seat)
        if state.players[seat].out is not None:
            raise errors.NotInGame(player=seat)


def _out_of_bounds(seat: int, number: int, what: str, lowest: int) -> errors.RuleError:
    return errors.OutOfBounds(
        player=seat, number=number, what=what, lowest=lowest, highest=COUNT_MAX
    )
