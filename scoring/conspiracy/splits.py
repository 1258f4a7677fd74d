"""From a draft to its tables, game after game: drawn by dice, seated, and undone."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import NamedTuple

from django.db.models import F, Q

from ..access import key_hash
from ..groups.sets import membership as set_membership
from ..models import Game, GameSet, Seat
from ..record import commands, dice, queries, seat_links
from ..record.queries import Played
from ..record.recording import lock, locked
from ..rules.errors import IllegalDeck, RuleError
from ..rules.formats import RULESETS
from ..rules.formats.conspiracy_draft import DRAWS_MAX, DrawnAgain, StillDrafting
from ..rules.formats.conspiracy_draft.state import draft_of
from ..rules.splitting import tables_of
from ..rules.state import GameState

ROLL = 2  # of the set's dice; roll 1 is for the start of its only game

Key = Callable[[int], str]


class StillPlaying(RuleError):
    text = "A table of this draft is still playing."
    advice = "End its game first, or play again from the page of the table that is done."


class GameStarted(RuleError):
    text = "A game was started at one of these tables, so they stay."


class NoTables(RuleError):
    text = "There are no tables to undo."


class Drawn(NamedTuple):
    """``game`` counts the games of a draft from 1, ``times`` how often it was drawn for it. Without
    ``sizes`` the tables have the usual ones, without ``playing`` they seat all who stayed."""

    game: int = 1
    times: int = 1
    sizes: tuple[int, ...] = ()
    playing: tuple[int, ...] = ()


USUAL = Drawn()


def rolls(draft: GameSet, game: int, times: int) -> dice.Rolls:
    """Return everybody's rolls; a player who leaves changes nobody else's roll."""
    roll = ROLL if (game, times) == (1, 1) else -(1000 * game + times)
    return dice.roll(draft.seed, roll, draft.names)


def order(draft: GameSet, state: GameState, drawn: Drawn = USUAL) -> tuple[int, ...]:
    seated = set(state.in_game) & set(drawn.playing or state.in_game)
    rolled = rolls(draft, drawn.game, drawn.times)
    return tuple(seat for seat in dice.highest_first(rolled) if seat in seated)


def split(draft: GameSet, key: Key, drawn: Drawn = USUAL) -> list[GameSet]:
    """Seat a draft's players at the tables of its first game; if that is done, return them. ``key``
    returns the scorekeeper's key of a table by its number, from 1.

    :raises Refused: if the draft is not over, if too few stayed, or if two players of a table are
        the same person in the draft's playgroup. Nothing is stored then.
    """
    with locked(draft):
        # Two phones may split at once: the second gets the tables of the first.
        tables = [seated for seated, _ in queries.tables_of(draft)]
        if tables:
            return tables
        return _seat_all(draft, _drawn_now(draft, drawn), key)


def split_again(draft: GameSet, key: Key, drawn: Drawn | None) -> list[GameSet]:
    """Seat a draft's players for its next game: as drawn, or as in the game before if None.

    :raises RuleError: if a table is still playing, or too few play. Nothing is stored then.
    """
    with locked(draft):
        tables = queries.tables_of(draft)
        if made := _with_key(tables, key(1)):  # a repeated tap
            return made
        if not tables or not all(seated.finished_at for seated, _ in tables):
            raise StillPlaying() if tables else NoTables()
        seats: Iterable[Sequence[int]] = (seats_in(draft, seated) for seated, _ in latest(tables))
        if drawn:
            seats = _drawn_now(draft, drawn)
        return _seat_all(draft, seats, key)


def table_again(table: GameSet, key: str) -> GameSet:
    """Seat a table's people for another game with the decks of their draft. Its start is by dice.

    :raises RuleError: if the table is still playing.
    """
    draft = table.draft
    assert draft is not None
    with locked(draft):
        if made := _with_key(queries.tables_of(draft), key):
            return made[0]
        if not GameSet.objects.filter(pk=table.pk, finished_at__isnull=False).exists():
            raise StillPlaying()
        return _seat(draft, seats_in(draft, table), key)


def undo(draft: GameSet) -> None:
    """:raises RuleError: if a game was started at a table of the latest game, or without tables."""
    with locked(draft):
        tables = queries.tables_of(draft)
        if not tables:
            raise NoTables()
        seated = sorted((table for table, _ in latest(tables)), key=attrgetter("pk"))
        for table in seated:  # nobody starts a game there meanwhile
            lock(table)
        if Game.objects.filter(game_set__in=seated).exists():
            raise GameStarted()
        for table in seated:
            table.delete()
        _announce(draft)


def of_games(tables: Iterable[Played]) -> dict[int, list[Played]]:
    """By number: every player's first game, second and so on."""
    played: Counter[str] = Counter()
    by_game: dict[int, list[Played]] = {}
    for seated, games in tables:
        number = 1 + max(played[name] for name in seated.names.values())
        for name in seated.names.values():
            played[name] = number
        by_game.setdefault(number, []).append((seated, games))
    return by_game


