"""Moves for random play that random values would hardly ever produce."""

from ..rules.formats.conspiracy import zone
from ..rules.formats.conspiracy.combat import Attack, EndGoad, MoveGoaded
from ..rules.formats.conspiracy.council import CastVote
from ..rules.formats.conspiracy.state import game_of
from ..rules.formats.conspiracy.zone import Disclose, PutAgenda, PutConspiracy
from ..rules.formats.conspiracy_draft import TurnDown
from ..rules.formats.conspiracy_draft.state import DraftPlayer
from ..rules.move import Move
from ..rules.moves import Concede
from ..rules.state import GameState


def likely_in_draft(state: GameState) -> tuple[Move, ...]:
    return tuple(
        TurnDown(seat, card)
        for seat, player in state.players.items()
        if player.out is None and isinstance(player, DraftPlayer)
        for card in player.face_up
    )


def likely_in_game(state: GameState) -> tuple[Move, ...]:
    game = game_of(state)
    if game.vote and game.votes_next:
        return tuple(CastVote(game.votes_next, option) for option in game.vote.options)
    seat, other = state.in_game[0], state.in_game[-1]
    opened = zone.sealed(seat, "0" * zone.SALT_LENGTH, "Hymn of the Wilds", ("Forest",))
    lost = zone.seal(other, "", "Natural Unity", ("Elf",))
    if not game.has_begun:
        return (
            PutConspiracy(seat, "Sovereign's Realm"),
            PutAgenda(seat, opened.seal),
            PutAgenda(other, lost),
        )
    owed = [(player, seal) for seal, player in game.unproved.items() if player in game.owing]
    if owed:
        return tuple(Disclose(*agenda, opened.card, opened.names) for agenda in owed)
    if not game.goads:
        return opened, Attack(seat, (other,)), Attack(other, (seat,)), Concede(other)
    _, creature, controller = game.goads[0]
    return EndGoad(creature, controller), MoveGoaded(creature, controller, seat)
