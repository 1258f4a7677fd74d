"""Reading evenings: their people, rounds and tables."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.db.models import Prefetch, prefetch_related_objects

from ...models import Attendee, Evening, Game, Place, Player, Round, RoundTable, Seat, SetResult
from ...record.counting import root
from ...rules import pods

BYE = 0  # the table of those without a table


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    game_set: int
    seat: int
    player: int
    done: tuple[int, int, int] | None  # games, VP and games won of a finished set


@dataclass(frozen=True, slots=True)
class EveningRows:
    """``players`` are all of the playgroup's by key, ``merged`` into which player each is merged,
    or None. ``here`` has everybody who came, by the player who has the results. ``games`` are those
    of the sets that go on, by set."""

    evening: Evening
    players: Mapping[int, Player]
    merged: dict[int, int | None]
    here: Mapping[int, bool]
    rounds: Sequence[Round]
    places: Sequence[Place]
    tables: Sequence[RoundTable]
    seated_players: Sequence[SeatedPlayer]
    games: Mapping[int, Sequence[Game]]

    def person(self, player: int) -> Player:
        return self.players[root(player, self.merged)]

    def places_of(self, round: Round) -> list[Place]:
        return [place for place in self.places if place.round_id == round.pk]

    def people(self, round: Round) -> list[Player]:
        return [self.person(place.player_id) for place in self.places_of(round)]

    def tables_of(self, round: Round) -> dict[int, RoundTable]:
        return {table.number: table for table in self.tables if table.round_id == round.pk}

    @property
    def paired(self) -> Round | None:
        return next((each for each in self.rounds if each.begun_at is None), None)

    @property
    def begun(self) -> list[Round]:
        return [each for each in self.rounds if each.begun_at is not None]

    def sitting(self, round: Round) -> dict[int, list[Player]]:
        """Return who sits at each table of a round, in the order of their seats, or has a bye."""
        tables: dict[int, list[Player]] = {}
        for place in self.places_of(round):
            tables.setdefault(place.table, []).append(self.person(place.player_id))
        return tables

    def seated(self, round: Round) -> dict[int, list[int]]:
        """Return the keys of those at each table, without byes."""
        tables = self.sitting(round).items()
        return {table: [one.pk for one in people] for table, people in tables if table != BYE}

    def remembered(self, round: Round) -> list[tuple[int, int | None, list[int]]]:
        sets = {number: table.game_set_id for number, table in self.tables_of(round).items()}
        return [
            (table, sets.get(table), [player.pk for player in people])
            for table, people in self.sitting(round).items()
        ]

    def is_untouched(self, table: RoundTable) -> bool:
        games = self.games.get(table.game_set_id)
        return games is not None and not any(game.length for game in games)

    def byes(self, rounds: Container[int]) -> Counter[int]:
        return Counter(
            self.person(place.player_id).pk
            for place in self.places
            if place.table == BYE and place.round_id in rounds
        )


def read_evening(evening: Evening) -> EveningRows:
    """Return all that is stored of an evening. Six queries, whatever was played."""
    places = list(
        Place.objects.filter(round__evening=evening)
        .select_related("round")
        .order_by("round__number", "table", "position")
    )
    tables = list(
        RoundTable.objects.filter(round__evening=evening)
        .select_related("game_set")
        .order_by("round", "number")
    )
    came = Attendee.objects.filter(evening=evening).order_by("pk")
    attendees = list(came.values_list("player", "here"))
    seats = Seat.objects.filter(
        game_set__round_table__round__evening=evening, player__playgroup=evening.playgroup_id
    ).order_by("game_set", "number")
    done = ("result__games_played", "result__victory_points", "result__games_won")
    seated_players = [
        SeatedPlayer(game_set, seat, player, None if games is None else (games, points, won))
        for game_set, seat, player, games, points, won in seats.values_list(
            "game_set", "number", "player", *done
        )
    ]
    # Last: who is added meanwhile, and comes or sits down, is known by then.
    players = {
        player.pk: player for player in Player.objects.filter(playgroup=evening.playgroup_id)
    }
    merged = {key: player.merged_into_id for key, player in players.items()}
    here: dict[int, bool] = {}
    for player, is_here in attendees:
        # Of players who are the same person by now, one is enough to be here.
        person = root(player, merged)
        here[person] = here.get(person, False) or is_here
    going = [table.game_set for table in tables if not table.game_set.finished_at]
    played = Game.objects.filter(taken_back=False).order_by("number")
    prefetch_related_objects(going, Prefetch("games", played))
    return EveningRows(
        evening=evening,
        players=players,
        merged=merged,
        here=here,
        rounds=list({place.round_id: place.round for place in places}.values()),
        places=places,
        tables=tables,
        seated_players=seated_players,
        games={game_set.pk: list(game_set.games.all()) for game_set in going},
    )


def count_meetings(players: Iterable[int], since: datetime) -> pods.Met:
    results = SetResult.objects.filter(player__in=players, finished_at__gte=since)
    rows = results.order_by("game_set").values_list("game_set", "player_id")
    sets = groupby(rows, key=itemgetter(0))
    return pods.meetings([[[player for _, player in sat if player] for _, sat in sets]])
