"""Taking a set into a playgroup, and out of it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ...models import Attendee, GameSet, Place, Player, Playgroup, Round, RoundTable, Seat
from ...record import counting, decks, recording
from ...record.errors import GroupRefused
from ...record.seating import house_of, knows_by_name, rename_seats, seat_players
from ..evenings.queries import BYE
from ..people.merging import person_of


def take_set(
    game_set: GameSet,
    group: Playgroup,
    names: Mapping[int, str] | None = None,
    *,
    are_players: bool = False,
) -> None:
    """Take a set into a playgroup; ``names``, by seat number, replace those at the table."""
    # Colours as names are guests, unless the names ``are_players`` of the playgroup.
    # A set that is in another playgroup leaves it, with its results. A seat without a name has at
    # the table the name of its player from now on.
    with _locked_unless_moved(game_set):
        if game_set.playgroup != group:
            _check_stays(game_set)
        # Who sat there in this playgroup already goes on to, unless ``names`` has another.
        seats = _clear(game_set, group)
        chosen = [(names or {}).get(seat.number) or called(seat, group) for seat in seats]
        new_names = {seat: chosen[seat - 1] for seat in game_set.unnamed}
        guests = [] if are_players else [game_set.names[seat] for seat in new_names]
        players = seat_players(group, chosen, guests)
        for seat, player in zip(seats, players, strict=True):
            seat.player = player
        Seat.objects.bulk_update(seats, ["player"])
        _follow_seats(game_set, players)
        if new_names and not knows_by_name(game_set):
            rename_seats(game_set, new_names)
        _assign(game_set, group)


def called(seat: Seat, group: Playgroup) -> str:
    """Return who sat there: as the playgroup knows the player, or as at the table."""
    player = seat.player
    return player.name if player and player.playgroup_id == group.pk else seat.name


def take_out(game_set: GameSet) -> None:
    with _locked_unless_moved(game_set):
        _check_stays(game_set)
        _clear(game_set)
        _assign(game_set, None)


@contextmanager
def _locked_unless_moved(game_set: GameSet) -> Iterator[None]:
    """Lock a set, and refuse if it is no longer in the playgroup that the table was read with."""
    # Permission to move it was checked against that playgroup.
    before = game_set.playgroup
    with recording.locked(game_set):
        now = game_set.playgroup
        if now != before:
            # Without names: the visitor may not be allowed to see where it went.
            into = "another playgroup" if before else "a playgroup"
            done = f"taken into {into}" if now else "taken out of its playgroup"
            raise GroupRefused(f"It was {done} meanwhile. Reload the page.")
        yield


def _clear(game_set: GameSet, to: Playgroup | None = None) -> list[Seat]:
    # Always in this order: two locks in two orders deadlock.
    for key in sorted(filter(None, {game_set.playgroup_id, to.pk if to else None})):
        counting.lock_group(key)
    # Within a playgroup ``settle`` replaces the results, and so knows what it corrects.
    if game_set.playgroup != to:
        counting.replace(game_set, [], None)
    seats = Seat.objects.filter(game_set=game_set).order_by("number").select_related("player")
    as_they_were = list(seats)
    seats.update(player=None)
    return as_they_were


def _assign(game_set: GameSet, group: Playgroup | None) -> None:
    """Assign a set to a playgroup or to none; its ban list judges the decks of unfinished sets."""
    house = house_of(group, game_set.ruleset) if group else None
    if house != game_set.house and not game_set.finished_at:
        decks.check_again(game_set, house)
    game_set.playgroup, game_set.house = group, house
    game_set.save(update_fields=["playgroup", "house"])
    recording.settle(game_set)


# --- tables of an evening ---
def _check_stays(game_set: GameSet) -> None:
    table = RoundTable.objects.filter(game_set=game_set).select_related("round__evening").first()
    if table:
        raise GroupRefused(
            f"This is table {table.number} of round {table.round.number} of "
            f"{table.round.evening.name}: it stays in the playgroup of its evening."
        )


def _follow_seats(game_set: GameSet, players: Sequence[Player]) -> None:
    """Seat others in an evening's round, after it was corrected who sat at one of its tables."""
    table = RoundTable.objects.filter(game_set=game_set).select_related("round").first()
    if table is None:
        return
    round = table.round
    places = round.places.filter(table=table.number).order_by("position")
    changed = [
        (place, player)
        for place, player in zip(places, players, strict=True)
        if place.player_id != player.pk
    ]
    if not changed:
        return
    others = round.places.exclude(pk__in=[place.pk for place, _ in changed])
    for _, player in changed:
        elsewhere = others.filter(player__in=person_of(player))
        if elsewhere.exclude(table=BYE).exists():
            raise GroupRefused(f"{player.name} sat at another table of this round.")
        elsewhere.delete()
    round.places.filter(pk__in=[place.pk for place, _ in changed]).delete()
    Place.objects.bulk_create(
        Place(round=round, player=player, table=place.table, position=place.position)
        for place, player in changed
    )
    for _, player in changed:
        Attendee.objects.get_or_create(evening=round.evening, player=player)
    # This round and all after it aren't as drawn: whom people had met counted there.
    later = Round.objects.filter(evening=round.evening_id, number__gte=round.number)
    later.update(repeats=None, fewest=None, spread=None)
