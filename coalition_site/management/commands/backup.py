"""Write the whole database to a file, while the site runs, or check such a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ...ops import backups
from ...ops.backups import BackupRefused, NotChecked

BAD, UNKNOWN = 1, 2
STOPPED = {False: "no backup was written.", True: "NOT CHECKED, and nothing is left behind."}


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
            self._verify(file) if verify else self._write(file)
        except NotChecked as refusal:
            raise CommandError(f"NOT CHECKED: {refusal}", returncode=UNKNOWN) from refusal
        except KeyboardInterrupt as stop:
            raise CommandError(f"Stopped: {STOPPED[verify]}", returncode=UNKNOWN) from stop
        except BackupRefused as refusal:
            raise CommandError(str(refusal), returncode=BAD) from refusal

    def _write(self, file: Path) -> None:
        proof = backups.back_up(file)
        self.stdout.write(f"{file}: {proof.bytes:,} bytes, {proof.content}")

    def _verify(self, file: Path) -> None:
        backup = backups.latest(file) if file.is_dir() else file
        proof = backups.check(backup, self.stderr.write, stdout=self.stdout, stderr=self.stderr)
        assert proof.check
        self.stdout.write(
            f"{backup} is right: {proof.content}, all played, in {proof.check.seconds} seconds"
        )
