from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from ...ops.backups import BackupRefused, Unproven, restore
from ...ops.health import problem
from ...ops.roles import RoleRefused


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty database, whole or not at all, and verify the ledgers. "
        "Stop the site first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `backup` wrote")
        parser.add_argument(
            "--replace", action="store_true", help="lose what the database contains now"
        )
        parser.add_argument(
            "--unproven",
            action="store_true",
            help="take a backup without its checksum, as older versions wrote it",
        )

    def handle(self, *args: Any, file: Path, replace: bool, unproven: bool, **options: Any) -> None:
        try:
            restore(file, replace=replace, unproven=unproven)
        except Unproven as refusal:
            raise CommandError(
                f"{refusal} Where an older version wrote it, or the checksum is lost, add "
                f"--unproven. Nothing was changed."
            ) from refusal
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        except RoleRefused as refusal:
            raise CommandError(
                f"{file} is restored, but can't be served yet: {refusal} Then migrate."
            ) from refusal
        if reason := problem():
            self.stdout.write(f"{file} is restored. {reason} Then run verify_ledger.")
        else:
            call_command("verify_ledger", stdout=self.stdout, stderr=self.stderr)
            self.stdout.write(f"{file} is restored.")
