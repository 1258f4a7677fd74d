from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ...ops import backups


class Command(BaseCommand):
    help = (
        "Write the whole database to a new file, as of one moment, while the site runs. Exit 1: "
        "there is no backup, or with --verify it is damaged; 2: it could not be checked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that doesn't exist yet")
        parser.add_argument(
            "--verify",
            action="store_true",
            help="restore FILE, or the newest backup of the folder FILE, into a place that is "
            "thrown away, and play all logs there",
        )

    def handle(self, *args: Any, file: Path, verify: bool, **options: Any) -> None:
        try:
            if verify:
                file = backups.latest(file) if file.is_dir() else file
                backups.check(file, stdout=self.stdout, stderr=self.stderr)
                self.stdout.write(f"{file} is right.")
            else:
                backups.back_up(file)
                self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")
        except backups.NotChecked as refusal:
            raise CommandError(f"NOT CHECKED: {refusal}", returncode=2) from refusal
        except backups.BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
