"""A draft's players at their tables: everybody rolls, and sits in the order of the rolls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..access import is_open_to_all_of
from ..groups import set_membership
from ..models import Game, Seat
from ..pages import standings
from ..pages.board import Who, who
from ..play import commands, dice, queries
from ..play.queries import Table
from ..play.recording import held
from ..rules.errors import RuleError
from ..rules.formats import RULESETS
from ..rules.splitting import FEWEST, tables_of
from ..rules.state import GameState
from ..setlog import codec

ROLL = 2  # of the set's dice: the first is for the start of its one game


class StillDrafting(RuleError):
    code = "still_drafting"
    text = "The draft is not over."
    advice = "End it first, then split."


def rolls(table: Table) -> dice.Rolls:
    """Return what everybody at a draft rolls; who leaves changes nobody else's roll."""
    return dice.roll(table.game_set.seed, ROLL, table.names)


def order(table: Table, state: GameState) -> tuple[int, ...]:
    """Return those who stayed to the end of a draft in the order in which they sit."""
    return tuple(seat for seat in dice.highest_first(rolls(table)) if seat in state.in_game)


def split(table: Table, key: Callable[[int], str]) -> list[Table]:
    """Seat a draft's players at tables, and start their first games; asked again, return those.

    ``key`` gives the scorekeeper's secret of each table by its number, from 1.

    :raises RuleError: if the draft goes on, or too few stayed. Nothing is stored then.
    :raises GroupRefused: if two of a table are the same person in the draft's playgroup.
    """
    with held(table):
        made = [one for one, _ in queries.tables_of(table.game_set)]
        if made:
            return made
        game = queries.find_game(table, 1)
        state = codec.read_state(game.state) if game else None
        if state is None or not state.is_over:
            raise StillDrafting()
        seated = tables_of(order(table, state))
        return [_seat(table, seats, key(number)) for number, seats in enumerate(seated, 1)]


def _seat(draft: Table, seats: Sequence[int], key: str) -> Table:
    """Seat one table, in the draft's playgroup with the players that it knows."""
    ruleset = RULESETS[draft.ruleset.splits_into]
    names = [draft.names[seat] for seat in seats]
    table = commands.create_set(ruleset, names, key=key, draft=draft.game_set)
    if draft.game_set.playgroup:
        found = Seat.objects.filter(game_set=draft.game_set).select_related("player")
        people = {seat.number: seat.player.name for seat in found if seat.player}
        called = {number: people.get(seat, "") for number, seat in enumerate(seats, 1)}
        set_membership.take(table, draft.game_set.playgroup, called)
    commands.start_game(table, 1)
    return table


# --- what pages show ---
def shown(table: Table, game: Game) -> dict[str, Any]:
    """Return what the pages of a draft that is over show: rolls, tables, and how these stand.

    ``stamp`` changes with all that. Two queries.
    """
    state = codec.read_state(game.state)
    all_made = queries.tables_of(table.game_set)
    made = [
        (one, played) for one, played in all_made if is_open_to_all_of(one.game_set, table.game_set)
    ]
    seated = [
        {
            "code": one.game_set.code,
            "players": [who(one, seat) for seat in one.names],
            **_stands(one, played),
        }
        for one, played in made
    ]
    rolled = rolls(table)
    by_rolls = [
        (who(table, seat), standings.shown_roll(rolled[seat])) for seat in order(table, state)
    ]
    return {
        "tables": seated,
        "is_split": bool(all_made),
        "are_enough": len(by_rolls) >= FEWEST,
        "rolls": by_rolls if not made or _are_rolled(by_rolls, made) else [],
        "stamp": ",".join(queries.version(one, played) for one, played in made),
    }


def _stands(table: Table, played: list[Game]) -> dict[str, Any]:
    state = queries.set_state(table, played)
    flag = "Finished" if state.is_finished else "Being played" if played else "Not begun"
    return {
        "flag": flag,
        "is_finished": state.is_finished,
        "told": standings.in_words(table, state),
    }


def _are_rolled(rolled: list[tuple[Who, str]], made: list[tuple[Table, list[Game]]]) -> bool:
    """Say whether tables are as the rolls would have it: those of a read file have other dice."""
    sitting = [name for table, _ in made for name in table.names.values()]
    return [player.name for player, _ in rolled] == sitting


def act_order(table: Table, game: Game) -> list[Who]:
    """Return in which order those act who want to at the same time, as rolled for this moment."""
    state = codec.read_state(game.state)
    rolled = dice.roll(table.game_set.seed, 1000 + game.length, state.in_game)
    return [who(table, seat) for seat in dice.highest_first(rolled)]


def notes(table: Table) -> dict[str, Any]:
    """Return what a table's players noted in the draft that they come from, by player.

    Nothing without a draft, or where not all who see the table may see that. One query, or none.
    """
    if table.game_set.draft_id is None:
        return {}
    found = Game.objects.select_related("game_set__playgroup").filter(
        game_set=table.game_set.draft_id, taken_back=False
    )
    game = found.first()
    if game is None or not is_open_to_all_of(game.game_set, table.game_set):
        return {}
    draft, state = Table(game.game_set), codec.read_state(game.state)
    by_name = {name: state.players[seat] for seat, name in draft.names.items()}
    noted = [
        (who(table, seat), by_name[name].notes)
        for seat, name in table.names.items()
        if name in by_name and by_name[name].notes
    ]
    return {"draft": game.game_set.code, "noted": noted}
