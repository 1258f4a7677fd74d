"""Bring a ban list to what a file says, from the day of that file on."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from coalition_site.lib.untrusted import MalformedDocument, load

from ... import queries
from ...bans import commands
from ...bans import file as banfiles
from ...bans.commands import BanRefused, day
from ...models import BanList


class Command(BaseCommand):
    help = "Load a ban list, all or nothing, and say what changes; entries end, none is deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="as export_banlist writes it")
        parser.add_argument("--dry-run", action="store_true", help="only say what would change")
        parser.add_argument("--list", default="coalition", metavar="KEY", help="default: coalition")
        parser.add_argument("--by", metavar="USERNAME", help="the account that changes it")

    def handle(self, *args: Any, file: str, **said: Any) -> None:
        ban_list = the_list(said["list"])
        by = _account(said["by"]) if said["by"] else None
        try:
            with transaction.atomic():
                found = banfiles.read(load(Path(file).read_bytes()))
                _check_is_of(ban_list, found.name)
                changes = commands.bring(ban_list, found.said, found.as_of, by)
                transaction.set_rollback(said["dry_run"])
        except (OSError, BanRefused, MalformedDocument) as error:
            raise CommandError(f"Nothing was changed. {file}: {error}") from error
        self.stdout.write(f"{ban_list} as of {day(found.as_of)}:")
        self.stdout.write("\n".join(changes) if changes else "Nothing changes.")
        if said["dry_run"]:
            self.stdout.write("Tried only: nothing was written.")


def the_list(key: str) -> BanList:
    """Return a ban list by its key."""
    found = queries.find_list(key)
    if found is None:
        known = ", ".join(BanList.objects.order_by("key").values_list("key", flat=True))
        raise CommandError(f"There is no ban list {key!r}; there are {known}.")
    return found


def _account(name: str) -> User:
    found = User.objects.filter(username=name).first()
    if found is None:
        raise CommandError(f"There is no account {name!r}: give --by the name of one.")
    return found


def _check_is_of(ban_list: BanList, name: str) -> None:
    """Refuse a file of another list, which would end all that this one says."""
    if name == ban_list.name:
        return
    keys = BanList.objects.filter(name=name).values_list("key", flat=True)
    options = " or ".join(f"--list {key}" for key in keys) or "the --list of that name"
    raise MalformedDocument(
        "name", f"this is the list {name!r}, not {ban_list.name!r}: use {options}"
    )
