import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from coalition_site.lib.console import as_far_as_read

from ...catalogue.memory import find_rows
from ...models import Card


class Command(BaseCommand):
    help = "Print a line of JSON for each card; exit 1 if a name is unknown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME")
        parser.add_argument("--all", action="store_true", help="print all cards in the catalogue")

    def handle(self, *args: Any, names: list[str], all: bool, **options: Any) -> None:
        if not names and not all:
            raise CommandError("Name a card, or use --all.")
        by_name = find_rows(names)
        named = dict.fromkeys(by_name[name] for name in names if name in by_name)
        catalogue = Card.objects.prefetch_related("types").order_by("name")
        with as_far_as_read(self.stdout):
            for card in catalogue.iterator(chunk_size=1000) if all else named:
                types = sorted(creature_type.name for creature_type in card.types.all())
                line = {"name": card.name, "affiliations": "all" if card.every_type else types}
                self.stdout.write(json.dumps(line, ensure_ascii=False))
        unknown = [name for name in dict.fromkeys(names) if name not in by_name]
        for name in unknown:
            self.stderr.write(f"No card is called {name!r}.")
        if unknown:
            sys.exit(1)
