"""Remove tables to try."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError
from psycopg.errors import InsufficientPrivilege

from ...record.trial import remove_old_trials


class Command(BaseCommand):
    help = "Delete the tables to try that were made a week ago, with all that was recorded there."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            removed = remove_old_trials()
        except ProgrammingError as error:
            if not isinstance(error.__cause__, InsufficientPrivilege):
                raise
            raise CommandError(
                "Only the owner of the database can remove tables: see docs/running.md."
            ) from error
        self.stdout.write(f"{removed:,} table{'' if removed == 1 else 's'} removed")
