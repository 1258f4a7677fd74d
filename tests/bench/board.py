"""Measure the leaderboard of a playgroup with many finished sets beside that of one with few.

    python -m tests.bench.board

Works on the database of DATABASE_URL, migrated; prints its rows as JSON.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from random import Random

import django

django.setup()

from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from scoring.groups.playgroups import create_playgroup  # noqa: E402
from scoring.models import GameSet, Player, Playgroup, Seat, SetResult  # noqa: E402
from scoring.results import counting, ratings  # noqa: E402
from scoring.rules.formats import COALITION_906  # noqa: E402
from tests.bench.cards import beside, settle  # noqa: E402

FEW, MANY = 10, 10_000
PEOPLE = 12
BEGAN = datetime(2020, 1, 3, 20, tzinfo=UTC)
YEARS = timedelta(days=6 * 365)


def group(sets: int) -> Playgroup:
    """Make a playgroup of so many finished sets over six years, four players each."""
    dice = Random(sets)
    made = create_playgroup("Bench", None, visibility="public", ruleset=COALITION_906.key)
    people = [Player.objects.create(playgroup=made, name=f"Player {at}") for at in range(PEOPLE)]
    times = [BEGAN + YEARS * at / sets for at in range(sets)]
    played = GameSet.objects.bulk_create(
        GameSet(
            code=f"{sets}-{at}",
            ruleset=COALITION_906.key,
            seed=at,
            playgroup=made,
            created_at=time,
            finished_at=time,
        )
        for at, time in enumerate(times)
    )
    seats = Seat.objects.bulk_create(
        Seat(game_set=one, number=number, name=player.name, player=player)
        for one in played
        for number, player in enumerate(dice.sample(people, 4), 1)
    )
    results = SetResult.objects.bulk_create(_result(seat, dice) for seat in seats)
    counting.count({(one.player_id, one.played_on) for one in results})
    ratings.rate_from(BEGAN, made.pk, ratings.format_keys(COALITION_906.key))
    return made


def _result(seat: Seat, dice: Random) -> SetResult:
    return SetResult(
        game_set=seat.game_set,
        seat=seat,
        player_id=seat.player_id,
        rank=seat.number,
        victory_points=dice.randint(0, 63),
        games_played=3,
        games_won=1,
        games_at_cap=1,
        games_first=1,
        points_first=21,
        games_last=1,
        points_last=3,
        size=4,
        finished_at=seat.game_set.finished_at,
        played_on=seat.game_set.finished_at.date(),
    )


def main() -> None:
    client = Client(headers={"host": "localhost"})
    many, few = (reverse("board", args=[group(sets).code]) for sets in (MANY, FEW))
    settle()
    what = f"leaderboard of {MANY} sets / of {FEW}"
    rows = [beside(what, lambda: client.get(many), lambda: client.get(few), "1.5")]
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
