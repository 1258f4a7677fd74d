"""Measure the pages of a playgroup with many finished sets beside those of one with few.

    python -m tests.bench.board

Works on the database of DATABASE_URL, migrated; prints its rows as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from random import Random
from typing import TypeVar

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from decks.models import Deck  # noqa: E402
from scoring.groups.playgroups import create_playgroup  # noqa: E402
from scoring.models import (  # noqa: E402
    Evening,
    GameSet,
    Place,
    Player,
    Playgroup,
    Round,
    RoundTable,
    Seat,
    SetFacts,
    SetResult,
)
from scoring.results import counting, ratings, streaks, totals  # noqa: E402
from scoring.rules.formats import COALITION_906, REALM_WARS  # noqa: E402
from scoring.rules.ruleset import Ruleset  # noqa: E402
from tests.bench.cards import beside, settle  # noqa: E402
from tests.bench.rows import Row  # noqa: E402

T = TypeVar("T")
FEW, MANY = 10, 10_000
PEOPLE, AT_TABLE = 12, 4
BEGAN = datetime(2020, 1, 3, 20, tzinfo=UTC)
YEARS = timedelta(days=6 * 365)
DECKS = 30
HEROES = {"Krenko, Mob Boss": "Goblin", "Lathril, Blade of the Elves": "Elf", "": ""}
MOST = "1.5"  # times as long with many sets


def group(sets: int, ruleset: Ruleset = COALITION_906) -> Playgroup:
    """Make a playgroup of so many finished sets over six years, four players each.

    The last three are those of an evening.
    """
    dice = Random(sets)
    made = create_playgroup("Bench", None, visibility="public", ruleset=ruleset.key)
    people = [Player.objects.create(playgroup=made, name=f"Player {at}") for at in range(PEOPLE)]
    times = [BEGAN + YEARS * at / sets for at in range(sets)]
    played = GameSet.objects.bulk_create(
        GameSet(
            code=f"{made.pk}-{at}",
            ruleset=ruleset.key,
            seed=at,
            playgroup=made,
            created_at=time,
            finished_at=time,
        )
        for at, time in enumerate(times)
    )
    tables = _by_table(people)
    sat = [_sample(people, ruleset, dice) for _ in played[len(tables) :]] + tables
    _finish(made, played, sat, dice)
    _add_evening(made, played[-len(tables) :], tables)
    made.seasons.create(name="All", starts_on=date(2020, 1, 1), ends_on=date(2025, 12, 31))
    return made


def _sample(people: Sequence[Player], ruleset: Ruleset, dice: Random) -> Sequence[Player]:
    """Return who sits down: in formats with teams always the same two together."""
    if not ruleset.has_teams:
        return dice.sample(people, AT_TABLE)
    pairs = [people[at : at + 2] for at in range(0, len(people), 2)]
    return list(chain(*dice.sample(pairs, AT_TABLE // 2)))


def _by_table(some: Sequence[T]) -> list[Sequence[T]]:
    return [some[at : at + AT_TABLE] for at in range(0, len(some), AT_TABLE)]


def _finish(
    of: Playgroup, played: Sequence[GameSet], sat: Iterable[Sequence[Player]], dice: Random
) -> None:
    """Give each set its seats, results and facts, and count them."""
    seats = Seat.objects.bulk_create(
        Seat(game_set=game_set, number=number, name=player.name, player=player)
        for game_set, players in zip(played, sat, strict=True)
        for number, player in enumerate(players, 1)
    )
    for some in _by_table(seats):
        some[0].game_set.seating = [(seat.pk, seat.name) for seat in some]
    GameSet.objects.bulk_update(played, ["seating"], batch_size=500)
    decks = [
        Deck(code=f"{of.pk}-{at}", name=f"Deck {at}", key_hash=f"{of.pk}-{at}", created_at=BEGAN)
        for at in range(DECKS)
    ]
    Deck.objects.bulk_create(decks)
    by_set = [_results(some, decks, dice) for some in _by_table(seats)]
    results = SetResult.objects.bulk_create(chain.from_iterable(by_set))
    SetFacts.objects.bulk_create(_facts(some, of, dice) for some in by_set)
    players, rules = {result.player_id for result in results}, played[0].rules
    counting.count({(result.player_id, result.played_on) for result in results})
    totals.recount(players)
    ratings.rate_from(BEGAN, of.pk, ratings.format_keys(rules.key))
    streaks.count(players, rules.format, since=BEGAN)


def _results(seats: Sequence[Seat], decks: Sequence[Deck], dice: Random) -> list[SetResult]:
    points = [dice.randint(0, 63) if seat.game_set.rules.cap else 0 for seat in seats]
    won = [seat.number % 2 for seat in seats]  # of each team one
    return [
        _result(
            seat, 1 + sum(other > had for other in points), had, games_won, dice.choice(decks), dice
        )
        for seat, had, games_won in zip(seats, points, won, strict=True)
    ]


def _result(
    seat: Seat, rank: int, points: int, games_won: int, deck: Deck, dice: Random
) -> SetResult:
    hero, coalition_type = dice.choice(list(HEROES.items()))
    return SetResult(
        game_set=seat.game_set,
        seat=seat,
        player_id=seat.player_id,
        rank=rank,
        victory_points=points,
        games_played=seat.game_set.rules.games,
        games_won=games_won,
        games_at_cap=1,
        games_first=1,
        points_first=21,
        games_last=1,
        points_last=3,
        size=AT_TABLE,
        hero=hero,
        coalition_type=coalition_type,
        deck=deck,
        best_turn=dice.randint(0, 21),
        monarch_turns=dice.randint(0, 3),
        outlasted=0,
        finished_at=seat.game_set.finished_at,
        played_on=seat.game_set.finished_at.date(),
    )


def _facts(results: Sequence[SetResult], of: Playgroup, dice: Random) -> SetFacts:
    game_set = results[0].game_set
    first, second, *_ = sorted((result.victory_points for result in results), reverse=True)
    scores = game_set.rules.cap is not None
    return SetFacts(
        game_set=game_set,
        playgroup=of,
        format=game_set.rules.format,
        played_on=results[0].played_on,
        finished_at=game_set.finished_at,
        highest=first if scores else None,
        margin=first - second if scores else None,
        best_turn=max(result.best_turn or 0 for result in results) if scores else None,
        best_turn_game=1 if scores else None,
        minutes=dice.randint(20, 200),
        minutes_game=1,
        conceded=False,
    )


def _add_evening(
    of: Playgroup, sets: Sequence[GameSet], tables: Sequence[Sequence[Player]]
) -> None:
    evening = Evening.objects.create(
        playgroup=of,
        number=1,
        name="Evening",
        ruleset=of.ruleset,
        rounds_planned=1,
        usual_size=AT_TABLE,
        seed=1,
        starts_at=BEGAN + YEARS,
        created_at=BEGAN + YEARS,
    )
    evening.attendees.bulk_create(
        evening.attendees.model(evening=evening, player=player) for player in chain(*tables)
    )
    drawn = Round.objects.create(evening=evening, number=1, begun_at=BEGAN + YEARS)
    for number, (game_set, players) in enumerate(zip(sets, tables, strict=True), 1):
        RoundTable.objects.create(round=drawn, number=number, game_set=game_set)
        Place.objects.bulk_create(
            Place(round=drawn, player=player, table=number, position=position)
            for position, player in enumerate(players, 1)
        )


def pages(of: Playgroup, visitor: Client, member: Client) -> dict[str, Callable[[], object]]:
    """Return what opens each page whose cost must not grow with the sets."""
    one, other = of.players.order_by("pk").values_list("pk", flat=True)[:2]
    season = of.seasons.get()

    def get(client: Client, page: str, /, *args: object, **query: object) -> Callable[[], object]:
        address = reverse(page, args=[of.code, *args])
        return lambda: client.get(address, query)

    return {
        "leaderboard": get(visitor, "board"),
        "leaderboard of a season": get(visitor, "board", season=season.pk),
        "Monday page": get(member, "board"),
        "player": get(visitor, "player", one),
        "head to head": get(visitor, "versus", a=one, b=other),
        "all pairs": get(visitor, "versus"),
        "heroes": get(visitor, "heroes"),
        "hero": get(visitor, "hero", name="Krenko, Mob Boss"),
        "seasons": get(visitor, "seasons_archive"),
        "season": get(visitor, "season", season.pk),
        "evening": get(visitor, "evening", 1),
        "people": get(member, "people"),
    }


def in_teams(of: Playgroup, visitor: Client) -> dict[str, Callable[[], object]]:
    """Return what opens the pages of a playgroup that plays in teams."""
    board, teams = (reverse(name, args=[of.code]) for name in ("board", "teams"))
    return {
        "leaderboard of Realm Wars": lambda: visitor.get(board),
        "teams": lambda: visitor.get(teams),
    }


def measured() -> Iterator[Row]:
    """Measure each page with many sets beside itself with few."""
    visitor, member = Client(headers={"host": "localhost"}), Client(headers={"host": "localhost"})
    account = User.objects.create_user("member")
    member.force_login(account)
    many, few = {}, {}
    for sets, asks in ((MANY, many), (FEW, few)):
        of = group(sets)
        of.memberships.create(user=account, role="member", joined_at=BEGAN)
        asks |= pages(of, visitor, member) | in_teams(group(sets, REALM_WARS), visitor)
    settle()
    for name in many:
        yield beside(f"{name}, {MANY} sets / {FEW}", many[name], few[name], MOST)


def main() -> None:
    print(json.dumps(list(measured())))


if __name__ == "__main__":
    main()
