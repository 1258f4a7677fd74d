"""The moves that formats share, besides damage. To add a move is to write its class here."""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import ClassVar

from . import errors, fields
from .damage import DealDamage
from .effects import (
    Ending,
    GameChanged,
    GameDrawn,
    HoldChanged,
    Leaving,
    MonarchChanged,
    MonarchStays,
    PlayerChanged,
    PlayerLeft,
    PointsScored,
    Reason,
    TurnBegan,
)
from .engine import (
    Story,
    change_counts,
    check_state,
    end_won,
    go_on_without_who_left,
    pass_on,
    require_in_game,
)
from .move import Move
from .state import Zone
from .words import Sentence, count, listed

CHANGE_MAX = 9_999


class ChangeLife(Move):
    type: ClassVar[str] = "life"

    changes: Mapping[int, int] = fields.changes("Life", CHANGE_MAX)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.changes)
        change_counts(story, self.changes, {})
        check_state(story)

    def sentence(self) -> Sentence:
        return _changes(self.changes, "gains", "loses", lambda by: f"{by} life")


class ChangePoison(Move):
    type: ClassVar[str] = "poison"

    changes: Mapping[int, int] = fields.changes("Poison", CHANGE_MAX)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.changes)
        change_counts(story, {}, self.changes)
        check_state(story)

    def sentence(self) -> Sentence:
        return _changes(self.changes, "gets", "loses", lambda by: count(by, "poison counter"))


class SetLife(Move):
    """The player gains or loses what is missing to that total (CR 119.5)."""

    type: ClassVar[str] = "set_life"

    player: int = fields.seat("Whose life")
    life: int = fields.number("Life", 0, CHANGE_MAX)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        change_counts(story, {self.player: self.life - story.state.players[self.player].life}, {})
        check_state(story)

    def sentence(self) -> Sentence:
        return ["Life of ", self.player, f" becomes {self.life}"]


class ExchangeLife(Move):
    """Each gains or loses what is missing to the other's total."""

    type: ClassVar[str] = "exchange_life"
    title: ClassVar[str] = "Exchange life totals"

    player: int = fields.seat("Who")
    other: int = fields.seat("With whom")

    def decide(self, story: Story) -> None:
        _require_two(story, self.player, self.other)
        life, wanted = (story.state.players[seat].life for seat in (self.player, self.other))
        change_counts(story, {self.player: wanted - life, self.other: life - wanted}, {})
        check_state(story)

    def sentence(self) -> Sentence:
        return [self.player, " and ", self.other, " exchange their life totals"]


def _require_two(story: Story, player: int, other: int) -> None:
    require_in_game(story.state, player, other)
    if player == other:
        raise errors.Malformed(field="With whom", problem="must be somebody else")


def _changes(
    changes: Mapping[int, int], gains: str, loses: str, what: Callable[[int], str]
) -> Sentence:
    parts: Sentence = []
    for by, group in groupby(changes, changes.__getitem__):
        parts += ["; "] if parts else []
        seats, verb = list(group), gains if by > 0 else loses
        verb = verb if len(seats) == 1 else verb.removesuffix("s")
        parts += [*listed(seats), f" {verb} {what(abs(by))}"]
    return parts


class Hold(Move):
    """A card says that a player can't lose, can't win, or (both false) no longer says so."""

    type: ClassVar[str] = "hold"

    player: int = fields.seat("Who")
    cannot_lose: bool = fields.flag("Can't lose", required=True)
    cannot_win: bool = fields.flag("Can't win", required=True)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        story.add(HoldChanged(self.player, self.cannot_lose, self.cannot_win))
        check_state(story)  # whoever can lose again may have 0 life

    def sentence(self) -> Sentence:
        return [self.player, _HOLDS[self.cannot_lose, self.cannot_win]]


_HOLDS = {
    (True, True): " can't lose and can't win",
    (True, False): " can't lose",
    (False, True): " can't win",
    (False, False): " can lose and win again",
}


class PassTurn(Move):
    """A new turn begins: the next player's in turn order, or the named player's."""

    type: ClassVar[str] = "turn"
    title: ClassVar[str] = "Pass the turn again?"
    confirms: ClassVar[bool] = True

    player: int | None = fields.seat_if_named("Whose turn", "The next player")

    def hinges(self, active: str) -> tuple[str, ...]:
        return ("turn", "next") if self.player is None else ()

    def decide(self, story: Story) -> None:
        seat = self.player
        if seat is None:
            seat = story.state.next_after(story.state.active)
        require_in_game(story.state, seat)
        story.add(TurnBegan(seat))

    def sentence(self) -> Sentence:
        return ["Next turn"] if self.player is None else ["Turn of ", self.player]


class SwapPlaces(Move):
    """They sit the other way round: from now on the turn passes as if each sat in the other's
    place. Whose turn it is stays the same."""

    type: ClassVar[str] = "swap_places"
    title: ClassVar[str] = "Swap places in the turn order"

    player: int = fields.seat("Who")
    other: int = fields.seat("With whom")

    def decide(self, story: Story) -> None:
        _require_two(story, self.player, self.other)
        swapped = {self.player: self.other, self.other: self.player}
        players = story.state.players
        order = (swapped.get(seat, seat) for seat in players)
        story.add(GameChanged({"players": {seat: players[seat] for seat in order}}))

    def sentence(self) -> Sentence:
        return [self.player, " and ", self.other, " swap places in the turn order"]


