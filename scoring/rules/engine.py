"""What follows from a move: ``decide(state, move) -> events``.

The order of things is that of the rules: points, life, state-based actions, marker and monarch,
the winner's bonus.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import effects as ev
from . import errors
from . import moves as mv
from .own import OwnMove
from .state import POISON_DEADLY, GameState, evolve
from .wellformed import require_wellformed

COUNT_MAX = 99_999


class Story:
    """The events told so far, the state that they lead to, and the one ``before`` them."""

    def __init__(self, state: GameState) -> None:
        self.before = self.state = state
        self.events: list[ev.Event] = []

    def tell(self, event: ev.Event) -> None:
        """Add an event, and what the format says that it brings about."""
        before = self.state
        self.events.append(event)
        self.state = evolve(before, event)
        before.ruleset.follow(self, event, before)


def decide(state: GameState, move: mv.Move) -> tuple[ev.Event, ...]:
    """Return what follows from ``move``, which a log can keep.

    :raises RuleError: if the move can't happen.
    """
    require_wellformed(state, move)
    return tuple(story_of(state, move).events)


def story_of(state: GameState, move: mv.Move) -> Story:
    """Return what follows from ``move``, together with the state that it leads to.

    Of a move that is on record already: its form was judged when it was taken.

    :raises RuleError: if the move can't happen.
    """
    ruleset = state.ruleset
    if type(move) not in ruleset.moves:
        raise errors.NotOfThisFormat(format=ruleset.name)
    if state.is_over and not (isinstance(move, OwnMove) and move.after_end):
        raise errors.GameIsOver()
    ruleset.require(state, move)
    story = Story(state)
    if isinstance(move, OwnMove):
        move.decide(story)
    else:
        ruleset.overrides.get(type(move), _DECIDERS[type(move)])(story, move)
    return story


def play(state: GameState, events: Iterable[ev.Event]) -> GameState:
    """Return the state after all ``events``."""
    for event in events:
        state = evolve(state, event)
    return state


def _deal_damage(story: Story, move: mv.DealDamage) -> None:
    before = story.state
    for hit in move.hits:
        require_in_game(before, *([hit.target] if hit.source is None else [hit.source, hit.target]))
    for hit in move.hits:
        _score(story, hit)
    _change_counts(story, *_counts(move.hits))
    _mark_attacker(story, move.hits)
    story.state.ruleset.struck(story, move.hits)
    check(story)
    _crown_by_combat(story, before.monarch, move.hits)


def _score(story: Story, hit: mv.Hit) -> None:
    ruleset = story.state.ruleset
    if hit.source is None or not ruleset.scores(hit):
        return
    points = ruleset.points(hit.amount, story.state.players[hit.source].points)
    story.tell(ev.PointsScored(hit.source, ev.Reason(hit.kind.value), hit.amount, points))


def _counts(hits: Iterable[mv.Hit]) -> tuple[dict[int, int], dict[int, int]]:
    """Return what the hits change together: life by seat, poison by seat."""
    life: defaultdict[int, int] = defaultdict(int)
    poison: defaultdict[int, int] = defaultdict(int)
    for hit in hits:
        if hit.infect:
            poison[hit.target] += hit.amount
        else:
            life[hit.target] -= hit.amount
        if hit.toxic:
            poison[hit.target] += hit.toxic
        if hit.lifelink and hit.source is not None:
            life[hit.source] += hit.amount
    return life, poison


def _change_life(story: Story, move: mv.ChangeLife) -> None:
    require_in_game(story.state, *move.changes)
    _change_counts(story, move.changes, {})
    check(story)


def _change_poison(story: Story, move: mv.ChangePoison) -> None:
    require_in_game(story.state, *move.changes)
    _change_counts(story, {}, move.changes)
    check(story)


def _change_counts(story: Story, life: Mapping[int, int], poison: Mapping[int, int]) -> None:
    for seat, by in life.items():
        _require_within(seat, story.state.players[seat].life + by, "life", -COUNT_MAX)
        if by:
            story.tell(ev.LifeChanged(seat, by))
    for seat, by in poison.items():
        _require_within(seat, story.state.players[seat].poison + by, "poison counters", 0)
        story.tell(ev.PoisonChanged(seat, by))


def _mark_attacker(story: Story, hits: Iterable[mv.Hit]) -> None:
    """Only the active player attacks: the last combat hit listed says who that is."""
    attackers = [hit.source for hit in hits if hit.kind is mv.Kind.COMBAT]
    if attackers and attackers[-1] is not None and attackers[-1] != story.state.active:
        story.tell(ev.TurnBegan(attackers[-1]))


def _crown_by_combat(story: Story, monarch: int | None, hits: Iterable[mv.Hit]) -> None:
    """Combat damage to who was the monarch crowns its source, after state-based actions (003)."""
    in_game = story.state.in_game
    if story.state.is_over or monarch not in in_game:
        return
    heirs = [
        hit.source
        for hit in hits
        if hit.kind is mv.Kind.COMBAT and hit.target == monarch and hit.source in in_game
    ]
    if heirs and heirs[-1] != monarch:
        story.tell(ev.MonarchChanged(heirs[-1]))


def _hold(story: Story, move: mv.Hold) -> None:
    require_in_game(story.state, move.player)
    story.tell(ev.HoldChanged(move.player, move.cannot_lose, move.cannot_win))
    check(story)


def _pass_turn(story: Story, move: mv.PassTurn) -> None:
    seat = move.player
    if seat is None:
        seat = story.state.next_after(story.state.active)
    require_in_game(story.state, seat)
    story.tell(ev.TurnBegan(seat))


def _move_hero(story: Story, move: mv.MoveHero) -> None:
    """906.8 and 906.9; which of the legal moves a card allows is the players' to know."""
    state, seat = story.state, move.player
    require_in_game(state, seat)
    zone = state.players[seat].hero
    if move.to is zone:
        raise errors.HeroAlreadyThere(player=seat, zone=zone.value)
    if zone is mv.Zone.OUTSIDE:
        if move.to is not mv.Zone.HAND:
            raise errors.HeroFirstToHand(player=seat)
        if state.active != seat:
            raise errors.HeroNotOnOthersTurn(player=seat)
        if state.hero_taken:
            raise errors.HeroOnceATurn(player=seat)
    story.tell(ev.HeroMoved(seat, move.to))


