"""Import a playgroup that export_group wrote, whole or not at all."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from coalition_site.lib.untrusted import MalformedDocument

from ...groups.data.importing import import_group
from .replay import NOT_A_LOG, read_document


class Command(BaseCommand):
    help = (
        "Create a playgroup from the JSON of export_group; print its name and address. If its "
        "owner's or a public playgroup has the name already, “(copy)” is added to it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file, or - for standard input")
        parser.add_argument(
            "--owner", metavar="NAME", help="the account that will own it; default: none"
        )

    def handle(self, *args: Any, file: str, owner: str | None, **options: Any) -> None:
        user = User.objects.filter(username=owner).first() if owner else None
        if owner and user is None:
            raise CommandError(f"There is no account called {owner!r}.")
        try:
            group = import_group(read_document(file), user)
        except MalformedDocument as error:
            message = f"{file}: {error}. Nothing was stored."
            raise CommandError(message, returncode=NOT_A_LOG) from error
        address = reverse("board", args=[group.code])
        self.stdout.write(f"{group.name}, {group.sets.count()} sets: {address}")
