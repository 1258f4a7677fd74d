import json
from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from coalition_site.lib.console import day

from ...bans import commands, file
from .load_banlist import get_list


class Command(BaseCommand):
    help = "Print a ban list as JSON, as of a day or else as of its last change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", default="coalition", metavar="KEY", help="default: coalition")
        parser.add_argument("--on", type=day, metavar="DATE", help="a day like 2026-03-09")

    def handle(self, *args: Any, on: date | None, **options: Any) -> None:
        ban_list = get_list(options["list"])
        as_of = on or commands.last_change(ban_list, timezone.localdate())
        entries = commands.entries_on(ban_list, as_of).values()
        document = file.write(ban_list, as_of, entries)
        self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False))
