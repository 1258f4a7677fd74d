"""A draft on pages: what is public of its players, and the tables that they went on to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..access import is_open_to_all_of
from ..models import Game, GameSet
from ..record import dice, queries
from ..record.queries import CurrentGame, Played
from ..rules.formats.conspiracy_draft.state import DraftGame, DraftPlayer, draft_of, player_of
from ..rules.move import Move
from ..rules.splitting import FEWEST
from ..rules.state import GameState
from ..tables import standings
from ..tables.additions import Additions
from ..tables.board import Who, who
from . import splits
from .drafting import ACTING, Acting, check_noted, check_taken, find_acting

Rolls = list[tuple[Who, str]]


class Split(NamedTuple):
    """Where the players of a draft go on. Once it ``is_split`` there may be tables that not every
    visitor may see. ``rolls`` say who sits where unless it is drawn again."""

    games: list[dict[str, Any]]
    is_split: bool
    are_enough: bool
    rolls: Rolls
    stamp: str


def drafted_games(
    draft: GameSet, state: GameState, tables: Sequence[Played]
) -> list[dict[str, Any]]:
    """The latest first. The rolls, in seating order, are none where no draw seated the tables."""
    games = []
    for number, of_game in splits.of_games(tables).items():
        names = [name for seated, _ in of_game for name in seated.names.values()]
        times = splits.times_drawn(draft, state, number, names)
        seats = [seat for seated, _ in of_game for seat in splits.seats_in(draft, seated)]
        rolls = shown_rolls(draft, seats, splits.Drawn(number, times)) if times else []
        shown = []
        for seated, played in of_game:
            now = queries.set_state(seated, played)
            going = "Being played" if played else "Not begun"
            table = {
                "code": seated.code,
                "players": [who(seated, seat) for seat in seated.names],
                "flag": "Finished" if now.is_finished else going,
                "is_finished": now.is_finished,
                "result": standings.in_words(seated, now),
            }
            shown.append(table)
        games.append({"number": number, "tables": shown, "times": times, "rolls": rolls})
    return games[::-1]


def shown_rolls(draft: GameSet, order: Sequence[int], drawn: splits.Drawn) -> Rolls:
    rolled = splits.rolls(draft, drawn.game, drawn.times)
    return [(who(draft, seat), standings.shown_roll(rolled[seat])) for seat in order]


def waiting(player: DraftPlayer) -> list[Acting]:
    """Return the cards that a player revealed, and for which a note is still to be taken."""
    noted = Counter(card for card in (find_acting(note.card) for note in player.notes) if card)
    shown = Counter(card for card in map(find_acting, player.revealed) if card and card.waits)
    return list((shown - noted).elements())


def notes(game_set: GameSet) -> dict[str, Any] | None:
    """Return what a table's players noted in the draft that they come from; None where some who see
    the table may not see the draft. One query, or none without a draft."""
    if game_set.draft_id is None:
        return None
    games = Game.objects.select_related("game_set__playgroup")
    game = games.filter(game_set=game_set.draft_id, taken_back=False).first()
    if game is None or not is_open_to_all_of(game.game_set, game_set):
        return None
    draft, state = game.game_set, game.current_state
    by_name = {draft.names[seat]: player_of(state, seat).notes for seat in state.players}
    noted = [(who(game_set, seat), by_name.get(name)) for seat, name in game_set.names.items()]
    return {"draft": draft.code, "players": [row for row in noted if row[1]]}


class DraftRow(NamedTuple):
    """``passes_to`` is None for a player who left, and once the draft is over."""

    passes_to: Who | None
    player: DraftPlayer


class DraftAdditions(Additions):
    reported = "their own cards face up, revealed and noted, and that all have picked"

    def rows(self, current: CurrentGame) -> dict[int, DraftRow]:
        state = draft_of(current.state)
        passes = {} if state.is_over else state.passes
        return {
            seat: DraftRow(
                who(current.game_set, passes[seat]) if seat in passes else None,
                player_of(state, seat),
            )
            for seat in state.players
        }

    def board(self, current: CurrentGame) -> DraftGame:
        return draft_of(current.state)

    def for_scorekeeper(self, current: CurrentGame, cookies: Mapping[str, str]) -> dict[str, Any]:
        game_set, state = current.game_set, current.state
        return {
            "cards": ACTING,
            "act_order": act_order(game_set, current.game),
            "acting": find_acting,
            "waiting": [
                (who(game_set, seat), card.name)
                for seat in state.in_game
                for card in waiting(player_of(state, seat))
            ],
        }

    def for_seat(self, current: CurrentGame, seat: int, cookies: Mapping[str, str]) -> Any:
        player = current.state.players.get(seat)
        cards = player.face_up if isinstance(player, DraftPlayer) else ()
        return {"cards": ACTING, "face_up": [(card, find_acting(card)) for card in cards]}

    def check(self, move: Move, typed: Mapping[str, str], game: Game | None) -> None:
        check_taken(move, typed.get("asked", ""))
        check_noted(move)

    def sequel(self, game_set: GameSet, game: Game) -> Split:
        state = game.current_state
        tables = queries.tables_of(game_set)
        visible = [each for each in tables if is_open_to_all_of(each[0], game_set)]
        drawn = splits.Drawn(times=draft_of(state).times_drawn(1))
        order = splits.order(game_set, state, drawn)
        return Split(
            games=drafted_games(game_set, state, visible),
            is_split=bool(tables),
            are_enough=len(order) >= FEWEST,
            rolls=[] if tables else shown_rolls(game_set, order, drawn),
            stamp=",".join(queries.version(seated, played) for seated, played in visible),
        )


def act_order(game_set: GameSet, game: Game) -> list[Who]:
    """Return who acts first if several want to act at once, as rolled for this moment."""
    state = game.current_state
    order = dice.highest_first(dice.roll(game_set.seed, 1000 + game.length, state.in_game))
    acting = [who(game_set, seat) for seat in order if player_of(state, seat).face_up]
    return acting if len(acting) > 1 else []
