from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from ... import queries
from ...decks import commands
from ...models import DeckRevision, today

A_YEAR = timedelta(days=365)


class Command(BaseCommand):
    help = "Remove the decks that no seat uses and nobody has opened for a year."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count them")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        since = today() - A_YEAR
        if dry_run:
            decks = queries.unused_decks(since)
            revisions = DeckRevision.objects.filter(deck__in=decks.values("pk")).count()
            self.stdout.write(f"Would remove {_counted(decks.count(), revisions)}.")
        else:
            self.stdout.write(f"Removed {_counted(*commands.remove_unused(since))}.")


def _counted(decks: int, revisions: int) -> str:
    return f"{decks} deck{'s' * (decks != 1)} with {revisions} revision{'s' * (revisions != 1)}"
