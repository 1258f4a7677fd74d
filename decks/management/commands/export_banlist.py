"""Write a ban list in the form that ``load_banlist`` reads."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ...bans import commands, file
from .load_banlist import the_list


class Command(BaseCommand):
    help = "Print a ban list as JSON, as it is on a day; without a day, as of its last change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", default="coalition", metavar="KEY", help="default: coalition")
        parser.add_argument("--on", metavar="DATE", help="such as 2026-03-09")

    def handle(self, *args: Any, on: str | None, **options: Any) -> None:
        ban_list = the_list(options["list"])
        as_of = _day(on) if on else commands.last_change(ban_list, timezone.localdate())
        said = commands.said_on(ban_list, as_of)
        document = file.write(ban_list, as_of, [one for _, one in said.values()])
        self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False))


def _day(said: str) -> date:
    try:
        return file.parse_day(said)
    except ValueError as error:
        raise CommandError(f"--on: {error}.") from error
