"""What is public of the draft of Conspiracy (003): rounds and picks, cards face up, and notes."""

from dataclasses import field
from typing import ClassVar, NamedTuple

from ...state import GameState, PlayerState

ROUNDS = 3  # usually; there may be more
PACK = 15  # cards in a booster pack

LEFT, RIGHT = "left", "right"


class Note(NamedTuple):
    card: str
    number: int | None = None
    name: str = ""

    @property
    def text(self) -> str:
        return ", ".join(filter(None, ("" if self.number is None else str(self.number), self.name)))


class DraftPlayer(PlayerState):
    stored: ClassVar[tuple[str, ...]] = (*PlayerState.stored, "face_up", "revealed", "notes")

    face_up: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    notes: tuple[Note, ...] = field(default=(), metadata={"of": Note})

    def changes(self, was: PlayerState) -> list[str]:
        assert isinstance(was, DraftPlayer)
        changes = _differing("face up", was.face_up, self.face_up)
        changes += _differing("revealed", was.revealed, self.revealed)
        return changes + _differing("noted", _texts(was.notes), _texts(self.notes))


def _texts(notes: tuple[Note, ...]) -> tuple[str, ...]:
    return tuple(f"{note.text} for {note.card}" for note in notes)


def _differing(what: str, was: tuple[str, ...], now: tuple[str, ...]) -> list[str]:
    if was == now:
        return []
    return [f"{what}: {', '.join(was) or 'nothing'} → {', '.join(now) or 'nothing'}"]


def direction_of(round: int) -> str:
    """Left is clockwise."""
    return LEFT if round % 2 else RIGHT


class DraftGame(GameState):
    """``round`` counts from 1: a draft begins with it. ``passed`` are the picks of this round after
    which all passed; a table that does not count them leaves it at 0. ``draws`` says by game how
    often its tables were drawn.
    """

    stored: ClassVar[tuple[str, ...]] = ("round", "passed", "draws")

    round: int = 1
    passed: int = 0
    draws: tuple[int, ...] = ()

    def times_drawn(self, game: int) -> int:
        return self.draws[game - 1] if game <= len(self.draws) else 1

    @property
    def direction(self) -> str:
        return direction_of(self.round)

    @property
    def marks(self) -> str:
        return f"-{self.round}-{self.passed}"

    @property
    def headline(self) -> str:
        """The direction, first since the rest may be cut off, then the round and a counted pick."""
        pick = f" · pick {self.pick}" if self.passed else ""
        return f"Pass {self.direction} · round {self.round}{pick}"

    @property
    def pick(self) -> int:
        return self.passed + 1  # 1 as well where nobody counts

    @property
    def pack_left(self) -> int:
        return max(0, PACK - self.passed)

    @property
    def is_usual(self) -> bool:
        return self.round < ROUNDS

    @property
    def passes(self) -> dict[int, int]:
        """To whom each player passes; those who left are skipped."""
        order = self.in_game if self.direction == LEFT else self.in_game[::-1]
        return dict(zip(order, order[1:] + order[:1], strict=True))

    def changes(self, was: GameState) -> list[str]:
        assert isinstance(was, DraftGame)
        counts = (("round", was.round, self.round), ("pick", was.pick, self.pick))
        return [f"{what} {old} → {new}" for what, old, new in counts if old != new]


draft_of, player_of = DraftGame.of, DraftPlayer.of
