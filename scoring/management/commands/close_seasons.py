"""Store the final tables of seasons that are over."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from coalition_site.lib.units import amount

from ...groups import closing


class Command(BaseCommand):
    help = "Close the seasons that are over: their final tables stay as they are now."

    def handle(self, *args: Any, **options: Any) -> None:
        closed = closing.close_ended(closing.open_seasons())
        self.stdout.write(f"{amount(closed, 'season')} closed")
