"""Print the log of a stored set."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ...record import chaining, queries
from ...setlog import document


class Command(BaseCommand):
    help = "Print the set log of a stored set as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help="the code in the set's public link")

        parser.add_argument(
            "--head", action="store_true", help="print only the head of its chain of hashes"
        )

    def handle(self, *args: Any, head: bool, **options: Any) -> None:
        game_set = queries.find_set(options["id"])
        if game_set is None:
            raise CommandError(f"There is no set with the code {options['id']}.")
        log = queries.set_log(game_set)
        self.stdout.write(chaining.head(log) if head else json.dumps(document.write(log), indent=1))
