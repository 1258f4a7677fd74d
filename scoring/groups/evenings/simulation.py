"""Invented evenings: people come and go, rounds are paired, changed by hand, begun and played."""

from datetime import datetime, timedelta
from random import Random

from ...models import Evening, Playgroup
from ...record.errors import GroupRefused
from ...record.simulation import PEOPLE, Play, play_games
from ...rules.formats import RULESETS
from . import commands, reseating

RANKED = sorted(key for key, ruleset in RULESETS.items() if ruleset.is_ranked)
FEWEST = 6
ROUND = timedelta(hours=6)  # longer than any set takes


def play_evening(dice: Random, group: Playgroup, begin: datetime) -> Evening:
    ruleset = RULESETS[dice.choice(RANKED)]
    rounds = dice.randint(1, 3)
    evening = commands.create_evening(
        group,
        f"{begin:%A}, {begin.day} {begin:%B}",
        ruleset,
        rounds=rounds,
        usual_size=dice.choice(commands.allowed_sizes(ruleset)),
        starts_at=begin,
        seed=dice.getrandbits(62),
    )
    commands.arrive(evening, dice.sample(PEOPLE, dice.randint(FEWEST, len(PEOPLE))))
    for number in range(rounds):
        at = begin + number * ROUND
        paired = commands.pair_round(evening)
        if dice.random() < 0.3:  # somebody is moved by hand
            place = dice.choice(list(paired.places.select_related("player").order_by("pk")))
            tables = sorted(set(paired.places.values_list("table", flat=True)))
            reseating.move(paired, place.player, dice.choice(tables))
            try:
                commands.check_tables(paired)
            except GroupRefused:
                paired = commands.pair_round(evening)
        for table in commands.begin_round(paired, at=at, dice=dice):
            play_games(Play(dice, at, group=group), table.game_set)
        here = list(evening.attendees.filter(here=True).select_related("player").order_by("pk"))
        if len(here) > FEWEST and dice.random() < 0.5:
            commands.leave(evening, dice.choice(here).player)
        if dice.random() < 0.5:
            commands.arrive(evening, [dice.choice(PEOPLE)])
    commands.end_evening(evening)
    return evening