def next_game(tables: Iterable[Played]) -> int:
    return 1 + max(of_games(tables), default=0)


def latest(tables: Iterable[Played]) -> list[Played]:
    by_game = of_games(tables)
    return by_game[max(by_game)]


def times_drawn(draft: GameSet, state: GameState, game: int, names: Sequence[str]) -> int:
    """Return how often it was drawn until people sat in this order; 0 if no draw seats them so:
    tables may seat the same people as before, and an imported draft has other dice."""
    playing = tuple(seat for seat, name in draft.names.items() if name in names)
    for times in range(1, DRAWS_MAX + 1):
        seats = order(draft, state, Drawn(game, times, playing=playing))
        if [draft.names[seat] for seat in seats] == list(names):
            return times
    return 0


def seats_in(draft: GameSet, table: GameSet) -> list[int]:
    seat_of = {name: seat for seat, name in draft.names.items()}
    return [seat_of[name] for name in table.names.values() if name in seat_of]


def _drawn_now(draft: GameSet, drawn: Drawn) -> Iterable[Sequence[int]]:
    """:raises RuleError: if the draft is not over, or if it was drawn again since."""
    game = queries.find_game(draft, 1)
    state = game.current_state if game else None
    if state is None or not state.is_over:
        raise StillDrafting()
    if drawn.times != draft_of(state).times_drawn(drawn.game):
        raise DrawnAgain()
    return tables_of(order(draft, state, drawn), drawn.sizes)


def _with_key(tables: Iterable[Played], key: str) -> list[GameSet]:
    """Return the table of a key, and those of its game that were seated after it."""
    for group in of_games(tables).values():
        hashes = [seated.key_hash for seated, _ in group]
        if key_hash(key) in hashes:
            return [seated for seated, _ in group[hashes.index(key_hash(key)) :]]
    return []


def _seat_all(draft: GameSet, tables: Iterable[Sequence[int]], key: Key) -> list[GameSet]:
    return [_seat(draft, seats, key(number)) for number, seats in enumerate(tables, 1)]


def _seat(draft: GameSet, seats: Sequence[int], key: str) -> GameSet:
    ruleset = RULESETS[draft.rules.splits_into]
    names = [draft.names[seat] for seat in seats]
    game_set = commands.create_set(ruleset, names, key=key, draft=draft, phones=draft.phones)
    if draft.playgroup:
        drafted = Seat.objects.filter(game_set=draft).select_related("player")
        people = {seat.number: seat.player.name for seat in drafted if seat.player}
        players = {number: people.get(seat, "") for number, seat in enumerate(seats, 1)}
        set_membership.take_set(game_set, draft.playgroup, players, are_players=True)
    # Each gets the deck of the game before; one that is refused today stays away.
    latest_of = {seat.name: seat.deck for seat in queries.decks_of_draft(draft)}
    for number, name in game_set.names.items():
        if latest_of.get(name):
            with suppress(IllegalDeck):
                commands.bring_deck(game_set, number, latest_of[name])
    sat = Seat.objects.filter(Q(game_set=draft) | Q(game_set__draft=draft))
    links = seat_links.links_by("name", sat)
    seat_links.carry_on({key: links.get(name) for key, name in game_set.seating})
    _announce(draft)
    return game_set


def _announce(draft: GameSet) -> None:
    """Have the open pages of a draft ask for its tables: a row that is written is announced."""
    GameSet.objects.filter(pk=draft.pk).update(called=F("called"))
