"""Proposals: what players report of themselves, for the scorekeeper to take or leave."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from coalition_site.lib.refusals import Refused

from .. import access
from ..models import Game, GameSet, Proposal, Seat
from ..models.proposals import Answer
from ..models.record import Phones
from ..rules import engine
from ..rules.move import Move
from ..setlog import codec
from . import queries
from .recording import current_game, locked

WAITING_MAX = 6  # of a player
NOT_YOURS = "Only the scorekeeper can record that."
TOO_MANY = f"{WAITING_MAX} of yours are waiting. The scorekeeper has to take or leave one first."
ANSWERED = "That was answered already, or taken back by the player."


def set_phones(game_set: GameSet, phones: Phones) -> None:
    """Say what players do on their own phones from now on. What waits is left."""
    with locked(game_set):
        if game_set.phones != phones:
            game_set.phones = phones
            game_set.save(update_fields=["phones"])
            Proposal.objects.filter(game_set=game_set, answer="").update(answer=Answer.LEFT)


def propose(seat: Seat, number: int, move: Move, tap_id: UUID) -> None:
    """A ``tap_id`` that the set has seen changes nothing.

    :raises Refused: if players may not propose that, or if the rules refuse it now.
    """
    game_set = seat.game_set
    with locked(game_set):
        game = current_game(game_set, number)
        if not access.may_propose(seat, game, move):
            raise Refused(NOT_YOURS)
        is_recorded = queries.event_of(game_set, number, tap_id) is not None
        if is_recorded or was_proposed(game_set, tap_id):
            return
        engine.decide(game.current_state, move)
        if game.proposals.filter(seat=seat, answer="").count() >= WAITING_MAX:
            raise Refused(TOO_MANY)
        Proposal.objects.create(
            game_set=game_set,
            game=game,
            seat=seat,
            tap_id=tap_id,
            move=codec.write_entry(move, codec.KEY_BY_SEAT),
            at=timezone.now(),
        )


def was_proposed(game_set: GameSet, tap_id: UUID) -> bool:
    return Proposal.objects.filter(game_set=game_set, tap_id=tap_id).exists()


def waiting(game: Game) -> list[tuple[Proposal, Move]]:
    return _with_moves(game.proposals.filter(answer=""))


def seen_by(seat: Seat, game: Game) -> list[tuple[Proposal, Move]]:
    """Return what a player has proposed in a game that waits, or was left and not put away yet."""
    return _with_moves(game.proposals.filter(seat=seat, answer__in=["", Answer.LEFT]))


def _with_moves(proposals: QuerySet[Proposal]) -> list[tuple[Proposal, Move]]:
    rows = proposals.select_related("seat").order_by("pk")
    return [(row, codec.stored_move(row.move)) for row in rows]


@contextmanager
def taking(game_set: GameSet, number: int, proposed: UUID, tap_id: UUID) -> Iterator[Move]:
    """Take a proposal, if what is then done with its move succeeds.

    :raises Refused: if it does not wait, and was not taken by this very tap.
    """
    with locked(game_set):
        proposal = _find(game_set, number, proposed).first()
        is_taken = proposal is not None and proposal.answer == Answer.TAKEN
        is_repeated = is_taken and queries.event_of(game_set, number, tap_id) is not None
        if proposal is None or (proposal.answer and not is_repeated):
            raise Refused(ANSWERED)
        proposal.answer = Answer.TAKEN
        proposal.save(update_fields=["answer"])
        yield codec.stored_move(proposal.move)


def leave(game_set: GameSet, number: int, proposed: UUID) -> None:
    _find(game_set, number, proposed).filter(answer="").update(answer=Answer.LEFT)


def drop(seat: Seat, number: int, proposed: UUID) -> None:
    """Take back what waits at a seat, or put away what was left."""
    own = _find(seat.game_set, number, proposed).filter(seat=seat)
    own.filter(answer__in=["", Answer.LEFT]).update(answer=Answer.DROPPED)


def _find(game_set: GameSet, number: int, proposed: UUID) -> QuerySet[Proposal]:
    of_game = Proposal.objects.filter(
        game_set=game_set, game__number=number, game__taken_back=False
    )
    return of_game.filter(tap_id=proposed)
