"""Check the books: replay every log, and compare state, ledger and results with it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring import audit, commands, queries
from scoring.models import GameSet

STEP = 500  # sets between two lines of progress


class Command(BaseCommand):
    help = "Replay all logs (or those of some sets) and compare; exit 1 if something is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="*", help="codes of sets; all without one")
        parser.add_argument(
            "--repair", action="store_true", help="rebuild what is kept beside the logs"
        )

    def handle(self, *args: Any, code: list[str], repair: bool, **options: Any) -> None:
        wrong = checked = 0
        for one in code or GameSet.objects.order_by("pk").values_list("code", flat=True).iterator():
            checked += 1
            wrong += not self._check(one, repair=repair)
            if checked % STEP == 0:
                self.stderr.write(f"{checked} sets checked")
        self.stdout.write(f"{checked} sets checked, {wrong} wrong{' and repaired' * repair}")
        if wrong and not repair:
            sys.exit(1)

    def _check(self, code: str, *, repair: bool) -> bool:
        table = queries.find_table(code)
        if table is None:
            self.stdout.write(f"set {code}: not there, or without seats")
            return False
        found = list(audit.faults(table))
        for fault in found:
            self.stdout.write(fault)
        if found and repair:
            commands.repair(table)
        return not found