class MoveHero(Move):
    """906.8, 906.9. Which of the legal moves a card allows is for the players to know."""

    type: ClassVar[str] = "hero"

    player: int = fields.seat("Hero of")
    to: Zone = fields.choice("To", Zone)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        zone = story.state.players[self.player].hero
        if self.to is zone:
            raise errors.HeroAlreadyThere(player=self.player, zone=zone.value)
        if zone is Zone.OUTSIDE:
            if self.to is not Zone.HAND:
                raise errors.HeroFirstToHand(player=self.player)
            if story.state.active != self.player:
                raise errors.HeroNotOnOthersTurn(player=self.player)
            if story.state.hero_taken:
                raise errors.HeroOnceATurn(player=self.player)
            # Back outside and to hand again is a second time.
            story.add(GameChanged({"hero_taken": True}))
        story.add(PlayerChanged(self.player, {"hero": self.to}))

    def sentence(self) -> Sentence:
        if self.to is Zone.HAND:
            return [self.player, " takes the hero to hand"]
        return ["Hero of ", self.player, f": {self.to.value}"]


class CrownMonarch(Move):
    type: ClassVar[str] = "monarch"

    player: int | None = fields.seat_or_nobody("Monarch", "Nobody")

    def decide(self, story: Story) -> None:
        if self.player is not None:
            require_in_game(story.state, self.player)
        if self.player is None or self.player != story.state.monarch:
            story.add(MonarchChanged(self.player))
        else:
            story.add(MonarchStays(self.player))

    def sentence(self) -> Sentence:
        """
        >>> CrownMonarch(None).sentence()
        ['Nobody is the monarch']
        """
        if self.player is None:
            return ["Nobody is the monarch"]
        return [self.player, " becomes the monarch"]


class Concede(Move):
    """906.10g: the points of this game are void, even if only one opponent is left."""

    type: ClassVar[str] = "concede"
    title: ClassVar[str] = "Who concedes?"
    confirms: ClassVar[bool] = True

    player: int = fields.seat("Who concedes")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        points = story.state.players[self.player].points
        if points:
            story.add(PointsScored(self.player, Reason.CONCESSION, 0, -points))
        story.add(PlayerLeft(self.player, Leaving.CONCEDED, barred=True))
        go_on_without_who_left(story)

    def sentence(self) -> Sentence:
        return [self.player, " concedes"]


class ConcedeTo(Move):
    """All opponents in the game concede to this player together, without penalty (906.10h)."""

    type: ClassVar[str] = "concede_to"
    title: ClassVar[str] = "All concede to whom?"
    confirms: ClassVar[bool] = True

    player: int = fields.seat("To whom")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        # Neither points nor later games are lost: nobody is barred.
        for seat in story.state.opponents_of(self.player):
            story.add(PlayerLeft(seat, Leaving.CONCEDED))
        pass_on(story)
        end_won(story, self.player, Ending.CONCEDED_TO, conceded_to=True)

    def sentence(self) -> Sentence:
        return ["All opponents concede to ", self.player]


class Lose(Move):
    """Players lose at the same time by decking or a card. Whoever leaves the table concedes."""

    type: ClassVar[str] = "lose"
    title: ClassVar[str] = "Who loses?"
    confirms: ClassVar[bool] = True

    players: tuple[int, ...] = fields.seats("Who loses")
    reason: str = fields.reason("decked", "card effect", default="card effect")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.players)
        for seat in self.players:
            if story.state.players[seat].cannot_lose:
                raise errors.OnHold(player=seat, verb="lose")
        # Only now, since all of them lose at the same time.
        for seat in self.players:
            story.add(PlayerLeft(seat, self.reason))
        go_on_without_who_left(story)

    def sentence(self) -> Sentence:
        verb = "loses" if len(self.players) == 1 else "lose"
        return [*listed(self.players), f" {verb}: {self.reason}"]


class Win(Move):
    type: ClassVar[str] = "win"
    title: ClassVar[str] = "Who wins?"
    confirms: ClassVar[bool] = True

    player: int = fields.seat("Who wins")
    reason: str = fields.reason("card effect", default="card effect")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if story.state.players[self.player].cannot_win:
            raise errors.OnHold(player=self.player, verb="win")
        end_won(story, self.player, self.reason)

    def sentence(self) -> Sentence:
        return [self.player, f" wins: {self.reason}"]


class Draw(Move):
    type: ClassVar[str] = "draw"
    title: ClassVar[str] = "A draw?"
    confirms: ClassVar[bool] = True

    reason: str = fields.reason("agreed", "time", "endless loop", default="agreed")

    def decide(self, story: Story) -> None:
        story.add(GameDrawn(self.reason, story.state.in_game))

    def sentence(self) -> Sentence:
        return [f"Draw: {self.reason}"]


SHARED: frozenset[type[Move]] = frozenset(
    (
        *(DealDamage, ChangeLife, SetLife, ExchangeLife, ChangePoison),
        *(Hold, PassTurn, SwapPlaces, CrownMonarch),
        *(Concede, ConcedeTo, Lose, Win, Draw),
    )
)
"""The moves of every format in which players have life; heroes are Coalition's own."""
