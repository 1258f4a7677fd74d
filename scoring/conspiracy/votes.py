"""A vote called by a card, and one taken back as a whole: the call, and all votes after it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid5

from coalition_site.lib.refusals import Refused

from ..models import Game, GameSet
from ..play import commands, queries
from ..play.recording import locked
from ..rules.corrections import Undo
from ..rules.errors import RuleError
from ..rules.formats.conspiracy import CallVote, CastVote
from ..rules.formats.conspiracy.council import OthersCall
from ..rules.formats.conspiracy.counting import DILEMMA, WILL
from ..rules.formats.conspiracy.state import ConspiracyGame
from ..rules.possible import refusal
from ..rules.taps import require_seen
from . import naming
from .cards import VOTES


def of_card(listed: str, typed: str, seat: int) -> CallVote:
    """Return how a player calls the vote of a listed card, or else of the one that was typed.

    :raises NotACard: if that is no card, or if it names no options.
    """
    if listed:
        return CallVote(seat, DILEMMA, VOTES[listed], listed)
    card, kind, options = naming.called(typed)
    return CallVote(seat, kind, options, card)


def closed(state: ConspiracyGame, seat: int) -> RuleError | None:
    """Return why a player can't call a vote on the own phone now, None if the player can."""
    return others_turn(state, seat) or refusal(state, CallVote(seat, WILL, ("yes", "no")))


def others_turn(state: ConspiracyGame, seat: int) -> RuleError | None:
    has_turn = state.is_over or state.active == seat
    return None if has_turn else OthersCall(player=state.active)


class NoVoteToTakeBack(Refused):
    """Something else has happened since the vote, or there was none."""


def take_back(
    game_set: GameSet, number: int, tap_id: UUID, at: datetime, by: int, seen: str = ""
) -> None:
    """Undo the latest vote: each vote cast, from the last to the first, and the call.

    A repeated tap changes nothing. ``seen`` is what its page showed of the game.

    :raises Meanwhile: if that vote has gone on since.
    :raises NoVoteToTakeBack: if the latest event in force is of no vote.
    """
    with locked(game_set):
        if queries.event_of(game_set, number, tap_id):
            return
        game = queries.find_game(game_set, number)
        if game and seen:
            require_seen(game.current_state, seen, ("vote",))
        for place, event in enumerate(_events(game) if game else ()):
            id = uuid5(tap_id, str(place)) if place else tap_id
            commands.record(game_set, number, Undo(event), tap_id=id, at=at, by=by)


def _events(game: Game) -> list[int]:
    events = []
    for line in reversed(queries.replayed_log(game, queries.rows(game)).lines):
        if isinstance(line.move, CallVote | CastVote):
            events.append(line.number)
        if isinstance(line.move, CallVote):
            return events
        if not isinstance(line.move, CastVote):
            break
    raise NoVoteToTakeBack(
        "There is no vote to take back, or something else has happened since: strike its lines in "
        "the log."
    )
