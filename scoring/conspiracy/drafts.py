"""A draft on pages: what is public of its players, and the tables that they went on to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..access import is_open_to_all_of
from ..models import Game, GameSet
from ..pages import standings
from ..pages.additions import Additions
from ..pages.board import CurrentGame, Who, who
from ..play import dice, queries
from ..rules.formats.conspiracy_draft.state import DraftGame, DraftPlayer
from ..rules.move import Move
from ..rules.splitting import FEWEST
from ..rules.state import GameState
from . import splits
from .drafting import ACTING, Acting, check_noted, check_taken, find


# --- what pages show ---
@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of a draft's players, and how its set stands."""

    code: str
    players: list[Who]
    flag: str
    is_finished: bool
    result: str


@dataclass(frozen=True, slots=True)
class DraftedGame:
    """The tables of one game of a draft that a visitor may see, the first game being number 1.

    ``rolls`` are in seating order, of the draw that seated them; none where no draw did.
    """

    number: int
    tables: list[SeatedTable]
    times: int
    rolls: list[tuple[Who, str]]


@dataclass(frozen=True, slots=True)
class Split:
    """Where the players of a draft go on; the latest of its ``games`` is the first. Once it
    ``is_split`` there may be tables that not every visitor may see.

    ``rolls`` say who sits where unless it is drawn again.
    """

    games: list[DraftedGame]
    is_split: bool
    are_enough: bool
    rolls: list[tuple[Who, str]]
    stamp: str

    def table_of(self, name: str) -> str:
        """Return the code of the latest table at which a player sits, "" if there is none."""
        tables = (table for game in self.games for table in game.tables)
        codes = (table.code for table in tables if name in [each.name for each in table.players])
        return next(codes, "")


def split_of(game_set: GameSet, game: Game) -> Split:
    """Return how the players of a draft that is over split into tables. Two queries."""
    state = game.current_state
    tables = queries.tables_of(game_set)
    visible = [each for each in tables if is_open_to_all_of(each[0], game_set)]
    order = splits.order(game_set, state)
    return Split(
        games=drafted_games(game_set, state, visible),
        is_split=bool(tables),
        are_enough=len(order) >= FEWEST,
        rolls=[] if tables else shown_rolls(game_set, order, splits.Drawn()),
        stamp=",".join(queries.version(seated, played) for seated, played in visible),
    )


def drafted_games(
    game_set: GameSet, state: GameState, tables: Sequence[tuple[GameSet, list[Game]]]
) -> list[DraftedGame]:
    """Return the games of a draft, the latest first."""
    by_game = splits.of_games(tables)
    return [_drafted_game(game_set, state, *by_game_of) for by_game_of in by_game.items()][::-1]


def _drafted_game(
    draft: GameSet, state: GameState, number: int, tables: list[tuple[GameSet, list[Game]]]
) -> DraftedGame:
    names = [name for seated, _ in tables for name in seated.names.values()]
    times = splits.times_drawn(draft, state, number, names)
    seats = [seat for seated, _ in tables for seat in splits.seats_in(draft, seated)]
    drawn = splits.Drawn(number, times)
    return DraftedGame(
        number=number,
        tables=[_seated_table(*each) for each in tables],
        times=times,
        rolls=shown_rolls(draft, seats, drawn) if times else [],
    )


def shown_rolls(draft: GameSet, order: Sequence[int], drawn: splits.Drawn) -> list[tuple[Who, str]]:
    """Return players with what they rolled."""
    rolled = splits.rolls(draft, drawn.game, drawn.times)
    return [(who(draft, seat), standings.shown_roll(rolled[seat])) for seat in order]


def _seated_table(game_set: GameSet, played: list[Game]) -> SeatedTable:
    state = queries.set_state(game_set, played)
    return SeatedTable(
        code=game_set.code,
        players=[who(game_set, seat) for seat in game_set.names],
        flag="Finished" if state.is_finished else "Being played" if played else "Not begun",
        is_finished=state.is_finished,
        result=standings.in_words(game_set, state),
    )


def act_order(game_set: GameSet, game: Game) -> list[Who]:
    """Return who acts first if several want to act at once, as rolled for this moment.

    Only cards that lie face up act at any time; where fewer than two players have one, nobody waits
    for another.
    """
    state = game.current_state
    rolled = dice.roll(game_set.seed, 1000 + game.length, state.in_game)
    order = dice.highest_first(rolled)
    acting = [who(game_set, seat) for seat in order if player_in(state, seat).face_up]
    return acting if len(acting) > 1 else []


