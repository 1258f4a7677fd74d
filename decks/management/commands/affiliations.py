"""Print which creature types cards are affiliated with."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ... import queries
from ...models import Card


class Command(BaseCommand):
    help = "Print one JSON object a line for each card; exit 1 if a name is unknown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME")
        parser.add_argument("--all", action="store_true", help="every card of the catalogue")

    def handle(self, *args: Any, names: list[str], all: bool, **options: Any) -> None:
        if not names and not all:
            raise CommandError("Name a card, or say --all.")
        found = queries.find_cards(names)
        asked = dict.fromkeys(found[name] for name in names if name in found)
        self._tell_all(queries.whole_catalogue() if all else asked)
        unknown = [name for name in dict.fromkeys(names) if name not in found]
        for name in unknown:
            self.stderr.write(f"No card is called {name!r}.")
        if unknown:
            sys.exit(1)

    def _tell_all(self, cards: Iterable[Card]) -> None:
        """Tell the cards, or as many as whoever reads along wants: ``head`` stops early."""
        try:
            for card in cards:
                self._tell(card)
            self.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stdout.fileno())

    def _tell(self, card: Card) -> None:
        types = sorted(one.name for one in card.types.all())
        told = {"name": card.name, "affiliations": "all" if card.every_type else types}
        self.stdout.write(json.dumps(told, ensure_ascii=False))
