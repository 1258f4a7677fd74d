from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from coalition_site.lib.console import open_file
from coalition_site.lib.dates import day
from coalition_site.lib.untrusted import MalformedDocument, load

from ... import queries
from ...bans import file as banfiles
from ...bans.commands import BanRefused, replace_entries
from ...models import BanList


class Command(BaseCommand):
    help = "Load a ban list, all or nothing, and print the changes. Old entries end, none is lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="as export_banlist writes it, or - for standard input"
        )
        parser.add_argument("--dry-run", action="store_true", help="only print the changes")
        parser.add_argument("--list", default="coalition", metavar="KEY", help="default: coalition")
        parser.add_argument("--by", metavar="USERNAME", help="the account to record as the editor")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        ban_list = get_list(options["list"])
        by = User.objects.filter(username=options["by"]).first() if options["by"] else None
        if options["by"] and by is None:
            raise CommandError(
                f"There is no account {options['by']!r}: give --by an existing username."
            )
        try:
            with open_file(file) as opened, transaction.atomic():
                as_of, entries = banfiles.read(load(opened.read()), ban_list)
                changes = replace_entries(ban_list, entries, as_of, by)
                transaction.set_rollback(options["dry_run"])
        except (OSError, BanRefused, MalformedDocument) as error:
            raise CommandError(f"Nothing was changed. {file}: {error}") from error
        self.stdout.write(f"{ban_list} as of {day(as_of)}:")
        self.stdout.write("\n".join(changes) if changes else "Nothing changes.")
        if options["dry_run"]:
            self.stdout.write("This was a dry run: nothing was changed.")


def get_list(key: str) -> BanList:
    """:raises CommandError: if there is no such list."""
    ban_list = queries.find_list(key)
    if ban_list is None:
        keys = ", ".join(BanList.objects.order_by("key").values_list("key", flat=True))
        raise CommandError(f"There is no ban list {key!r}. The lists are {keys}.")
    return ban_list
