"""Write the whole database to a file, while the site runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ...ops.backups import BackupRefused, back_up


class Command(BaseCommand):
    help = "Write the whole database to a new file, as of one moment, while the site runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that doesn't exist yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            back_up(file)
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")
