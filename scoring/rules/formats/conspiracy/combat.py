"""Goad and melee: whom creatures must attack, and whom they did."""

from typing import ClassVar

from ... import fields
from ...effects import Effect, GameChanged, TurnBegan
from ...engine import Story, require_in_game
from ...errors import RuleError
from ...move import Move
from ...sets import clockwise
from ...state import GameState, changed
from ...words import Sentence, listed
from .state import ConspiracyGame, Goad, Goaded, game_of


class NotGoaded(RuleError):
    text = "{player} has no goaded creature called {creature}."


class NoOpponent(RuleError):
    text = "{player} can't attack {player}: choose opponents."


class SameController(RuleError):
    text = "{player} already controls {creature}."


class Namesakes(RuleError):
    """Two goaded creatures of the same player and name would look the same."""

    text = "{player} already has a goaded creature called {creature}."
    advice = "Tell them apart: amend the goad of one, as in Ogre 2."


class CreatureGoaded(Effect):
    """``goaded`` has the goads that were there as well: together they say whom it attacks."""

    goad: Goad
    goaded: Goaded

    def applied(self, state: GameState) -> GameState:
        others = tuple(goad for goad in game_of(state).goads if goad != self.goad)
        return changed(game_of(state), goads=(*others, self.goad))

    def instruction(self) -> Sentence:
        return self.goaded.brief


class GoadEnded(Effect):
    goad: Goad

    def applied(self, state: GameState) -> GameState:
        game = game_of(state)
        return changed(game, goads=tuple(goad for goad in game.goads if goad != self.goad))

    def sentence(self) -> Sentence:
        creature = f"’s {self.goad.creature} is no longer goaded by "
        return [self.goad.controller, creature, self.goad.by]


class Attacked(Effect):
    """``opponents`` were attacked with declared creatures; a later combat replaces them."""

    opponents: tuple[int, ...]

    def applied(self, state: GameState) -> GameState:
        return changed(game_of(state), attacked=self.opponents)

    def sentence(self) -> Sentence:
        return [melee_bonus(len(self.opponents))]


class GoadCreature(Move):
    """A creature is goaded until the next turn of ``player`` begins."""

    type: ClassVar[str] = "goad"
    title: ClassVar[str] = "Who goads which creature?"

    player: int = fields.seat("Who goads")
    creature: str = fields.text("Creature; number those of one name: Ogre 2")
    controller: int = fields.seat("Who controls it")

    def decide(self, story: Story) -> None:
        state, creature, controller = story.state, self.creature, self.controller
        require_in_game(state, self.player, controller)
        before = [goad.by for goad in _goads_on(state, creature, controller)]
        by = (*(seat for seat in before if seat != self.player), self.player)
        goaded = Goaded(creature, controller, by, state.opponents_of(controller))
        story.add(CreatureGoaded(Goad(self.player, creature, controller), goaded))

    def sentence(self) -> Sentence:
        return [self.player, " goads ", self.controller, f"’s {self.creature}"]


class MoveGoaded(Move):
    """Another player controls a goaded creature: all its goads stay with it."""

    type: ClassVar[str] = "goad_moves"
    title: ClassVar[str] = "Who controls the goaded creature now?"

    creature: str = fields.text("Goaded creature")
    controller: int = fields.seat("Who controlled it")
    player: int = fields.seat("Who controls it now")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        _require_goaded(story.state, self.creature, self.controller)
        if self.player == self.controller:
            raise SameController(player=self.player, creature=self.creature)
        if _goads_on(story.state, self.creature, self.player):
            raise Namesakes(player=self.player, creature=self.creature)
        moving = _goads_on(story.state, self.creature, self.controller)
        goads = tuple(
            goad._replace(controller=self.player) if goad in moving else goad
            for goad in game_of(story.state).goads
        )
        story.add(GameChanged({"goads": goads}))

    def sentence(self) -> Sentence:
        return [self.player, " now controls ", self.controller, f"’s goaded {self.creature}"]


class EndGoad(Move):
    type: ClassVar[str] = "goad_ends"
    title: ClassVar[str] = "Which goaded creature left the battlefield?"

    creature: str = fields.text("Goaded creature")
    controller: int = fields.seat("Who controlled it")

    def decide(self, story: Story) -> None:
        _require_goaded(story.state, self.creature, self.controller)
        for goad in _goads_on(story.state, self.creature, self.controller):
            story.add(GoadEnded(goad))

    def sentence(self) -> Sentence:
        return [self.controller, f"’s {self.creature} left the battlefield"]


class Attack(Move):
    """A player attacks opponents with declared creatures; planeswalkers don't count for melee."""

    type: ClassVar[str] = "attack"
    title: ClassVar[str] = "Who attacks whom?"

    player: int = fields.seat("Who attacks")
    opponents: tuple[int, ...] = fields.seats(
        "Players attacked with declared creatures; none: planeswalkers only", may_lack=True
    )

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player, *self.opponents)
        if self.player in self.opponents:
            raise NoOpponent(player=self.player)
        if self.player != story.state.active:
            story.add(TurnBegan(self.player))
        story.add(Attacked(self.opponents))

    def sentence(self) -> Sentence:
        whom = listed(self.opponents) if self.opponents else ["planeswalkers only"]
        return [self.player, " attacks ", *whom]


def melee_bonus(opponents: int) -> str:
    """
    >>> melee_bonus(2)
    'Melee: +2/+2 for each instance'
    """
    return f"Melee: +{opponents}/+{opponents} for each instance"


def _goads_on(state: GameState, creature: str, controller: int) -> list[Goad]:
    return [goad for goad in game_of(state).goads if goad[1:] == (creature, controller)]


def _require_goaded(state: GameState, creature: str, controller: int) -> None:
    if not _goads_on(state, creature, controller):
        raise NotGoaded(player=controller, creature=creature)


def end_goads_of_turn(story: Story, before: ConspiracyGame, now: int) -> None:
    """Also the goads of players out who were skipped."""
    order = clockwise(tuple(before.players), before.active)
    over = order[1 : order.index(now)]
    for goad in game_of(story.state).goads:
        is_passed = goad.by in over and story.state.players[goad.by].out is not None
        if goad.by == now or is_passed:
            story.add(GoadEnded(goad))
