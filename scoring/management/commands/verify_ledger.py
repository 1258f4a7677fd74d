"""Check the books: replay every log, and compare state, ledger and results with it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring import audit, commands, queries
from scoring.groups import audit as group_audit
from scoring.models import GameSet, Playgroup
from scoring.queries import Table
from scoring.rules.errors import RuleError
from scoring.rules.form import MalformedLog

STEP = 500  # sets between two lines of progress


class Command(BaseCommand):
    help = "Replay all logs (or those of some sets) and compare; exit 1 if something is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="*", help="codes of sets; all without one")
        parser.add_argument(
            "--repair", action="store_true", help="rebuild what is kept beside the logs"
        )

    def handle(self, *args: Any, code: list[str], repair: bool, **options: Any) -> None:
        wrong = checked = repaired = 0
        for one in code or GameSet.objects.order_by("pk").values_list("code", flat=True).iterator():
            checked += 1
            table = queries.find_table(one)
            if not self._is_right(table, one):
                wrong += 1
                repaired += bool(repair and table and self._repair(table))
            if checked % STEP == 0:
                self.stderr.write(f"{checked} sets checked")
        also = f", {repaired} repaired" if repair else ""
        self.stdout.write(f"{checked} sets checked, {wrong} wrong{also}")
        bad_groups = 0 if code else self._check_groups(repair)
        if wrong > repaired or bad_groups:
            sys.exit(1)

    def _check_groups(self, repair: bool) -> int:
        """Check what is counted of all sets of each playgroup; return how many stay wrong."""
        wrong = repaired = 0
        groups = list(Playgroup.objects.order_by("pk"))
        for group in groups:
            found = list(group_audit.faults(group))
            for fault in found:
                self.stdout.write(fault)
            wrong += bool(found)
            if found and repair:
                group_audit.repair(group)
                repaired += 1
        if groups:
            also = f", {repaired} repaired" if repair else ""
            self.stdout.write(f"playgroups checked: {len(groups)}, {wrong} wrong{also}")
        return wrong - repaired

    def _is_right(self, table: Table | None, code: str) -> bool:
        found = list(audit.faults(table)) if table else [f"set {code}: not there"]
        for fault in found:
            self.stdout.write(fault)
        return not found

    def _repair(self, table: Table) -> bool:
        try:
            commands.repair(table)
        except (RuleError, MalformedLog):
            return False  # a log that can't be played was told of; only people can mend it
        return True
