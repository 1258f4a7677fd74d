"""What players report of themselves, as the pad and their own pages show it."""

from dataclasses import dataclass
from uuid import UUID

from ..models import Game, GameSet, Seat
from ..models.record import Phones
from ..record import proposals
from ..record.queries import CurrentGame
from ..rules.damage import Kind
from ..rules.own import brief, has_own_moves
from ..rules.words import plain
from .board import Who, who


@dataclass(frozen=True)
class Chip:
    tap_id: UUID
    text: str
    is_left: bool


@dataclass(frozen=True)
class OwnKeys:
    """The keys of a player's own page: hits ``taken`` and ``dealt`` by others, as forms send them.
    ``stamp`` changes with whom they name."""

    stamp: str
    taken: list[tuple[Who, str]]
    dealt: list[tuple[Who, str]]
    kinds: tuple[Kind, ...]


@dataclass(frozen=True)
class OwnReports:
    """Without ``keys`` the player is not in the game any more."""

    is_trusted: bool
    chips: list[Chip]
    keys: OwnKeys | None


def chips(current: CurrentGame) -> list[Chip]:
    names, found = current.game_set.names, []
    for row, move in proposals.waiting(current.game):
        text = plain([row.seat.number, ": ", *brief(move, row.seat.number)], names)
        found.append(Chip(row.tap_id, text, is_left=False))
    return found


def own_reports(game_set: GameSet, seat: Seat, game: Game | None) -> OwnReports | None:
    """Return what a player may report now; None where players may not. One query if they may."""
    if game_set.phones == Phones.OFF or game is None or game.current_state.is_over:
        return None
    if not has_own_moves(game_set.rules):
        return None
    state, number = game.current_state, seat.number
    keys = None
    if number in state.in_game:
        others = [who(game_set, other) for other in sorted(state.opponents_of(number))]
        keys = OwnKeys(
            stamp="-".join((str(game.number), *(other.text for other in others))),
            taken=[(other, f"{other.seat}.{number}") for other in others],
            dealt=[(other, f"{number}.{other.seat}") for other in others],
            kinds=game_set.rules.kinds,
        )
    own = [
        Chip(row.tap_id, plain(brief(move, number), game_set.names), is_left=bool(row.answer))
        for row, move in proposals.seen_by(seat, game)
    ]
    return OwnReports(game_set.phones == Phones.TRUSTED, own, keys)
