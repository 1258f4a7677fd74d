"""A draft on pages, and its players' way to tables: all roll, and sit in the order of the rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..access import is_open_to_all_of
from ..groups import set_membership
from ..models import Game, GameSet, Seat
from ..pages import standings
from ..pages.additions import Additions
from ..pages.board import CurrentGame, Who, who
from ..play import commands, dice, queries
from ..play.recording import locked
from ..rules.errors import RuleError
from ..rules.formats import RULESETS
from ..rules.formats.conspiracy_draft import DraftGame, DraftPlayer
from ..rules.splitting import FEWEST, tables_of
from ..rules.state import GameState
from .cards import IN_THE_DRAFT

ROLL = 2  # of the set's dice; roll 1 is for the start of its only game


class StillDrafting(RuleError):
    code = "still_drafting"
    text = "The draft is not over."
    advice = "End it first, then split."


def rolls(game_set: GameSet) -> dice.Rolls:
    """Return everybody's rolls after a draft; a player who leaves changes nobody else's roll."""
    return dice.roll(game_set.seed, ROLL, game_set.names)


def order(game_set: GameSet, state: GameState) -> tuple[int, ...]:
    """Return the players who stayed to the end of a draft, in seating order."""
    return tuple(seat for seat in dice.highest_first(rolls(game_set)) if seat in state.in_game)


def split(game_set: GameSet, key: Callable[[int], str]) -> list[GameSet]:
    """Seat a draft's players at tables and start their games; if that is done, return the tables.

    ``key`` returns the scorekeeper's key of a table by its number, from 1.

    :raises RuleError: if the draft is not over, or too few stayed. Nothing is stored then.
    :raises GroupRefused: if two players of a table are the same person in the draft's playgroup.
    """
    with locked(game_set):
        # Two phones may split at once: the second gets the tables of the first.
        tables = [seated for seated, _ in queries.tables_of(game_set)]
        if tables:
            return tables
        game = queries.find_game(game_set, 1)
        state = game.current_state if game else None
        if state is None or not state.is_over:
            raise StillDrafting()
        seated = tables_of(order(game_set, state))
        return [_seat(game_set, seats, key(number)) for number, seats in enumerate(seated, 1)]


def _seat(draft: GameSet, seats: Sequence[int], key: str) -> GameSet:
    """Seat one table, with the same players of the playgroup as in the draft."""
    ruleset = RULESETS[draft.rules.splits_into]
    names = [draft.names[seat] for seat in seats]
    game_set = commands.create_set(ruleset, names, key=key, draft=draft)
    if draft.playgroup:
        drafted = Seat.objects.filter(game_set=draft).select_related("player")
        people = {seat.number: seat.player.name for seat in drafted if seat.player}
        players = {number: people.get(seat, "") for number, seat in enumerate(seats, 1)}
        set_membership.take(game_set, draft.playgroup, players)
    commands.start_game(game_set, 1)
    return game_set


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
class Split:
    """Where the players of a draft go on. ``tables`` are those that every visitor may see; once
    it ``is_split`` there may be others.

    ``rolls`` are in seating order; none where the tables were not seated by them.
    """

    tables: list[SeatedTable]
    is_split: bool
    are_enough: bool
    rolls: list[tuple[Who, str]]
    stamp: str


def split_of(game_set: GameSet, game: Game) -> Split:
    """Return how the players of a draft that is over split into tables. Two queries."""
    state = game.current_state
    all_tables = queries.tables_of(game_set)
    visible = [
        (seated, played) for seated, played in all_tables if is_open_to_all_of(seated, game_set)
    ]
    rolled = rolls(game_set)
    by_rolls = [
        (who(game_set, seat), standings.shown_roll(rolled[seat])) for seat in order(game_set, state)
    ]
    return Split(
        tables=[_seated_table(seated, played) for seated, played in visible],
        is_split=bool(all_tables),
        are_enough=len(by_rolls) >= FEWEST,
        rolls=by_rolls if not visible or _sit_as_rolled(by_rolls, visible) else [],
        stamp=",".join(queries.version(seated, played) for seated, played in visible),
    )


def _seated_table(game_set: GameSet, played: list[Game]) -> SeatedTable:
    state = queries.set_state(game_set, played)
    return SeatedTable(
        code=game_set.code,
        players=[who(game_set, seat) for seat in game_set.names],
        flag="Finished" if state.is_finished else "Being played" if played else "Not begun",
        is_finished=state.is_finished,
        result=standings.in_words(game_set, state),
    )


def _sit_as_rolled(rolled: list[tuple[Who, str]], tables: list[tuple[GameSet, list[Game]]]) -> bool:
    """Return whether players sit as the rolls have it: an imported draft has other dice."""
    sitting = [name for game_set, _ in tables for name in game_set.names.values()]
    return [player.name for player, _ in rolled] == sitting


def act_order(game_set: GameSet, game: Game) -> list[Who]:
    """Return who acts first if several want to act at once, as rolled for this moment."""
    state = game.current_state
    rolled = dice.roll(game_set.seed, 1000 + game.length, state.in_game)
    return [who(game_set, seat) for seat in dice.highest_first(rolled)]


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
        name: shown_notes(_player_in(state, seat))
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
    """``has_next_round`` while one of the usual rounds is ahead."""

    round: int
    has_next_round: bool


@dataclass(frozen=True, slots=True)
class DraftAids:
    """``cards`` do something in a draft; ``act_order`` as rolled for this moment."""

    cards: Sequence[str]
    act_order: list[Who]


class DraftAdditions(Additions):
    """A draft of Conspiracy on pages."""

    def rows(self, current: CurrentGame) -> dict[int, DraftRow]:
        state = _draft_in(current.state)
        passes = {} if state.is_over else state.passes
        players = {seat: _player_in(state, seat) for seat in state.players}
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
        return DraftBoard(state.round, state.is_usual)

    def for_scorekeeper(self, current: CurrentGame, cookies: Mapping[str, str]) -> DraftAids:
        return DraftAids(IN_THE_DRAFT, act_order(current.game_set, current.game))

    def sequel(self, game_set: GameSet, game: Game) -> Split:
        return split_of(game_set, game)


def _draft_in(state: GameState) -> DraftGame:
    assert isinstance(state, DraftGame)
    return state


def _player_in(state: GameState, seat: int) -> DraftPlayer:
    player = state.players[seat]
    assert isinstance(player, DraftPlayer)
    return player