@dataclass(frozen=True, slots=True)
class NoteShown:
    """What a player noted for a card."""

    card: str
    text: str


@dataclass(frozen=True, slots=True)
class DraftNotes:
    """What the players of a table noted in the draft that they come from; ``draft`` is its code."""

    draft: str
    players: list[tuple[Who, list[NoteShown]]]


def shown_notes(player: DraftPlayer) -> list[NoteShown]:
    """Return what a player of a draft noted, in that order."""
    return [NoteShown(note.card, note.text) for note in player.notes]


def waiting(player: DraftPlayer) -> list[Acting]:
    """Return the cards that a player revealed, and for which a note is taken later: not yet."""
    noted = Counter(card for card in (find(note.card) for note in player.notes) if card)
    shown = Counter(card for card in map(find, player.revealed) if card and card.waits)
    return list((shown - noted).elements())


def notes(game_set: GameSet) -> DraftNotes | None:
    """Return what a table's players noted in the draft that they come from.

    None without a draft, or where some who see the table may not see the draft. One query, or none.
    """
    if game_set.draft_id is None:
        return None
    games = Game.objects.select_related("game_set__playgroup").filter(
        game_set=game_set.draft_id, taken_back=False
    )
    game = games.first()
    if game is None or not is_open_to_all_of(game.game_set, game_set):
        return None
    draft, state = game.game_set, game.current_state
    by_name = {
        name: shown_notes(player_in(state, seat))
        for seat, name in draft.names.items()
        if seat in state.players
    }
    noted = [(who(game_set, seat), by_name.get(name, [])) for seat, name in game_set.names.items()]
    return DraftNotes(draft.code, [row for row in noted if row[1]])


@dataclass(frozen=True, slots=True)
class DraftRow:
    """``passes_to`` is None for a player who left, and once the draft is over."""

    passes_to: Who | None
    face_up: tuple[str, ...]
    revealed: tuple[str, ...]
    notes: tuple[NoteShown, ...]


@dataclass(frozen=True, slots=True)
class DraftBoard:
    """``has_next_round`` while one of the usual rounds is ahead. ``pick`` is the card of the round
    that is drafted now, out of packs with ``pack_left`` cards; 0 where picks are not counted.
    """

    round: int
    has_next_round: bool
    direction: str
    pick: int
    pack_left: int


@dataclass(frozen=True, slots=True)
class DraftAids:
    """``cards`` act in a draft; ``act_order`` as rolled for this moment, of those who can act.

    ``acting`` finds a card that acts by its name. ``waiting`` are cards that were revealed, each
    with who has yet to note something for it.
    """

    cards: Sequence[str]
    act_order: list[Who]
    acting: Callable[[str], Acting | None]
    waiting: list[tuple[Who, str]]


class DraftAdditions(Additions):
    """A draft of Conspiracy on pages."""

    def rows(self, current: CurrentGame) -> dict[int, DraftRow]:
        state = _draft_in(current.state)
        passes = {} if state.is_over else state.passes
        players = {seat: player_in(state, seat) for seat in state.players}
        return {
            seat: DraftRow(
                passes_to=who(current.game_set, passes[seat]) if seat in passes else None,
                face_up=player.face_up,
                revealed=player.revealed,
                notes=tuple(shown_notes(player)),
            )
            for seat, player in players.items()
        }

    def board(self, current: CurrentGame) -> DraftBoard:
        state = _draft_in(current.state)
        return DraftBoard(
            round=state.round,
            has_next_round=state.is_usual,
            direction=state.direction,
            pick=state.pick if state.passed else 0,
            pack_left=state.pack_left,
        )

    def for_scorekeeper(self, current: CurrentGame, cookies: Mapping[str, str]) -> DraftAids:
        order = act_order(current.game_set, current.game)
        state = _draft_in(current.state)
        notes = [
            (who(current.game_set, seat), card.name)
            for seat in state.in_game
            for card in waiting(player_in(state, seat))
        ]
        return DraftAids(tuple(ACTING), order, find, notes)

    def check(self, move: Move, typed: Mapping[str, str]) -> None:
        check_taken(move, typed.get("asked", ""))
        check_noted(move)

    def sequel(self, game_set: GameSet, game: Game) -> Split:
        return split_of(game_set, game)


def _draft_in(state: GameState) -> DraftGame:
    assert isinstance(state, DraftGame)
    return state


def player_in(state: GameState, seat: int) -> DraftPlayer:
    """Return a player of a draft."""
    player = state.players[seat]
    assert isinstance(player, DraftPlayer)
    return player
