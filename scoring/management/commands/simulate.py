"""Play random but legal sets into the database."""

from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from coalition_site.lib.console import count

from ...groups.evenings.simulation import play_evening
from ...record.simulation import PEOPLE, Play, play_set
from ...rules.formats import RULESETS
from .export_group import find_group

BEGIN = datetime(2026, 1, 2, 18, tzinfo=UTC)
LONGEST = timedelta(days=2)  # that a set takes
STEP = 50  # sets between two lines of progress


class Command(BaseCommand):
    help = "Play random but legal sets through the same commands as the pages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sets", type=count, default=10, help="how many")
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same sets")

        parser.add_argument(
            "--evenings",
            type=count,
            default=0,
            help="of the playgroup, after the sets; default: none",
        )
        parser.add_argument(
            "--group", metavar="CODE", help="the playgroup that plays; default: none"
        )

    def handle(
        self, *args: Any, sets: int, seed: int, group: str | None, evenings: int, **options: Any
    ) -> None:
        dice, playgroup = Random(seed), find_group(group) if group else None
        if evenings and not playgroup:
            raise CommandError("Evenings are of a playgroup: name it with --group.")
        # A leaderboard counts up to today.
        begin = timezone.now() - LONGEST - timedelta(hours=sets) if playgroup else BEGIN
        rulesets = sorted(RULESETS.values(), key=lambda ruleset: ruleset.key)
        for number in range(1, sets + 1):
            ruleset = dice.choice(rulesets)
            few, many = ruleset.players_min, ruleset.players_max
            count = dice.choice([size for size in range(few, many + 1) if ruleset.allows(size)])
            play = Play(dice, begin + timedelta(hours=number), group=playgroup)
            with transaction.atomic():  # a single wait for the disk instead of hundreds
                play_set(play, ruleset, dice.sample(PEOPLE, count))
            if number % STEP == 0:
                self.stderr.write(f"{number} of {sets} sets played")
        self.stdout.write(f"{sets} sets played")
        if playgroup and evenings:
            first = timezone.now() - evenings * LONGEST
            for number in range(evenings):
                with transaction.atomic():
                    play_evening(dice, playgroup, first + number * LONGEST)
            self.stdout.write(f"{evenings} evenings played")
