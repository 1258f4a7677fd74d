"""What follows from moves in Realm Wars."""

from ...effects import Effect, GameWon, TurnBegan
from ...state import GameState, changed, with_player
from ...words import Sentence, count, listed
from .state import lord_of, war_of, with_zone


class ZoneChanged(Effect):
    player: int
    zone: str
    damage: int = 0
    developments: int = 0

    def applied(self, state: GameState) -> GameState:
        old = lord_of(state, self.player).capital[self.zone]
        now = old._replace(
            damage=old.damage + self.damage, developments=old.developments + self.developments
        )
        return with_zone(state, self.player, self.zone, now)


class ZoneBurned(Effect):
    """``burning`` zones of the player's team burn now, and it loses at ``burns_at``."""

    player: int
    zone: str
    burning: int
    burns_at: int
    is_last_of_player: bool

    def applied(self, state: GameState) -> GameState:
        burnt = lord_of(state, self.player).capital[self.zone]._replace(burning=True)
        return with_zone(state, self.player, self.zone, burnt)

    def sentence(self) -> Sentence:
        return [f"The {self.zone} of ", self.player, " burns"]

    def instruction(self) -> Sentence:
        zones = count(self.burning, "burning zone")
        burns = [*self.sentence(), f": the team has {zones}, and loses at {self.burns_at}"]
        if not self.is_last_of_player or self.burning >= self.burns_at:
            return burns
        return [*burns, ". ", self.player, " plays on: only a team wins or loses"]


class PhaseBegan(Effect):
    phase: str

    def applied(self, state: GameState) -> GameState:
        first = {"phase": self.phase, "passes": 0, "attacked": ()}
        return changed(state, priority=war_of(state).active_team, **first)

    def sentence(self) -> Sentence:
        return [f"{self.phase.capitalize()} phase"]

    def instruction(self) -> Sentence:
        return []  # it is what the players have to do now


class TeamTurnBegan(TurnBegan):
    team: tuple[int, ...] = ()

    def sentence(self) -> Sentence:
        return [*listed(self.team), "’s turn begins"]

    def instruction(self) -> Sentence:
        return []  # whose turn it is stands with what the players have to do now


class PriorityPassed(Effect):
    """Priority went to a team; ``passes`` in a row, none where both teams had passed."""

    team: int
    passes: int

    def applied(self, state: GameState) -> GameState:
        return changed(state, priority=self.team, passes=self.passes)

    def sentence(self) -> Sentence:
        if self.passes:
            return []
        return [
            "Both teams passed: the top of the stack resolves, or the phase ends; "
            "the active team has priority"
        ]


class LegendPlayed(Effect):
    player: int
    team: tuple[int, ...]
    zones: int  # must burn now for the team to win

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, legend=True)

    def sentence(self) -> Sentence:
        return [*listed(self.team), f" now need {self.zones} burning zones to win"]


class DeckChanged(Effect):
    """A deck is empty or not; the player ``plays_on`` while a teammate has cards."""

    player: int
    empty: bool
    plays_on: bool

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, decked=self.empty)

    def instruction(self) -> Sentence:
        if not self.plays_on:
            return []
        return [self.player, " has no cards left, and plays on: only a team wins or loses"]


class TeamLost(Effect):
    team: tuple[int, ...]
    why: str

    def sentence(self) -> Sentence:
        return [*listed(self.team), f" lose: {self.why}"]


class TeamWon(GameWon):
    def sentence(self) -> Sentence:
        return [*listed(self.side), " win"]
