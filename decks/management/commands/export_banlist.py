import json
from argparse import ArgumentParser
from datetime import date
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
            day = date.fromisoformat(on) if on else timezone.localdate()
        except ValueError as error:
            raise CommandError(f"--on: {on!r} is not a day like 2026-03-09.") from error
        as_of = day if on else commands.last_change(ban_list, day)
        entries = commands.entries_on(ban_list, as_of).values()
        document = file.write(ban_list, as_of, entries)
        self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False))
