"""Store the final tables of seasons that are over."""

from typing import Any

from django.core.management.base import BaseCommand

from ...groups.seasons import closing


class Command(BaseCommand):
    help = "Close the seasons that are over: their final tables stay as they are now."

    def handle(self, *args: Any, **options: Any) -> None:
        closed = closing.close_ended()
        self.stdout.write(f"{closed:,} season{'' if closed == 1 else 's'} closed")
