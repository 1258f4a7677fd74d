"""What players report of themselves, as the pad and their own pages show it."""

from collections.abc import Iterable
from typing import Any

from ..models import Game, GameSet, Proposal, Seat
from ..models.record import Phones
from ..record import proposals
from ..rules.move import Move
from ..rules.moves import ChangeLife
from ..rules.own import brief
from ..rules.words import plain
from .board import who


def chips(game_set: GameSet, reported: Iterable[tuple[Proposal, Move]]) -> list[dict[str, Any]]:
    return [
        {
            "tap_id": row.tap_id,
            "text": plain(brief(move, row.seat.number), game_set.names),
            "is_left": bool(row.answer),
        }
        for row, move in reported
    ]


def own_reports(
    game_set: GameSet, seat: Seat, game: Game | None, in_use: str
) -> dict[str, Any] | None:
    """Return what a player may report now; None where players may not. One query if they may."""
    if game_set.phones == Phones.OFF or game is None or game.current_state.is_over:
        return None
    state, number = game.current_state, seat.number
    others = [who(game_set, other) for other in sorted(state.opponents_of(number))]
    stamp = "-".join((str(game.number), *(other.text for other in others)))
    return {
        "is_trusted": game_set.phones == Phones.TRUSTED,
        "chips": chips(game_set, proposals.seen_by(seat, game)),
        "is_in_game": number in state.in_game,
        "has_life": ChangeLife in game_set.rules.own_moves,
        # Hits by others and of others, as forms send them. The stamp changes with whom they name,
        # but those in use stay during their game.
        "stamp": in_use if in_use.partition("-")[0] == str(game.number) else stamp,
        "taken": [(other, f"{other.seat}.{number}") for other in others],
        "dealt": [(other, f"{number}.{other.seat}") for other in others],
        "kinds": game_set.rules.kinds,
    }
