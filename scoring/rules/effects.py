"""What follows from a move: the only things that change a game. They are not stored, except
``PointsScored`` as a row of the ledger: playing the log again gives them all."""

from collections.abc import Mapping
from enum import StrEnum

from .state import GameState, Status, changed, with_player
from .values import Value
from .words import Sentence, listed, signed


class Reason(StrEnum):
    COMBAT = "combat"
    HERO = "hero"
    WIN_BONUS = "win bonus"
    CONCESSION = "concession"
    ENTERED = "entered"


class Ending(StrEnum):
    """How a game ends by the rules; a card or an agreement gives its own words."""

    VICTORY_POINTS = "victory points"
    LAST_STANDING = "last player standing"
    CONCEDED_TO = "conceded to"
    ALL_LOST = "all players lost"
    NOT_NOTED = "not noted"  # of a result that was entered


class Leaving(StrEnum):
    """Why a player leaves a game by the rules; a card gives its own words."""

    LIFE = "life"
    POISON = "poison"
    CONCEDED = "conceded"
    LOST = "lost"  # of a result that was entered


_ENDINGS: dict[str, str] = {
    Ending.LAST_STANDING: "last player in the game",
    Ending.CONCEDED_TO: "all opponents conceded",
    Ending.ALL_LOST: "all players lost",
    Ending.NOT_NOTED: "nobody noted how",
}
_LEAVING: dict[str, str] = {
    Leaving.CONCEDED: " leaves the game",
    Leaving.LIFE: " is out: no life left",
    Leaving.POISON: " is out by poison",
    Leaving.LOST: " is out",
}


def ended_by(by: str, cap: int | None) -> str:
    """
    >>> ended_by("victory points", 21), ended_by("time", 21)
    ('21 VP', 'time')
    """
    return f"{cap} VP" if by == Ending.VICTORY_POINTS else _ENDINGS.get(by, by)


class Effect(Value):
    def applied(self, state: GameState) -> GameState:
        """Return the state after it. Nothing is judged here: the move's ``decide`` has."""
        return state

    def sentence(self) -> Sentence:
        """Return the effect as every page has it; nothing if players need not know."""
        return []

    def instruction(self) -> Sentence:
        """Return what players read as it happens: the effect, and what they do about it."""
        return self.sentence()


class PointsScored(Effect):
    """``dealt`` is the damage behind it, if any; ``points`` what counted after the cap."""

    player: int
    reason: Reason
    dealt: int
    points: int

    @property
    def row(self) -> tuple[int, str, int, int]:
        return self.player, self.reason.value, self.dealt, self.points

    def applied(self, state: GameState) -> GameState:
        # Beyond the cap a hit gives nothing, but the ledger has it.
        points = state.players[self.player].points + self.points
        return with_player(state, self.player, points=points) if self.points else state

    def sentence(self) -> Sentence:
        if self.reason is Reason.CONCESSION:
            return [self.player, f": {-self.points} VP of this game become 0"]
        if self.reason is Reason.ENTERED:  # the move says it
            return []
        return [self.player, f" {signed(self.points)} VP win bonus"]


class LifeChanged(Effect):
    player: int
    by: int

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, life=state.players[self.player].life + self.by)

    def sentence(self) -> Sentence:
        return [self.player, f" {signed(self.by)} life"]


class PoisonChanged(Effect):
    player: int
    by: int

    def applied(self, state: GameState) -> GameState:
        poison = state.players[self.player].poison + self.by
        return with_player(state, self.player, poison=poison)

    def sentence(self) -> Sentence:
        return [self.player, f" {signed(self.by)} poison"]


class HoldChanged(Effect):
    player: int
    cannot_lose: bool
    cannot_win: bool

    def applied(self, state: GameState) -> GameState:
        holds = {"cannot_lose": self.cannot_lose, "cannot_win": self.cannot_win}
        return with_player(state, self.player, **holds)


class TurnBegan(Effect):
    """A turn began; ``passed`` on by itself, since the active player left the game."""

    player: int
    passed: bool = False

    def applied(self, state: GameState) -> GameState:
        return changed(state, active=self.player, hero_taken=False)

    def sentence(self) -> Sentence:
        if self.passed:
            return ["The active player left: it is now ", self.player, "’s turn"]
        return [self.player, "’s turn begins"]


class MonarchChanged(Effect):
    player: int | None

    def applied(self, state: GameState) -> GameState:
        return changed(state, monarch=self.player)

    def sentence(self) -> Sentence:
        if self.player is None:
            return []
        return [self.player, " is the monarch and draws a card at their end step"]


class MonarchStays(Effect):
    """Whoever is the monarch doesn't become it again (003)."""

    player: int

    def sentence(self) -> Sentence:
        return [self.player, " is already the monarch: no “becomes the monarch” trigger"]


class PlayerLeft(Effect):
    """``barred`` players conceded with the penalty: they play no later game (906.10g)."""

    player: int
    reason: str
    barred: bool = False

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, out=self.reason, barred=self.barred)

    def sentence(self) -> Sentence:
        return [self.player, _LEAVING.get(self.reason, f" is out: {self.reason}")]


class GameWon(Effect):
    """``side`` are those who win together, the player among them; ``cap`` is the ruleset's."""

    player: int
    by: str
    side: tuple[int, ...]
    cap: int | None = None

    def applied(self, state: GameState) -> GameState:
        return changed(state, status=Status.WON, winner=self.player, ended_by=self.by)

    def sentence(self) -> Sentence:
        verb = "wins" if len(self.side) == 1 else "win"
        return [*listed(self.side), f" {verb}: {ended_by(self.by, self.cap)}"]


class GameDrawn(Effect):
    """``players`` share the draw: whoever lost before does not. ``cap`` is the ruleset's."""

    by: str
    players: tuple[int, ...]
    cap: int | None = None

    def applied(self, state: GameState) -> GameState:
        return changed(state, status=Status.DRAWN, ended_by=self.by, drew=self.players)

    def sentence(self) -> Sentence:
        return [f"Draw: {ended_by(self.by, self.cap)}"]


class GameChanged(Effect):
    changes: Mapping[str, object]

    def applied(self, state: GameState) -> GameState:
        return changed(state, **self.changes)


class PlayerChanged(Effect):
    player: int
    changes: Mapping[str, object]

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, **self.changes)
