"""Print a playgroup with all its sets, or its results as a table."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from coalition_site.lib.console import as_far_as_read

from ...groups.data.exporting import export_group, export_results
from ...models import Playgroup


def find_group(code: str) -> Playgroup:
    group = Playgroup.objects.filter(code=code).first()
    if group is None:
        raise CommandError(f"There is no playgroup with the code {code!r}.")
    return group


class Command(BaseCommand):
    help = "Print everything of a playgroup as JSON, or its results as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the code in the playgroup's address")
        parser.add_argument("--csv", action="store_true", help="the results as a table")

    def handle(self, *args: Any, code: str, **options: Any) -> None:
        parts = (export_results if options["csv"] else export_group)(find_group(code))
        with as_far_as_read(self.stdout):
            for part in parts:
                self.stdout.write(part, ending="")
