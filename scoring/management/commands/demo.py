"""Fill the database with a playgroup's month of play by invented people."""

from argparse import ArgumentParser
from datetime import timedelta
from random import Random
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils import timezone

from ... import access
from ...groups.settings.commands import create_playgroup
from ...record import commands
from ...record.simulation import PEOPLE, Play, play_game, play_set
from ...rules.corrections import Undo
from ...rules.formats.coalition import COALITION_906

EVENINGS = (28, 24, 21, 17, 14, 10, 7, 3)  # days ago
GROUP = PEOPLE[:6]
NOW_PLAYED = 12  # events in the unfinished game


class Command(BaseCommand):
    help = "Play a playgroup's month, and leave a table in the middle of a game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=7)

    def handle(self, *args: Any, seed: int, **options: Any) -> None:
        dice = Random(seed)
        group = create_playgroup(
            "Thursday group", None, visibility="public", ruleset=COALITION_906.key
        )
        for days in EVENINGS:
            evening = timezone.now() - timedelta(days=days)
            players = dice.sample(GROUP, dice.randint(3, 5))
            code = play_set(Play(dice, evening, group=group), COALITION_906, players).code
            names = ", ".join(players)
            self.stdout.write(f"{evening:%d %b}  {reverse('watch', args=[code])}  {names}")
        key = access.new_key()
        play = Play(dice, timezone.now() - timedelta(minutes=25), group=group)
        game_set = commands.create_set(
            COALITION_906, GROUP[:4], key=key, at=play.clock, playgroup=group
        )
        commands.start_game(game_set, 1, at=play.clock)
        game = play_game(play, game_set, 1, until=NOW_PLAYED)
        if game.ended_at:
            commands.record(game_set, 1, Undo(game.recent_events.lines[0].number), at=play.tick(45))
        link = reverse("take_key", args=[game_set.code, key])
        self.stdout.write(f"\nTheir leaderboard: {reverse('board', args=[group.code])}")
        self.stdout.write(f"A game is being played. Keep its score: {link}")
