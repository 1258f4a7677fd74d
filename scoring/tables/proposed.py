"""What players report of themselves, as the pad and their own pages show it."""

from typing import Any

from ..models import Game, GameSet, Seat
from ..models.record import Phones
from ..record import proposals
from ..record.queries import CurrentGame
from ..rules.moves import ChangeLife
from ..rules.own import brief
from ..rules.words import plain
from .board import who


def chips(current: CurrentGame) -> list[dict[str, Any]]:
    names, found = current.game_set.names, []
    for row, move in proposals.waiting(current.game):
        text = plain(brief(move, row.seat.number), names)
        found.append({"tap_id": row.tap_id, "text": text})
    return found


def own_reports(game_set: GameSet, seat: Seat, game: Game | None) -> dict[str, Any] | None:
    """Return what a player may report now; None where players may not. One query if they may."""
    if game_set.phones == Phones.OFF or game is None or game.current_state.is_over:
        return None
    state, number = game.current_state, seat.number
    others = [who(game_set, other) for other in sorted(state.opponents_of(number))]
    return {
        "is_trusted": game_set.phones == Phones.TRUSTED,
        "chips": [
            {
                "tap_id": row.tap_id,
                "text": plain(brief(move, number), game_set.names),
                "is_left": bool(row.answer),
            }
            for row, move in proposals.seen_by(seat, game)
        ],
        "is_in_game": number in state.in_game,
        "has_life": ChangeLife in game_set.rules.own_moves,
        # Hits by others and of others, as forms send them; the stamp changes with whom they name.
        "stamp": "-".join((str(game.number), *(other.text for other in others))),
        "taken": [(other, f"{other.seat}.{number}") for other in others],
        "dealt": [(other, f"{number}.{other.seat}") for other in others],
        "kinds": game_set.rules.kinds,
    }