def _crown_monarch(story: Story, move: mv.CrownMonarch) -> None:
    if move.player is not None:
        require_in_game(story.state, move.player)
    story.tell(ev.MonarchChanged(move.player))


def _concede(story: Story, move: mv.Concede) -> None:
    """906.10g: the points of this game are void, also those of the last opponent left."""
    require_in_game(story.state, move.player)
    points = story.state.players[move.player].points
    if points:
        story.tell(ev.PointsScored(move.player, ev.Reason.CONCESSION, 0, -points))
    story.tell(ev.PlayerLeft(move.player, ev.Leaving.CONCEDED, barred=True))
    go_on_without_who_left(story)


def _concede_to(story: Story, move: mv.ConcedeTo) -> None:
    """906.10h: no penalty for anybody."""
    require_in_game(story.state, move.player)
    for seat in story.state.opponents_of(move.player):
        story.tell(ev.PlayerLeft(seat, ev.Leaving.CONCEDED))
    _pass_on(story)
    end_won(story, move.player, ev.Ending.CONCEDED_TO, conceded_to=True)


def _lose(story: Story, move: mv.Lose) -> None:
    require_in_game(story.state, *move.players)
    for seat in move.players:
        if story.state.players[seat].cannot_lose:
            raise errors.OnHold(player=seat, verb="lose")
    for seat in move.players:
        story.tell(ev.PlayerLeft(seat, move.reason))
    go_on_without_who_left(story)


def _win(story: Story, move: mv.Win) -> None:
    require_in_game(story.state, move.player)
    if story.state.players[move.player].cannot_win:
        raise errors.OnHold(player=move.player, verb="win")
    end_won(story, move.player, move.reason)


