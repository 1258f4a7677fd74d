"""Print which creature types cards are affiliated with."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from decks import queries
from decks.models import Card


class Command(BaseCommand):
    help = "Print one JSON object a line for each card; exit 1 if a name is unknown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME")
        parser.add_argument("--all", action="store_true", help="every card of the catalogue")

    def handle(self, *args: Any, names: list[str], all: bool, **options: Any) -> None:
        if not names and not all:
            raise CommandError("Name a card, or say --all.")
        if all:
            for card in queries.whole_catalogue():
                self._tell(card)
        found = queries.find_cards(names)
        for name in names:
            if name in found:
                self._tell(found[name])
            else:
                self.stderr.write(f"No card is called {name!r}.")
        if len(found) < len(set(names)):
            sys.exit(1)

    def _tell(self, card: Card) -> None:
        types = sorted(one.name for one in card.types.all())
        told = {"name": card.name, "affiliations": "all" if card.every_type else types}
        self.stdout.write(json.dumps(told, ensure_ascii=False))
