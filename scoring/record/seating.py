"""Who sits at a playgroup's table: its players by name, and whose ban list judges their decks."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, count

from django.db import IntegrityError, transaction
from django.db.models import CharField, Q, Value
from django.db.models.functions import Concat

from coalition_site.lib.refusals import Refused
from coalition_site.lib.texts import name_key
from decks.models import BanList

from ..models import EventRow, Game, GameSet, Player, Playgroup, Seat
from ..models.record import colours
from ..rules.formats import FORMATS, RULESETS
from ..rules.ruleset import Ruleset
from ..rules.sets import clockwise
from ..rules.words import series
from . import chaining, counting, decks, dice
from .errors import GroupRefused

SEATING = 0  # stands for the number of a game, from 1, where the seats are rolled for


def seat_names(ruleset: Ruleset, names: Sequence[str]) -> list[str]:
    """Return the names at a table where seats without a name are called by their colour.

    >>> seat_names(RULESETS["coalition-906"], ["Blue", "", ""])
    ['Blue', 'Blue 2', 'Green']
    """
    taken = {name_key(name) for name in names}
    of_seats = colours(ruleset, len(names))
    seated = list(names)
    for at, colour in enumerate(of_seats):
        choices = chain([colour], (f"{colour} {number}" for number in count(2)))
        seated[at] = names[at] or next(name for name in choices if name_key(name) not in taken)
    return seated


def seated_twice(names: Sequence[str]) -> Iterator[str]:
    seats = Counter(name_key(name) for name in names if name)
    for folded, name in {name_key(name): name for name in names}.items():
        if seats[folded] > 1:
            yield f"{name} sits here twice. Tell them apart, as in “{name} B.”"


def knows_by_name(game_set: GameSet) -> bool:
    return game_set.draft_id is not None or game_set.tables.exists()


def can_name_seats(game_set: GameSet) -> bool:
    return not (game_set.playgroup_id or knows_by_name(game_set))


def given_names(game_set: GameSet) -> dict[int, str]:
    return {**game_set.names, **dict.fromkeys(game_set.unnamed, "")}


def rename_seats(game_set: GameSet, names: Mapping[int, str]) -> None:
    """Change what seats of a locked set are called, from its first event on; "" for their colour.

    :raises Refused: if two would have the same name.
    """
    wanted = [names.get(seat, name) for seat, name in given_names(game_set).items()]
    for problem in seated_twice(wanted):
        raise Refused(problem)
    after = seat_names(game_set.rules, wanted)
    with chaining.sealing(game_set):
        game_set.seating = list(map(list, zip(game_set.seat_keys.values(), after, strict=True)))
    seats = Seat.objects.filter(game_set=game_set)
    # No name has a control character: meanwhile two seats can exchange their names.
    seats.update(name=Concat(Value("\x1f"), "number", output_field=CharField()))
    for key, name in game_set.seating:
        seats.filter(pk=key).update(name=name)
    game_set.save(update_fields=["seating", "seal"])


def take_back_start(game_set: GameSet) -> None:
    """Take back a game of a locked table that had only started.

    :raises GroupRefused: if anything was recorded at the table, also if it was undone.
    """
    # First: a tap that is written meanwhile no longer finds the game.
    Game.objects.filter(game_set=game_set, taken_back=False, length=0).update(taken_back=True)
    if EventRow.objects.filter(game_set=game_set).exists():
        names = series(list(game_set.names.values()))
        raise GroupRefused(f"{names} have begun to play: who sits at their table stays.")


def seat_others(game_set: GameSet, players: Sequence[Player]) -> list[Player]:
    """Seat these at a locked table of their playgroup where nothing was recorded, and return them
    in the order of their seats: who sat there already comes first, and keeps deck and link.

    :raises GroupRefused: if something was recorded, or two would have the same name.
    """
    take_back_start(game_set)
    merged = merged_into(players[0].playgroup_id)
    coming = {player.pk: player for player in players}
    seats, seated = Seat.objects.filter(game_set=game_set).order_by("number"), []
    for seat in seats:
        player = coming.pop(counting.root(seat.player_id or 0, merged), None)
        if player is None:
            seat.delete()
        else:
            seated.append(player)
            seats.filter(pk=seat.pk).update(number=len(seated))
    names = [*seats.values_list("name", flat=True), *(player.name for player in coming.values())]
    for problem in seated_twice(names):
        raise GroupRefused(problem)
    Seat.objects.bulk_create(
        Seat(game_set=game_set, number=number, name=player.name, player=player)
        for number, player in enumerate(coming.values(), len(seated) + 1)
    )
    with chaining.sealing(game_set):
        game_set.seating = [[seat.pk, seat.name] for seat in seats.all()]
    game_set.save(update_fields=["seating", "seal"])
    decks.copy_heroes(game_set)
    return [*seated, *coming.values()]


def seat_players(group: Playgroup, names: Sequence[str], unnamed: Collection[str]) -> list[Player]:
    """Unknown names become players, those of seats that are ``unnamed`` become guests.

    :raises GroupRefused: if two of them are the same person.
    """
    counting.lock_group(group.pk)
    players = []
    for name in names:
        player = find_player(group, name)
        player = player or add_player(group, name, is_guest=name in unnamed)
        if name in unnamed and (not player.is_guest or player.merged_into_id):
            raise GroupRefused(f"A player here is called {name}: name whoever sits there.")
        players.append(player)
    roots = _roots(group, players)
    by_root: dict[int, str] = {}
    for root, name in zip(roots, names, strict=True):
        if root in by_root:
            raise GroupRefused(
                f"{by_root[root]} and {name} are the same player in {group.name}. "
                f"Choose another name for one of them."
            )
        by_root[root] = name
    return players


def _roots(group: Playgroup, players: Sequence[Player]) -> list[int]:
    merged = merged_into(group.pk)
    return [counting.root(player.pk, merged) for player in players]


def seats_for_rematch(game_set: GameSet) -> dict[int, str]:
    """Return names by the seats of a table, clockwise as people sat in the last game. Those of a
    playgroup go by what their player is called now, after renaming and merging. Seats without a
    name have none again."""
    names, group = list(game_set.names.values()), game_set.playgroup
    if group:
        seats = Seat.objects.filter(game_set=game_set).order_by("number").select_related("player")
        now = dict(Player.objects.filter(playgroup=group).values_list("pk", "name"))
        players = [seat.player for seat in seats if seat.player]
        names = [now[root] for root in _roots(group, players)]
    by_seat = dict(enumerate(names, 1)) | dict.fromkeys(game_set.unnamed, "")
    last = game_set.games.filter(taken_back=False).order_by("number").last()
    # An order that follows the standings does not say who sat where.
    if last is None or game_set.rules.orders_by_standing:
        return by_seat
    sat = tuple(last.current_state.players)
    order = list(clockwise(sat, min(sat)))
    for seat in by_seat:
        if seat not in order:  # whoever had left sits down again
            order.insert(seat - 1, seat)
    return {seat: by_seat[seat] for seat in order}


def shuffled(seats: Sequence[int], seed: int) -> list[int]:
    """
    >>> shuffled([1, 2, 3], 2)
    [2, 3, 1]
    """
    rolled = dice.roll(seed, SEATING, range(len(seats)))
    return [seats[place] for place in dice.highest_first(rolled)]


def find_player(group: Playgroup, name: str) -> Player | None:
    # Whom the version before this one added or renamed has the key of no name, or of the old one.
    same = Q(key=name_key(name)) | Q(name__iexact=name)
    return group.players.filter(same).order_by("pk").first()


def add_player(group: Playgroup, name: str, *, is_guest: bool = False) -> Player:
    """:raises GroupRefused: if the name is taken."""
    try:
        with transaction.atomic():
            counting.lock_group(group.pk)
            return Player.objects.create(playgroup=group, name=name, is_guest=is_guest)
    except IntegrityError as error:
        raise name_taken(name) from error


def name_taken(name: str) -> GroupRefused:
    return GroupRefused(f"There is a player called {name} already. Choose another name.")


def merged_into(playgroup: int) -> dict[int, int | None]:
    return dict(Player.objects.filter(playgroup=playgroup).values_list("pk", "merged_into"))


def house_of(group: Playgroup, ruleset: str) -> BanList | None:
    """Return a playgroup's own ban list for sets of a ruleset; None means the format's."""
    house = group.house
    return house if house and RULESETS[ruleset] in FORMATS.get(house.format, ()) else None
