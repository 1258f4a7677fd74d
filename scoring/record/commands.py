"""Commands on a set: with ``recording.py`` the only writers of the record.

A refused command has written nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import chain
from secrets import randbits

from django.db import IntegrityError, transaction
from django.utils import timezone

from coalition_site.lib.keys import new_code
from coalition_site.lib.refusals import Refused
from decks.models import BanList, DeckRevision

from .. import access
from ..models import Game, GameSet, Playgroup, Seat, SeatLink
from ..models.record import Phones, SeatHero
from ..rules import errors, sets
from ..rules.log import Recent, recall_recent
from ..rules.moves import ChangeLife
from ..rules.ruleset import Ruleset
from ..setlog import document
from ..setlog.document import SetLog
from . import chaining, counting, decks, dice, ledger, queries, seat_links, seating
from .recording import (
    Tap,
    current_game,
    locked,
    settle,
    state_columns,
    store_state,
    usual_time,
    write_game,
)
from .recording import record as record


def create_set(
    ruleset: Ruleset,
    names: Sequence[str],
    *,
    code: str = "",
    key: str | None = None,
    seed: int | None = None,
    at: datetime | None = None,
    playgroup: Playgroup | None = None,
    draft: GameSet | None = None,
    trial_until: datetime | None = None,
    phones: str = Phones.OFF,
) -> GameSet:
    """Seat the players and return their table; a key that exists returns its table.

    ``code`` is that of its public link, new unless given.
    ``key`` is the scorekeeper's secret; None creates a set that nobody scores by a link. Dice rolls
    come from ``seed``, which is random unless given. A seat whose name is empty is called by its
    colour. In a ``playgroup`` the seats belong to its players of those names. ``draft`` is the
    draft that the players come from. A table to try counts nowhere, and is offered until
    ``trial_until``.

    :raises GroupRefused: if two of them are the same person there; nothing is stored then.
    """
    hashed = access.key_hash(key) if key else None
    game_set = GameSet(
        code=code or new_code(),
        ruleset=ruleset.key,
        seed=randbits(63) if seed is None else seed,
        key_hash=hashed,
        created_at=at or timezone.now(),
        playgroup=playgroup,
        house=seating.house_of(playgroup, ruleset.key) if playgroup else None,
        draft=draft,
        trial_until=trial_until,
        phones=phones,
    )
    try:
        _seat(game_set, names)
    except IntegrityError:
        existing = GameSet.objects.filter(key_hash=hashed).first() if hashed else None
        if existing is None:
            raise
        return existing
    return game_set


def _seat(game_set: GameSet, names: Sequence[str]) -> None:
    group, given = game_set.playgroup, names
    names = seating.seat_names(game_set.rules, given)
    with transaction.atomic():
        game_set.save(force_insert=True)
        unnamed = {*names} - {*given}
        players = seating.seat_players(group, names, unnamed) if group else [None] * len(names)
        seats = Seat.objects.bulk_create(
            Seat(game_set=game_set, number=number, name=name, player=player)
            for number, (name, player) in enumerate(zip(names, players, strict=True), 1)
        )
        game_set.seating = [[seat.pk, seat.name] for seat in seats]
        game_set.seal = chaining.seal_of(game_set)
        game_set.save(update_fields=["seating", "seal"])


def seat_again(game_set: GameSet, *, key: str, shuffles: bool) -> GameSet:
    """In seats shuffled by dice if it ``shuffles``. Whoever left before a game sits down again.

    :raises GroupRefused: if two of them are the same player by now; nothing is stored then.
    """
    seed = randbits(63)
    with transaction.atomic():
        if game_set.playgroup_id:
            counting.lock_group(game_set.playgroup_id)  # nobody is renamed meanwhile
        names = seating.seats_for_rematch(game_set)
        order = seating.shuffled([*names], seed) if shuffles else [*names]
        table = create_set(
            game_set.rules,
            [names[seat] for seat in order],
            key=key,
            seed=seed,
            playgroup=game_set.playgroup,
            phones=game_set.phones,
        )
        if table.seed == seed:  # not the one of the same tap
            links = seat_links.links_by("number", game_set.seats.all())
            seats = zip(table.seat_keys.values(), order, strict=True)
            seat_links.carry_on({key: links.get(seat) for key, seat in seats})
        return table


def begin(game_set: GameSet) -> None:
    """Start the first game of a new set by chance, or at once where nobody has turns."""
    if game_set.rules.announces_heroes:
        return  # before the first roll, for which the table waits
    start_game(game_set, 1, first=None if game_set.rules.has_turns else 1)


def start_game(
    game_set: GameSet,
    number: int,
    *,
    first: int | None = None,
    turn_order: tuple[int, ...] | None = None,
    dropped: Sequence[int] = (),
    at: datetime | None = None,
    by: int | None = None,
) -> Game:
    """Start game ``number`` of a set, from 1; a game that has started is returned as it is.

    Without ``first`` the dice decide who starts, or the whole turn order in some rulesets. ``by``
    is the number of the scorekeeper who starts it.

    :raises CannotStart: if it can't start.
    """
    with locked(game_set):
        played = queries.games(game_set)
        if 0 < number <= len(played):
            return played[number - 1]
        if number != len(played) + 1:
            raise errors.NoSuchGame()
        before = queries.set_state(game_set, played)
        rolled = first is None
        if first is None:
            turn_order = rolled_order(game_set, before, number, dropped)
            first = turn_order[0]
        seated = tuple(seat for seat in before.seated if seat not in dropped)
        if turn_order is None and first in seated:
            turn_order = sets.clockwise(seated, first)
        state = sets.start_game(before, first, dropped=dropped, turn_order=turn_order)
        return Game.objects.create(
            game_set=game_set,
            number=number,
            turn_order=list(state.players),
            dropped=list(dropped),
            rolled=rolled,
            before=sets.points_before(before, number),
            started_at=at or timezone.now(),
            last_by=by,
            **state_columns(game_set, state, Recent()),
        )


def rolled_order(
    game_set: GameSet, before: sets.SetState, number: int, dropped: Collection[int]
) -> tuple[int, ...]:
    able = tuple(seat for seat in before.seated if seat not in dropped)
    if len(able) < 2:
        raise errors.TooFewPlayers()
    rolled = dice.rolls(game_set, number, dice.rolling_groups(before, dropped))
    order = tuple(seat for seat in dice.order(rolled) if seat in able)
    return order if game_set.rules.orders_by_standing else sets.clockwise(able, order[0])


def take_back_game(game_set: GameSet, number: int) -> None:
    """Take back a game without events in force: it stays on record and counts for nothing.

    :raises GameHasEvents: if it has begun.
    """
    with locked(game_set):
        game = current_game(game_set, number)
        as_read = Game.objects.filter(pk=game.pk, length=game.length)
        if game.recent["lines"] or not as_read.update(taken_back=True):
            raise errors.GameHasEvents()


def change_start(
    game_set: GameSet, number: int, *, first: int | None, turn_order: tuple[int, ...] | None = None
) -> None:
    """Restart a game without events in force with another start; repeating that changes nothing.

    :raises RuleError: if it has begun, or can't start like that. The game is then unchanged.
    """
    with locked(game_set):
        game = current_game(game_set, number)
        is_same = game.turn_order[0] == first and turn_order in (None, tuple(game.turn_order))
        if is_same and not game.rolled:
            return
        take_back_game(game_set, number)
        start_game(game_set, number, first=first, turn_order=turn_order, dropped=game.dropped)


def call_set(game_set: GameSet) -> None:
    """:raises SetNotBetweenGames: if a game is in progress, or none was played."""
    with locked(game_set):
        if game_set.called:
            return
        state = queries.set_state(game_set, queries.games(game_set))
        if not state.games or state.is_playing or state.is_finished:
            raise errors.SetNotBetweenGames()
        _set_called(game_set, True)


def reopen_set(game_set: GameSet) -> None:
    with locked(game_set):
        _set_called(game_set, False)


def _set_called(game_set: GameSet, called: bool) -> None:
    with chaining.sealing(game_set):
        game_set.called = called
    game_set.save(update_fields=["called", "seal"])
    settle(game_set)


def change_key(game_set: GameSet, key: str | None) -> None:
    """Replace the scorekeeper's secret, which locks out the old link and every browser with it."""
    with locked(game_set):
        game_set.key_hash = access.key_hash(key) if key else None
        game_set.save(update_fields=["key_hash"])


