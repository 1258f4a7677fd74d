"""Leveler (002): damage and empty libraries bring the next of three sub-decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from .. import fields
from ..damage import Hit
from ..effects import Effect, PlayerLeft
from ..engine import Story, go_on_without_who_left, require_in_game
from ..move import Move
from ..moves import SHARED
from ..ruleset import Ruleset
from ..state import GameState, PlayerState, with_player
from ..words import Sentence, listed

LEVELS = 3
THRESHOLDS = (10, 20)
"""Damage taken at which the library is exiled while the second, the third sub-deck is outside."""

EMPTIED, EXILED = "emptied", "exiled"
OVERDRAWN = "drew from an empty library"


@dataclass(frozen=True)
class LevelerPlayer(PlayerState):
    """``taken`` is all damage of the game; ``gone`` is how each library was used up."""

    stored: ClassVar[tuple[str, ...]] = (*PlayerState.stored, "taken", "gone")

    taken: int = 0
    gone: tuple[str, ...] = ()

    @property
    def level(self) -> int:
        """Which sub-deck the library is on, from 1."""
        return min(len(self.gone) + 1, LEVELS)

    @property
    def is_empty(self) -> bool:
        """Return whether the last library is used up."""
        return len(self.gone) == LEVELS

    def changes(self, was: PlayerState) -> list[str]:
        """Return how damage taken and level differ."""
        assert isinstance(was, LevelerPlayer)
        changes = [f"{was.taken} damage taken → {self.taken}"] if was.taken != self.taken else []
        return changes + ([f"level {was.level} → {self.level}"] if was.level != self.level else [])


@dataclass(frozen=True, slots=True)
class DamageTaken(Effect):
    player: int
    by: int

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, taken=_of(state, self.player).taken + self.by)


@dataclass(frozen=True, slots=True)
class LibraryGone(Effect):
    """A library is used up; ``level`` is that of the sub-deck that enters, if any."""

    player: int
    how: str
    level: int | None
    taken: int | None = None

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, gone=(*_of(state, self.player).gone, self.how))

    def sentence(self) -> Sentence:
        why = "" if self.taken is None else f"{self.taken} damage taken, "
        then = f"level {self.level}" if self.level else "no sub-deck left"
        return [self.player, f", {then}: {why}library {self.how}"]


@dataclass(frozen=True, slots=True)
class UseUpLibrary(Move):
    """Libraries are empty, by drawing or milling or because a card exiled them."""

    type: ClassVar[str] = "library"
    title: ClassVar[str] = "Whose library is empty?"

    players: tuple[int, ...] = fields.seats("Library of")
    how: str = fields.choice("It was", (EMPTIED, EXILED), EMPTIED)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.players)
        for seat in self.players:
            _use_up(story, seat, self.how)
        story.state.ruleset.check_state(story)

    def sentence(self) -> Sentence:
        return ["Library of ", *listed(self.players), f": {self.how}"]


@dataclass(frozen=True, slots=True)
class Overdraw(Move):
    """Players had to draw from an empty library: they lose, at every level."""

    type: ClassVar[str] = "overdraw"
    title: ClassVar[str] = "Who had to draw from an empty library?"

    players: tuple[int, ...] = fields.seats("Who")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.players)
        for seat in self.players:
            if not story.state.players[seat].cannot_lose:
                story.add(PlayerLeft(seat, OVERDRAWN))
        staying = [seat for seat in self.players if story.state.players[seat].cannot_lose]
        for seat in staying:  # they go on with the next sub-deck
            _use_up(story, seat, EMPTIED)
        if len(staying) < len(self.players):
            go_on_without_who_left(story)
        if not story.state.is_over:
            story.state.ruleset.check_state(story)

    def sentence(self) -> Sentence:
        return [*listed(self.players), f" {OVERDRAWN}"]


def _of(state: GameState, seat: int) -> LevelerPlayer:
    player = state.players[seat]
    assert isinstance(player, LevelerPlayer)
    return player


def _use_up(story: Story, seat: int, how: str, taken: int | None = None) -> None:
    """Let the next sub-deck enter; emptying the last library once more changes nothing."""
    player = _of(story.state, seat)
    if not player.is_empty:
        level = player.level + 1 if player.level < LEVELS else None
        story.add(LibraryGone(seat, how, level, taken))


@dataclass(frozen=True, slots=True, kw_only=True)
class Leveler(Ruleset):
    """Leveler: 30 life, one game, no VP."""

    format: ClassVar[str] = "leveler"
    moves: ClassVar[frozenset[type]] = SHARED | {UseUpLibrary, Overdraw}
    player: ClassVar[type[PlayerState]] = LevelerPlayer

    players_max: int = 6
    players_usual: range = range(2, 7)
    life: int = 30

    def after_damage(self, story: Story, hits: Sequence[Hit]) -> None:
        """Count damage, also that dealt as poison counters, but no life lost otherwise."""
        taken: Counter[int] = Counter()
        for hit in hits:
            taken[hit.target] += hit.amount
        for seat, by in taken.items():
            story.add(DamageTaken(seat, by))

    def check_state(self, story: Story) -> None:
        """Exile libraries by damage taken until nothing changes: a hit of 20 exiles two."""
        for seat in story.state.in_game:
            taken = _of(story.state, seat).taken
            for level, damage in enumerate(THRESHOLDS, 1):
                if taken >= damage and _of(story.state, seat).level <= level:
                    _use_up(story, seat, EXILED, taken)

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
        """Return what ``replay`` prints of a game, levels among it."""
        players = {names[seat]: _of(state, seat) for seat in sorted(state.players)}
        return {
            **Ruleset.outcome(self, state, names),
            "damage_taken": {name: player.taken for name, player in players.items()},
            "level": {name: player.level for name, player in players.items()},
            "libraries": {name: list(player.gone) for name, player in players.items()},
        }


LEVELER = Leveler(
    key="leveler",
    name="Leveler",
    summary="30 life, three sub-decks. 10 and 20 damage taken exile the library: level up.",
)
