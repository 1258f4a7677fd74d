"""A format's rules as data, and the hooks for those that are its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from .corrections import Entry
from .damage import Hit, Kind
from .effects import Effect, MonarchChanged, ended_by
from .move import Move
from .moves import MoveHero
from .own import concerns
from .state import GameState, PlayerState
from .values import Value
from .words import Sentence, times

if TYPE_CHECKING:
    from .engine import Story
    from .taps import Tapped

Types = Set[type[Move]]


class Preparation(Value):
    """What a game's state doesn't have: its log, and until it begins, which seats are ``linked`` to
    phones and who is ``ready`` with what, by seat; 0 is the scorekeepers."""

    entries: tuple[Entry, ...]
    linked: frozenset[int]
    ready: Mapping[int, Sequence[str]]


Prepared = Callable[[], Preparation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A way to play; a set has the same ruleset for good. Each format has a subclass."""

    format: ClassVar[str]
    moves: ClassVar[frozenset[type[Move]]]
    own_moves: ClassVar[frozenset[type[Move]]] = frozenset()
    always_own: ClassVar[frozenset[type[Move]]] = frozenset()
    # Those on the pad.
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.COMBAT, Kind.OTHER)
    # They decide shared moves in the format's own way.
    overrides: ClassVar["Mapping[type, Callable[[Story, Any], None]]"] = {}
    player: ClassVar[type[PlayerState]] = PlayerState
    game: ClassVar[type[GameState]] = GameState
    # The ruleset of the tables to which its players go on.
    splits_into: ClassVar[str] = ""
    # What is in them is seen when the set is over.
    hides_decks: ClassVar[bool] = False
    has_teams: ClassVar[bool] = False
    has_turns: ClassVar[bool] = True
    # Empty for Magic.
    card_game: ClassVar[str] = ""

    # Hooks, by what they are given; None where a format has no rule of its own. ``ever`` are the
    # classes of the game's moves, also of those taken back.
    #
    # (state, move): refuses a move that can't happen now.
    before_move: ClassVar[Callable[[Any, GameState, Move], None] | None] = None
    # (before, after): refuses an entry that goes beyond a bound; not asked of a stored log.
    require_room: ClassVar[Callable[[Any, GameState, GameState], None] | None] = None
    # (state, move): refuses what only a correction may add; not asked of a stored log.
    require_addable: ClassVar[Callable[[Any, GameState, Move], None] | None] = None
    # (state, move, what looks up the preparation): refuses what comes too late now; not asked of a
    # stored log.
    require_new: ClassVar[Callable[[Any, GameState, Move, Prepared], None] | None] = None
    # (state, what was tapped, what looks up the preparation): asks before a game begins too early.
    require_ready: ClassVar["Callable[[Any, GameState, Entry | Tapped, Prepared], None] | None"] = (
        None
    )
    # (move, ever): refuses to take back or replace a move.
    require_correctable: ClassVar[Callable[[Any, Move, Types], None] | None] = None
    # (story, hits): adds what damage does besides points, life and poison; state is checked later.
    after_damage: ClassVar["Callable[[Any, Story, Sequence[Hit]], None] | None"] = None
    # (story): takes the format's own state-based actions, in a game that goes on.
    check_state: ClassVar["Callable[[Any, Story], None] | None"] = None
    # (state): what the players have to do now, that of the monarch included.
    due: ClassVar[Callable[[Any, GameState], list[Sentence]] | None] = None
    # (story, effect): adds what happens before an effect that is about to be added.
    before_effect: ClassVar["Callable[[Any, Story, Effect], None] | None"] = None
    # (story, effect, before): adds what an effect brings about; ``before`` is the state before it.
    after_effect: ClassVar["Callable[[Any, Story, Effect, GameState], None] | None"] = None

    key: str  # Stored with every set, so it never changes meaning.
    name: str
    summary: str
    players_min: int = 2
    players_max: int = 5
    players_usual: range = range(2, 6)
    games: int = 1
    life: int = 0
    # The most VP of a game, None in formats without.
    cap: int | None = None
    # Of standings in VP, as is life_breaks_ties.
    conceding_voids_set: bool = False
    # Later games go from the lowest standing to the highest; else the lowest chooses who starts.
    orders_by_standing: bool = False
    life_breaks_ties: bool = False
    # Everybody announces hero and coalition type before the first roll.
    announces_heroes: bool = False
    # How long a set should take; 0 where the rules don't say.
    minutes: int = 0
    start_note: str = ""
    seating_note: str = ""
    # Otherwise it leaves no results.
    is_ranked: bool = True
    hero_time: str = ""
    hero_source: str = ""

    def allows(self, players: int) -> bool:
        return self.players_min <= players <= self.players_max

    def teams(self, players: int) -> tuple[tuple[int, ...], ...]:
        """Return which seats win and lose together; without teams, each by itself."""
        return tuple((seat,) for seat in range(1, players + 1))

    def team_result(self, state: GameState, seats: tuple[int, ...]) -> str:
        return ""

    @property
    def has_heroes(self) -> bool:
        return MoveHero in self.moves

    @property
    def has_sideboards(self) -> bool:
        return self.games > 1

    @property
    def title(self) -> str:
        return f"{self.name} ({self.card_game})" if self.card_game else self.name

    @property
    def players_text(self) -> str:
        return f"{self.players_min} to {self.players_max}"

    def begin(self, state: GameState) -> GameState:
        return state

    def scores(self, hit: Hit) -> bool:
        return False

    def points(self, dealt: int, so_far: int) -> int:
        return 0

    def bonus(self, so_far: int, *, conceded_to: bool = False) -> int:
        return 0

    def is_own(self, state: GameState, move: Move, seat: int) -> bool:
        """Return whether a player may report a move, instead of the scorekeeper."""
        return type(move) in self.own_moves and concerns(move, seat)

    def ending(self, state: GameState) -> str:
        return ended_by(state.ended_by or "", self.cap)

    def recap(self, state: GameState, effects: Iterable[Effect], seat: int) -> list[str]:
        crowned = sum(effect == MonarchChanged(seat) for effect in effects)
        return [f"crowned {times(crowned)}"] if crowned else []

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
        """Return what ``replay`` prints of a game, besides how it ended."""
        players = {names[seat]: state.players[seat] for seat in sorted(state.players)}
        return {
            "life": {name: player.life for name, player in players.items()},
            "poison": {name: player.poison for name, player in players.items()},
            "out": {name: player.out for name, player in players.items() if player.out},
            "active": names[state.active],
            "monarch": state.monarch and names[state.monarch],
        }
