"""Life totals that players confirm on their own phones."""

from coalition_site.lib.refusals import Refused

from ..models import Game, GameSet
from ..rules.moves import ChangeLife
from .recording import current_game, locked


def confirm(game_set: GameSet, number: int, seat: int, life: int) -> None:
    """Store that a player confirms to have so much life in a game. Repeating it changes nothing.

    :raises Refused: if the player has another total by now, or none.
    """
    if ChangeLife not in game_set.rules.moves:
        raise Refused("This format has no life totals.")
    with locked(game_set):
        game = current_game(game_set, number)
        player = game.current_state.players.get(seat)
        if player is None or player.life != life:
            raise Refused("That is not your life any more: look again.")
        confirmed = {**(game.confirmed or {}), str(seat): life}
        Game.objects.filter(pk=game.pk).update(confirmed=confirmed)