def change_seat_key(game_set: GameSet, seat: int, key: str | None) -> None:
    """Replace the secret of a seat link, which ends the old link; None leaves the seat none."""
    with locked(game_set):
        seat_links.end_links(game_set.seat_keys[seat])
        if key is not None:
            hashed = access.key_hash(key)
            SeatLink.objects.create(seat_id=game_set.seat_keys[seat], key_hash=hashed)


def hand_out_links(game_set: GameSet, keys: Mapping[int, str]) -> set[int]:
    """Give each seat without a link the one with its secret; return which seats these open."""
    given = set()
    with locked(game_set):
        for seat, key in keys.items():
            hashed = access.key_hash(key)
            link, _ = SeatLink.objects.get_or_create(
                seat_id=game_set.seat_keys[seat], defaults={"key_hash": hashed}
            )
            if link.key_hash == hashed:
                given.add(seat)
    return given


def take_seat(game_set: GameSet, seat: int, key: str, name: str) -> None:
    """Give a free seat a link with this secret, and its name if it has none and can get one.

    :raises Refused: if somebody else has its link, or another seat the name.
    """
    with locked(game_set):
        hashed = access.key_hash(key)
        link, is_free = SeatLink.objects.get_or_create(
            seat_id=game_set.seat_keys[seat], defaults={"key_hash": hashed}
        )
        if link.key_hash != hashed:
            raise Refused("Somebody has taken that seat. Choose another.")
        if name and is_free and seat in game_set.unnamed and seating.can_name_seats(game_set):
            name_seats(game_set, {seat: name})


