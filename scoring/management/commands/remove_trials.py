"""Remove tables to try."""

from typing import Any

from django.core.management.base import BaseCommand

from ...record.trial import remove_old_trials


class Command(BaseCommand):
    help = "Delete the tables to try that were made a week ago, with all that was recorded there."

    def handle(self, *args: Any, **options: Any) -> None:
        removed = remove_old_trials()
        self.stdout.write(f"{removed:,} table{'' if removed == 1 else 's'} removed")
