"""Leveler (002): damage and empty libraries bring the next of three sub-decks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from .. import fields
from ..damage import Hit
from ..effects import Effect, PlayerChanged, PlayerLeft
from ..engine import Story, check_own_state, go_on_without_who_left, require_in_game
from ..move import Move
from ..moves import SHARED
from ..own import LIFE_AND_HITS
from ..ruleset import Ruleset
from ..state import GameState, PlayerState, with_player
from ..words import Sentence, listed

SUB_DECKS = (50, 30, 20)
LEVELS = len(SUB_DECKS)
THRESHOLDS = (10, 20)
"""Damage taken at which the library is exiled while the second, the third sub-deck is outside."""

EMPTIED, EXILED = "emptied", "exiled"
OVERDRAWN = "drew from an empty library"


class LevelerPlayer(PlayerState):
    """``taken`` is all damage of the game; ``gone`` is how each library was used up."""

    stored: ClassVar[tuple[str, ...]] = (*PlayerState.stored, "taken", "gone")

    taken: int = 0
    gone: tuple[str, ...] = ()

    @property
    def level(self) -> int:
        return min(len(self.gone) + 1, LEVELS)

    @property
    def marks(self) -> tuple[tuple[int, str], ...]:
        marks = []
        for level, mark in enumerate(THRESHOLDS, 1):
            ahead = "exile" if self.level <= level else "no exile"
            marks.append((mark, "reached" if self.taken >= mark else ahead))
        return tuple(marks)

    @property
    def is_empty(self) -> bool:
        return len(self.gone) == LEVELS

    def changes(self, was: PlayerState) -> list[str]:
        assert isinstance(was, LevelerPlayer)
        changes = [f"{was.taken} damage taken → {self.taken}"] if was.taken != self.taken else []
        return changes + ([f"level {was.level} → {self.level}"] if was.level != self.level else [])


class LevelerGame(GameState):
    @property
    def seen(self) -> str:
        gone = [f"gone{seat}:{len(_of(self, seat).gone)}" for seat in self.in_game]
        return " ".join((self.turns, *gone))


class LibraryGone(Effect):
    """``number`` libraries in a row; ``level`` is that of the sub-deck that enters, None after the
    last. ``taken`` is the damage that exiled them, if any did."""

    player: int
    how: str
    level: int | None
    taken: int | None = None
    number: int = 1

    def applied(self, state: GameState) -> GameState:
        gone = (*_of(state, self.player).gone, *(self.how,) * self.number)
        return with_player(state, self.player, gone=gone)

    def sentence(self) -> Sentence:
        why = "" if self.taken is None else f"{self.taken} damage taken, "
        then = f"level {self.level}" if self.level else "no sub-deck left"
        what = "library" if self.number == 1 else "two libraries"
        return [self.player, f", {then}: {why}{what} {self.how}"]

    def instruction(self) -> Sentence:
        if self.level is None:
            return [self.player, ": your last library is used up. You lose when you have to draw"]
        if self.taken is None:
            library = f"your library is {'empty' if self.how == EMPTIED else self.how}"
        else:
            library = "exile your library" + (f" and your {SUB_DECKS[1]}" * (self.number > 1))
        shuffle = f"shuffle in your {SUB_DECKS[self.level - 1]}"
        return [self.player, f", level {self.level}: {library}, {shuffle}"]


class MarkReached(Effect):
    """Damage taken reached a mark that exiles nothing, since the player was beyond its level."""

    player: int
    mark: int
    level: int

    def sentence(self) -> Sentence:
        already = f"already at level {self.level}"
        return [self.player, f": {self.mark} damage taken, {already}: nothing is exiled"]


class UseUpLibrary(Move):
    type: ClassVar[str] = "library"
    title: ClassVar[str] = "Whose library is empty?"

    players: tuple[int, ...] = fields.seats("Library of")
    how: str = fields.choice("It was", (EMPTIED, EXILED), EMPTIED)

    def hinges(self, active: str) -> tuple[str, ...]:
        return tuple(f"gone{seat}" for seat in self.players)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.players)
        for seat in self.players:
            _use_up(story, seat, self.how)
        check_own_state(story)

    def sentence(self) -> Sentence:
        libraries = "library is" if len(self.players) == 1 else "libraries are"
        how = "empty" if self.how == EMPTIED else self.how
        return [*listed(self.players), f"’s {libraries} {how}"]


class Overdraw(Move):
    """Players had to draw from an empty library: they lose, at every level."""

    type: ClassVar[str] = "overdraw"
    title: ClassVar[str] = "Who had to draw from an empty library?"
    confirms: ClassVar[bool] = True

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
        check_own_state(story)

    def sentence(self) -> Sentence:
        return [*listed(self.players), f" {OVERDRAWN}"]


_of = LevelerPlayer.of


def _use_up(story: Story, seat: int, how: str) -> None:
    """Let the next sub-deck enter; emptying the last library once more changes nothing."""
    player = _of(story.state, seat)
    if not player.is_empty:
        level = player.level + 1 if player.level < LEVELS else None
        story.add(LibraryGone(seat, how, level))


@dataclass(frozen=True, slots=True, kw_only=True)
class Leveler(Ruleset):
    format: ClassVar[str] = "leveler"
    moves: ClassVar[frozenset[type]] = SHARED | {UseUpLibrary, Overdraw}
    own_moves: ClassVar[frozenset[type]] = LIFE_AND_HITS | {UseUpLibrary, Overdraw}
    player: ClassVar[type[PlayerState]] = LevelerPlayer
    game: ClassVar[type[GameState]] = LevelerGame

    players_max: int = 6
    players_usual: range = range(2, 7)
    life: int = 30

    def after_damage(self, story: Story, hits: Sequence[Hit]) -> None:
        """Count damage, also that dealt as poison counters, but no life lost otherwise."""
        taken: Counter[int] = Counter()
        for hit in hits:
            taken[hit.target] += hit.amount
        for seat, by in taken.items():
            story.add(PlayerChanged(seat, {"taken": _of(story.state, seat).taken + by}))

    def check_state(self, story: Story) -> None:
        for seat in story.state.in_game:
            player, before = _of(story.state, seat), _of(story.before, seat)
            reached = [mark for mark in THRESHOLDS if mark <= player.taken]
            level = len(reached) + 1
            if level > player.level:
                # A hit of 20 on level 1 exiles two libraries.
                number = level - player.level
                story.add(LibraryGone(seat, EXILED, level, player.taken, number))
            elif reached and before.taken < reached[-1]:
                story.add(MarkReached(seat, reached[-1], player.level))

    def recap(self, state: GameState, effects: Iterable[Effect], seat: int) -> list[str]:
        player = _of(state, seat)
        crowned = Ruleset.recap(self, state, effects, seat)
        return [f"{player.taken} taken", f"level {player.level}", *crowned]

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
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
    summary="30 life, a deck in three parts. At 10 and 20 damage your library is exiled, and you "
    "level up.",
)
