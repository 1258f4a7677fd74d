import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ...bans import commands, file
from .load_banlist import get_list


class Command(BaseCommand):
    help = "Print a ban list as JSON, as of a day or else as of its last change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", default="coalition", metavar="KEY", help="default: coalition")
        parser.add_argument("--on", metavar="DATE", help="a day like 2026-03-09")

    def handle(self, *args: Any, on: str | None, **options: Any) -> None:
        ban_list = get_list(options["list"])
        try:
            today = timezone.localdate()
            as_of = file.parse_day(on) if on else commands.last_change(ban_list, today)
        except ValueError as error:
            raise CommandError(f"--on: {error}.") from error
        entries = commands.entries_on(ban_list, as_of).values()
        document = file.write(ban_list, as_of, entries)
        self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False))