def _draw(story: Story, move: mv.Draw) -> None:
    story.tell(ev.GameDrawn(move.reason, story.state.in_game))


def check(story: Story) -> None:
    """Tell the state-based actions, all at the same time (906.11; CR 104.3f, 704.5)."""
    losing, winning = _losing(story.state), _winning(story.state)
    if len(winning) > 1:
        story.tell(ev.GameDrawn(ev.Ending.VICTORY_POINTS, winning))
    elif winning and winning[0] not in losing:
        end_won(story, winning[0], ev.Ending.VICTORY_POINTS)
    elif losing:
        for seat, reason in losing.items():
            story.tell(ev.PlayerLeft(seat, reason))
        go_on_without_who_left(story)
    if not story.state.is_over:
        story.state.ruleset.check(story)


def _winning(state: GameState) -> tuple[int, ...]:
    cap, players = state.ruleset.cap, state.players
    if cap is None:
        return ()
    return tuple(
        seat
        for seat in state.in_game
        if players[seat].points >= cap and not players[seat].cannot_win
    )


def _losing(state: GameState) -> dict[int, str]:
    losing: dict[int, str] = {}
    for seat in state.in_game:
        player = state.players[seat]
        if player.cannot_lose:
            continue
        if player.life <= 0:
            losing[seat] = ev.Leaving.LIFE
        elif player.poison >= POISON_DEADLY:
            losing[seat] = ev.Leaving.POISON
    return losing


def go_on_without_who_left(story: Story) -> None:
    """Pass marker and monarch on; then one player left wins, and none left is a draw (104.2a)."""
    left = story.state.in_game
    if not left:
        story.tell(ev.GameDrawn(ev.Ending.ALL_LOST, story.before.in_game))
        return
    _pass_on(story)
    if len(left) == 1:
        end_won(story, left[0], ev.Ending.LAST_STANDING)


def _pass_on(story: Story) -> None:
    """The marker goes to the next in turn order, the crown to the active player (003 716.4)."""
    in_game = story.state.in_game
    if story.state.active not in in_game:
        story.tell(ev.TurnBegan(story.state.next_after(story.state.active)))
    if story.state.monarch is not None and story.state.monarch not in in_game:
        story.tell(ev.MonarchChanged(story.state.active))


def end_won(story: Story, seat: int, by: str, *, conceded_to: bool = False) -> None:
    """Tell who won, and the bonus, which is an entry of its own (906.10e)."""
    story.tell(ev.GameWon(seat, by, story.state.side_of(seat)))
    so_far = story.state.players[seat].points
    bonus = story.state.ruleset.bonus(so_far, conceded_to=conceded_to)
    if bonus:
        story.tell(ev.PointsScored(seat, ev.Reason.WIN_BONUS, 0, bonus))


def require_in_game(state: GameState, *seats: int) -> None:
    """Hold the players of a move against who is in the game.

    :raises RuleError: if one of them is not.
    """
    for seat in seats:
        if seat not in state.players:
            raise errors.NotDealtIn(player=seat)
        if state.players[seat].out is not None:
            raise errors.NotInGame(player=seat)


def _require_within(seat: int, number: int, what: str, lowest: int) -> None:
    if not lowest <= number <= COUNT_MAX:
        raise errors.OutOfBounds(
            player=seat, number=number, what=what, lowest=lowest, highest=COUNT_MAX
        )


_DECIDERS: Mapping[type[mv.Move], Callable[[Story, Any], None]] = {
    mv.DealDamage: _deal_damage,
    mv.ChangeLife: _change_life,
    mv.ChangePoison: _change_poison,
    mv.Hold: _hold,
    mv.PassTurn: _pass_turn,
    mv.MoveHero: _move_hero,
    mv.CrownMonarch: _crown_monarch,
    mv.Concede: _concede,
    mv.ConcedeTo: _concede_to,
    mv.Lose: _lose,
    mv.Win: _win,
    mv.Draw: _draw,
}