def set_clock(game_set: GameSet, minutes: int) -> None:
    """Show a clock of the whole set, which should take so many minutes; 0 for no clock."""
    game_set.clock_minutes = minutes
    game_set.save(update_fields=["clock_minutes"])


def confirm_life(game_set: GameSet, number: int, seat: int, life: int) -> None:
    """:raises Refused: if the player has another total by now, or none."""
    if ChangeLife not in game_set.rules.moves:
        raise Refused("This format has no life totals.")
    with locked(game_set):
        game = current_game(game_set, number)
        player = game.current_state.players.get(seat)
        if player is None or player.life != life:
            raise Refused("Your life total has changed: check it again.")
        confirmed = {**(game.confirmed or {}), str(seat): life}
        Game.objects.filter(pk=game.pk).update(confirmed=confirmed)


def bring_deck(game_set: GameSet, seat: int, revision: DeckRevision | None) -> None:
    """Possible during a game too, since people forget.

    :raises SetIsFinished: if the set is finished.
    :raises WrongFormat: if the deck is for another format.
    :raises IllegalDeck: if it is not legal, and its ban list refuses illegal decks.
    """
    with locked(game_set):
        if game_set.finished_at:
            raise errors.SetIsFinished()
        decks.assign(game_set, seat, revision, game_set.house)


def name_hero(game_set: GameSet, seat: int, hero: SeatHero) -> None:
    """Set what a seat plays, at any time: the results of a finished set follow."""
    with locked(game_set):
        decks.name_hero(game_set, seat, hero)
        if game_set.finished_at:
            settle(game_set)


def name_seats(game_set: GameSet, names: Mapping[int, str]) -> None:
    """Change what seats of a quick table are called; "" for their colour.

    :raises Refused: if two would have the same name, or if other tables know these names.
    """
    with locked(game_set):
        if game_set.playgroup_id:
            raise Refused("This table is a playgroup’s: say there who sat at it.")
        if seating.knows_by_name(game_set):
            raise Refused("Its tables are made already: they know their players by these names.")
        seating.rename_seats(game_set, names)


def use_ban_list(game_set: GameSet, house: BanList | None) -> None:
    """Check the decks at a table by a playgroup's list from now on; None is the format's list.

    :raises SetIsFinished: if the set is finished.
    :raises IllegalDeck: if the list refuses a deck at the table. Nothing is changed then.
    """
    with locked(game_set):
        if game_set.finished_at:
            raise errors.SetIsFinished()
        GameSet.objects.filter(pk=game_set.pk).update(house=house)
        decks.check_again(game_set, house)


def store_set(log: SetLog, *, key: str | None = None, code: str = "") -> GameSet:
    """Store a whole set from its log; repeated events are left out.

    :raises RuleError: if the log can't be played; nothing is stored then.
    """
    played = document.play(document.without_repeats(log))
    if played.failure:
        raise played.failure.refusal
    times = [[line.at for line in game.events if line.at] for game in log.games]
    usual = usual_time(played.state.games[0]) if played.state.games else timezone.now()
    at = min(chain(*times), default=usual)
    with transaction.atomic():
        game_set = create_set(log.ruleset, log.names, code=code, key=key, at=at)
        games = zip(played.log.games, played.games, strict=True)
        for number, (logged, game) in enumerate(games, 1):
            before = sets.points_before(played.state, number)
            # Without a time of its own a game is as late as what came before it.
            known = max(chain(*times[: number - 1]), default=at)
            usual = usual_time(game.state) if game.state.entered_for else known
            write_game(game_set, number, logged, game, before, usual)
        _set_called(game_set, log.called)
    return game_set


def repair(game_set: GameSet) -> None:
    """:raises RuleError, MalformedDocument: if a log can't be played. Nothing is repaired then."""
    with locked(game_set):
        seats = Seat.objects.filter(game_set=game_set).order_by("number")
        game_set.seating = [[seat.pk, seat.name] for seat in seats]
        game_set.seal = game_set.seal or chaining.seal_of(game_set)
        game_set.save(update_fields=["seating", "seal"])
        decks.copy_heroes(game_set)
        game_set = GameSet.objects.get(pk=game_set.pk)  # whose names are not those cached before
        for game in Game.objects.filter(game_set=game_set).order_by("number"):
            rows = queries.rows(game)
            log = queries.checked_log(game, rows)
            ledger.correct(game_set, ledger.differences(game_set, game, log, rows))
            ended = rows[log.first_end - 1].at if log.first_end else None
            game.first_ended_at = ended or (game.first_ended_at if log.first_end else None)
            last = Tap(None, rows[-1].at, rows[-1].by) if rows else Tap(None, None, None)
            link = chaining.links(game, rows)[-1] if rows and not game.head else None
            lately = recall_recent(log.lines)
            store_state(game_set, game, len(rows), log.state, lately, last, link)
        settle(game_set)
